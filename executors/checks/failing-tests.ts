/** Names the failures of a red check, to tell old ones from new ones (E15). */
import { createHash } from 'node:crypto';
import { findComplaints, findFailingTests } from '#tools/output';
import { toPlainLines } from '../process/plain-text.ts';
import { MB } from '#model/values';

/** A longer list is stored as its digest, which still shows whether it changed. */
const MAX_FAILING_NAMES = 400;
const MAX_FAILING_NAME_LENGTH = 300;
const MAX_SEARCHED_LENGTH = 2 * MB;

/** Durations and memory addresses differ between runs. */
const TIMES =
  / ?[([]?(?:<)?\d+(?:[.,]\d+)? ?(?:ms|s|m|sec|seconds|µs|us|ns)(?: \d+(?:\.\d+)?s)?[)\]]?$|0x[0-9a-f]{6,}/gi;
const normaliseName = (name: string): string => name.replaceAll(TIMES, '').replaceAll(/\s+/g, ' ').trim();

const numberRepeats = (names: readonly string[]): string[] => {
  const times = new Map<string, number>();
  return names.map((name) => {
    const n = (times.get(name) ?? 0) + 1;
    times.set(name, n);
    return n === 1 ? name : `${name} (${n})`;
  });
};

/** Failures outside of tests: low coverage, uncaught errors, stopped recipes. */
const ENDINGS =
  /^(?:\w+ )?(?:error|fatal|panic|fail(?:ed|ure)?|Jest|Vitest caught)\b:? (?!-{3})\S.{0,200}$/gim;
const findEndings = (text: string, named: readonly string[]): string[] =>
  [...text.matchAll(ENDINGS)]
    .map(([line]) => normaliseName(line))
    .filter((line) => !named.some((name) => line.includes(name)))
    .map((line) => line.replaceAll(/\b[0-9a-f]{7,}\b|\d+(?:\.\d+)?/gi, '#'));

export const findFailureNames = (output: { stdout: string; stderr: string }): string[] | null => {
  if (output.stdout.length + output.stderr.length > MAX_SEARCHED_LENGTH) return null;
  const text = toPlainLines(`${output.stdout}\n${output.stderr}`).join('\n');
  const named = [...new Set(findFailingTests(text).map(normaliseName))];
  const said = named.length > 0 ? named : numberRepeats(findComplaints(text).map(normaliseName));
  if (said.length === 0) return null;
  const found = [
    ...new Set([...said, ...findEndings(text, said)].map((name) => name.slice(0, MAX_FAILING_NAME_LENGTH))),
  ].sort();
  // guard: E15-long-list-is-one-name
  return found.length <= MAX_FAILING_NAMES
    ? found
    : [`${found.length} · ${createHash('sha256').update(found.join('\n')).digest('hex')}`];
};
