/** Shortens a check's output to the few lines that a person or an agent needs. */
import { findFirstFailure, MAX_EVIDENCE_RANK, type FailureMatch } from './distill/find-failure.ts';
import { isLabelled, splitByLabel, type LabelledLines } from './distill/line-labels.ts';
import { lineAt } from './distill/log-lines.ts';
import { selectLines } from './distill/select-lines.ts';

const MAX_DISTILLED_BYTES = 4096;
/** Output of this size or more is cut to a twentieth (characters). */
const MIN_LARGE_LOG_BYTES = 50_000;

const ANSI_COLOURS = /\u001b\[[0-?]*[ -/]*[@-~]/g;
const stripColours = (text: string): string =>
  (text.includes('\u001b') ? text.replace(ANSI_COLOURS, '') : text).trimEnd();

const roomFor = (length: number): number =>
  length > MIN_LARGE_LOG_BYTES ? Math.min(MAX_DISTILLED_BYTES, Math.floor(length / 20)) : MAX_DISTILLED_BYTES;

type Stream = { text: string; failure: FailureMatch | null; label: string | null };
const strengthOf = (failure: FailureMatch | null): number => failure?.strength ?? 0;

/** Line prefixes can hide a report, so each prefixed source is read separately. */
const readStream = (raw: string): Stream => {
  const text = stripColours(raw);
  const failure = findFirstFailure(text);
  const at = failure ? lineAt(text, failure.start) : null;
  const sure = strengthOf(failure) === MAX_EVIDENCE_RANK && at && !isLabelled(text.slice(at.start, at.end));
  let best: { voice: LabelledLines; found: number } | null = null;
  for (const voice of sure ? [] : splitByLabel(text)) {
    const found = strengthOf(findFirstFailure(voice.own));
    if (found > (best?.found ?? strengthOf(failure) - 1)) best = { voice, found };
  }
  if (best === null || best.found === 0) return { text, failure, label: null };
  const whole = best.voice.whole().trimEnd();
  return { text: whole, failure: findFirstFailure(whole), label: best.voice.label };
};
const renderStream = ({ text, failure, label }: Stream, room: number): string => {
  const head = label === null ? '' : `${label}:\n`;
  const words = selectLines(text, Math.floor(room) - Buffer.byteLength(head), failure);
  return words === '' ? '' : head + words;
};

/** Returns at most 4 KB: `note`, first failure, summary, last lines. */
export const distillOutput = (output: { stdout: string; stderr: string }, note: string | null): string => {
  const [out, err] = [readStream(output.stdout), readStream(output.stderr)];
  const head = note === null ? '' : `${note}\n`;
  const room = roomFor(output.stdout.length + output.stderr.length) - Buffer.byteLength(head) - 1;
  const reported = strengthOf(err.failure) > strengthOf(out.failure);
  const [main, other] = reported ? [err, out] : [out, err];
  const need = Buffer.byteLength(renderStream(main, room));
  const aside = renderStream(other, Math.max(room / 3, room - need));
  const report = renderStream(main, room - Buffer.byteLength(aside));
  const shown = reported ? [aside, report] : [report, aside];
  return `${head}${shown.filter((one) => one !== '').join('\n')}`.replace(/^\n+/, '').trimEnd();
};

const STEP_ENDED = '##[error]Process completed with exit code ';

/** Shortens a CI job's log; steps after the failed one are dropped. */
export const distillLog = (text: string): string => {
  const ended = text.lastIndexOf(STEP_ENDED);
  const end = ended < 0 ? -1 : text.indexOf('\n', ended);
  return distillOutput({ stdout: end < 0 ? text : text.slice(0, end), stderr: '' }, null);
};
