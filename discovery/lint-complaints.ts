/** Reads what a linter complains about in the files that it was asked about (E9). */
import { withoutUnseen } from '#text-safety';
import { findNewEntries } from '#model/values';
import type { FileLinter } from './file-linters.ts';

/** `path` from the root; `line` is null where a whole file is meant. */
export type LintComplaint = { program: string; path: string; line: number | null; text: string };

const MAX_LINTER_OUTPUT_LENGTH = 256_000;
const MAX_COMPLAINED_LINE_LENGTH = 2_000;
const MAX_COMPLAINT_LENGTH = 240;
const MAX_COMPLAINTS = 200;
/** Syntax is looked at elsewhere, and what a linter leaves out is no complaint. */
const NO_COMPLAINT = /^(?:error\s+)?Parsing error|ignored because|no matching configuration/;

const isNamed = (said: string, file: string, dir: string): boolean => {
  const path = said.replace(/^(?:\.\/)+/, '');
  return (
    path === file || (path.startsWith('/') && path.endsWith(dir === '' ? `/${file}` : `/${dir}/${file}`))
  );
};

export const readComplaints = (
  { row, dir, program }: Pick<FileLinter, 'row' | 'dir' | 'program'>,
  files: readonly string[],
  output: string,
): LintComplaint[] => {
  const { head, line: form } = row.says;
  const found: LintComplaint[] = [];
  let above = '';
  for (const whole of output.slice(0, MAX_LINTER_OUTPUT_LENGTH).split('\n')) {
    const line = withoutUnseen(whole.slice(0, MAX_COMPLAINED_LINE_LENGTH)).trimEnd();
    const said = form.exec(line)?.groups;
    above = (said === undefined && head?.exec(line)?.groups?.['path']) || above;
    if (said === undefined) continue;
    const named = said['path'] ?? above;
    const file = files.find((one) => isNamed(named, one, dir));
    const at = said['line'] === undefined ? null : Number(said['line']);
    const text = (said['text'] ?? '').replace(/\s+/g, ' ').slice(0, MAX_COMPLAINT_LENGTH);
    if (file === undefined || at === 0 || NO_COMPLAINT.test(text)) continue;
    found.push({ program, path: dir === '' ? file : `${dir}/${file}`, line: at, text });
    if (found.length >= MAX_COMPLAINTS) break;
  }
  return found;
};

/** Lines move, so texts are compared. */
export const findNewComplaints = (
  before: readonly LintComplaint[],
  after: readonly LintComplaint[],
): readonly LintComplaint[] =>
  findNewEntries(before, after, ({ program, path, text }) => JSON.stringify([program, path, text]));
