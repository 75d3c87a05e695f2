/** Reports what an engine or a command does at most twice a second; the newest wins, and no line is lost. */
import { StringDecoder } from 'node:string_decoder';
import { MAX_ACTIVITY_LINES, type Activity } from '#model/agent';
import { cutText } from '#model/values';
import { plainLines } from './plain-text.ts';

const EVERY_MS = 500;
/** Security: secrets are hidden later, and half of one would be shown. Whoever stores a line cuts it further. */
const MAX_PRINTED_LINE = 2_000;
/** Limit of text that is read at once, and of an unfinished line (characters). */
const MOST_READ = 64_000;

type ProgressReporter = {
  /** Says what is done from now on, and keeps its lines. */
  say: (text: string, kind: Activity['kind']) => void;
  /** Keeps lines that were printed meanwhile. */
  print: (text: string) => void;
  end: () => void;
};

/** Of a longer text the last whole lines. */
const endOf = (text: string): string => {
  if (text.length <= MOST_READ) return text;
  const end = text.slice(-MOST_READ);
  const first = end.indexOf('\n');
  return first < 0 ? '' : end.slice(first + 1);
};

const readLines = (text: string): string[] =>
  plainLines(endOf(text))
    .filter((line) => line.trim() !== '')
    .slice(-MAX_ACTIVITY_LINES)
    .map((line) => cutText(line, MAX_PRINTED_LINE));

export const createProgress = (tell: (activity: Activity) => void): ProgressReporter => {
  let last = -Infinity;
  let now: Pick<Activity, 'kind' | 'text'> = { kind: 'waits', text: '' };
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  const lines: string[] = [];
  /** What is said grows chunk by chunk, and then its lines are said anew. */
  let spoken = { text: '', lines: 0 };
  const emitNow = (): void => {
    last = performance.now();
    isWaiting = false;
    tell({ ...now, lines: [...lines] });
  };
  const emitSoon = (): void => {
    const left = EVERY_MS - (performance.now() - last);
    if (left <= 0 && !isWaiting) return emitNow();
    isWaiting = true;
    timer ??= setTimeout(() => {
      timer = undefined;
      if (isWaiting) emitNow();
    }, left);
  };
  const keepLines = (found: readonly string[]): void => {
    lines.push(...found);
    lines.splice(0, lines.length - MAX_ACTIVITY_LINES);
  };
  return {
    say: (text, kind) => {
      const found = readLines(text);
      const line = found.at(-1)?.trim();
      if (line === undefined && kind !== 'waits') return;
      const isGrown = kind === 'says' && spoken.text !== '' && text.startsWith(spoken.text);
      if (isGrown) lines.splice(lines.length - Math.min(spoken.lines, lines.length));
      keepLines(found);
      spoken = kind === 'says' ? { text, lines: found.length } : { text: '', lines: 0 };
      now = { kind, text: line ?? '' };
      emitSoon();
    },
    print: (text) => {
      const found = readLines(text);
      if (found.length === 0) return;
      spoken = { text: '', lines: 0 };
      keepLines(found);
      emitSoon();
    },
    end: () => {
      clearTimeout(timer);
      isWaiting = false;
    },
  };
};

/** Gives whole lines of what a command prints; a line that is too long is dropped. */
export const createPrintedLines = (take: (text: string) => void): ((chunk: Buffer) => void) => {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isDropping = false;
  return (chunk) => {
    const whole = rest + decoder.write(chunk);
    const begin = isDropping ? whole.indexOf('\n') + 1 : 0;
    const end = whole.lastIndexOf('\n') + 1;
    if (end > begin) take(whole.slice(begin, end));
    rest = whole.slice(end);
    isDropping = (isDropping && end === 0) || rest.length > MOST_READ;
    if (isDropping) rest = '';
  };
};
