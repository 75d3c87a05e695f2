/** Reports what an engine or a command does at most twice a second; the newest wins, and no line is lost. */
import { StringDecoder } from 'node:string_decoder';
import { endsInPrivateKey, redactSecrets } from '#text-safety';
import { MAX_ACTIVITY_LINES, type Activity } from '#model/agent';
import { cutText } from '#model/values';
import { MAX_READ_CHARACTERS, toPlainLines, findTailStart } from './plain-text.ts';

const EVERY_MS = 500;
const MAX_PRINTED_LINE = 2_000;

type ProgressReporter = {
  /** Says what is done from now on, and keeps its lines. */
  say: (text: string, kind: Activity['kind']) => void;
  stream: (lines: readonly string[]) => void;
  /** Keeps lines that were printed meanwhile. */
  print: (text: string) => void;
  end: () => void;
};

type ReadLines = {
  lines: string[];
  isInKey: boolean;
};
/** Security (C5): secrets are hidden before a line is cut or scrolls away, because half of one is not known as one. */
const readLines = (text: string, before: Pick<ReadLines, 'isInKey'>): ReadLines => {
  const end = findTailStart(text);
  const skipped = toPlainLines(text.slice(Math.max(0, end - MAX_READ_CHARACTERS), end));
  const lines = toPlainLines(text.slice(end)).filter((line) => line.trim() !== '');
  const kept = lines.splice(-MAX_ACTIVITY_LINES);
  const state = { isInKey: endsInPrivateKey([...skipped, ...lines].join('\n'), before) };
  if (kept.length === 0) return { lines: [], ...state };
  const last = kept.join('\n');
  const shown = redactSecrets(last, state).split('\n');
  return {
    lines: shown.map((line) => cutText(line, MAX_PRINTED_LINE)),
    isInKey: endsInPrivateKey(last, state),
  };
};

const NOTHING_READ: ReadLines = { lines: [], isInKey: false };
const NOTHING_SPOKEN = { text: '', lines: 0, before: NOTHING_READ };

export const createProgressReporter = (tell: (activity: Activity) => void): ProgressReporter => {
  let last = -Infinity;
  let now: Pick<Activity, 'kind' | 'text'> = { kind: 'waits', text: '' };
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  const lines: string[] = [];
  /** What is said grows chunk by chunk, and then its lines are said anew. */
  let spoken = NOTHING_SPOKEN;
  let read: ReadLines = NOTHING_READ;
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
  const sayLines = (found: readonly string[], kind: Activity['kind']): void => {
    keepLines(found);
    now = { kind, text: found.at(-1)?.trim() ?? '' };
    emitSoon();
  };
  return {
    say: (text, kind) => {
      const isGrown = kind === 'says' && spoken.text !== '' && text.startsWith(spoken.text);
      const before = isGrown ? spoken.before : read;
      read = readLines(text, before);
      const found = read.lines;
      if (found.length === 0 && kind !== 'waits') return;
      if (isGrown) lines.splice(lines.length - Math.min(spoken.lines, lines.length));
      spoken = kind === 'says' ? { text, lines: found.length, before } : NOTHING_SPOKEN;
      sayLines(found, kind);
    },
    stream: (found) => {
      if (found.length === 0) return;
      spoken = NOTHING_SPOKEN;
      sayLines(found, 'prints');
    },
    print: (text) => {
      read = readLines(text, read);
      if (read.lines.length === 0) return;
      spoken = NOTHING_SPOKEN;
      keepLines(read.lines);
      emitSoon();
    },
    end: () => {
      clearTimeout(timer);
      isWaiting = false;
    },
  };
};

/** Gives the last whole lines of what a command prints; a line that is too long is dropped. */
export const createPrintedLineReader = (take: (lines: string[]) => void): ((chunk: Buffer) => void) => {
  let read = NOTHING_READ;
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isDropping = false;
  return (chunk) => {
    const whole = rest + decoder.write(chunk);
    const begin = isDropping ? whole.indexOf('\n') + 1 : 0;
    const end = whole.lastIndexOf('\n') + 1;
    if (end > begin) {
      read = readLines(whole.slice(begin, end), read);
      take(read.lines);
    }
    rest = whole.slice(end);
    isDropping = (isDropping && end === 0) || rest.length > MAX_READ_CHARACTERS;
    if (isDropping) rest = '';
  };
};
