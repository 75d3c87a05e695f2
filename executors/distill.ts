/** Distils what a check printed to the few lines that a person or an agent needs. */
import { firstFailure, type Failure } from './distill/find.ts';
import { part } from './distill/part.ts';

const BYTES = 4096;
/** From this size on, a twentieth is enough. */
const LARGE = 50_000;

const COLOURS = /\u001b\[[0-?]*[ -/]*[@-~]/g;
const plain = (text: string): string =>
  (text.includes('\u001b') ? text.replace(COLOURS, '') : text).trimEnd();

const roomFor = (length: number): number =>
  length > LARGE ? Math.min(BYTES, Math.floor(length / 20)) : BYTES;

type Stream = { text: string; failure: Failure | null };
const read = (raw: string): Stream => {
  const text = plain(raw);
  return { text, failure: firstFailure(text) };
};
const print = ({ text, failure }: Stream, room: number): string => part(text, Math.floor(room), failure);

/**
 * At most 4 KB of a log of any size, and a twentieth of a large one: `note` (a sentence of ours), the first failure with
 * its place, what sums it up, and the last lines.
 */
export const distill = (output: { stdout: string; stderr: string }, note: string | null): string => {
  const [out, err] = [read(output.stdout), read(output.stderr)];
  const head = note === null ? '' : `${note}\n`;
  const room = roomFor(output.stdout.length + output.stderr.length) - Buffer.byteLength(head) - 1;
  // What says less of the failure gets a third at most, so that warnings do not push the report out.
  const reported = (err.failure?.strength ?? 0) > (out.failure?.strength ?? 0);
  const [main, other] = reported ? [err, out] : [out, err];
  const need = Buffer.byteLength(print(main, room));
  const aside = print(other, Math.max(room / 3, room - need));
  const report = print(main, room - Buffer.byteLength(aside));
  const shown = reported ? [aside, report] : [report, aside];
  return `${head}${shown.filter((one) => one !== '').join('\n')}`.replace(/^\n+/, '').trimEnd();
};

const STEP_ENDED = '##[error]Process completed with exit code ';

/** The same for the log of a CI job, whose steps after the failed one say nothing of it. */
export const distillLog = (text: string): string => {
  const ended = text.lastIndexOf(STEP_ENDED);
  const end = ended < 0 ? -1 : text.indexOf('\n', ended);
  return distill({ stdout: end < 0 ? text : text.slice(0, end), stderr: '' }, null);
};
