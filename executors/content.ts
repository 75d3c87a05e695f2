/** Looks for what a person should know of in the lines that a change adds (P2). */
import type { Finding } from '../orchestrator/core/facts.ts';
import { secretsIn } from '../orchestrator/core/govern/secrets.ts';
import { INVISIBLE } from './names.ts';
import { secretFindings } from './secrets.ts';

type Side = { path: string; bytes: Uint8Array };

const MAX_LINE = 5000;
/** Findings of one kind in one file; more would only bury the others. */
const PER_KIND = 5;

/** As git decides: a NUL among the first 8,000 bytes. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8000).includes(0);

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Lines of the new side that the old one does not have, with their 1-based numbers. */
const addedLines = (before: string, after: string): [number, string][] => {
  const known = new Set(before.split('\n'));
  return after.split('\n').flatMap((text, i): [number, string][] => (known.has(text) ? [] : [[i + 1, text]]));
};

const EMOJI_JOINS =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu;

const hidden = (text: string, lineNo: number): string | null => {
  const plain = (lineNo === 1 ? text.replace(/^\ufeff/, '') : text)
    .replace(/\r$/, '')
    .replace(/[\t\f]/g, '')
    .replace(EMOJI_JOINS, '');
  const found = INVISIBLE.exec(plain)?.[0];
  if (found === undefined) return null;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `an invisible or control character, U+${code}`;
};

/** One word of two scripts whose letters look alike; Greek only where a letter passes for a Latin one. Word by word, since a line may be endless. */
const WORDS = /[\p{L}\p{N}\p{M}_]+/gu;
const LATIN = /\p{Script=Latin}/u;
const ALIKE = /[\p{Script=Cyrillic}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχ]/u;
const mixesScripts = (text: string): boolean =>
  ALIKE.test(text) && (text.match(WORDS) ?? []).some((word) => ALIKE.test(word) && LATIN.test(word));

const inLine = (lineNo: number, text: string): Omit<Finding, 'path'>[] => {
  const found: Omit<Finding, 'path'>[] = [];
  const head = text.length > MAX_LINE ? text.slice(0, 1_000_000) : text;
  const invisible = hidden(head, lineNo);
  if (invisible !== null) found.push({ kind: 'hidden_text', line: lineNo, note: invisible });
  if (text.length > MAX_LINE)
    found.push({ kind: 'long_line', line: lineNo, note: `the line has ${text.length} characters` });
  for (const what of secretsIn(head))
    found.push({ kind: 'secret', line: lineNo, note: `it looks like ${what}` });
  if (mixesScripts(head))
    found.push({ kind: 'mixed_script', line: lineNo, note: 'one word mixes letters that look alike' });
  return found;
};

const TEST_PATH =
  /(^|\/)(tests?|__tests__|specs?|testing)\/|(^|[/._-])(test|spec)s?[._-][^/]*$|[._-](test|spec)s?\.[^/]+$|(Test|Tests|Spec)\.[^/]+$/;
const TEST_CASE =
  /\b[xf]?(?:it|test|describe|specify)(?:\.(?:skip|only|todo|fails|fixme|concurrent))*(?:\.each\b|\s*\()|\bdef test_|\bfunc (?:Test|Benchmark|Fuzz)[A-Z_]|#\[(?:\w+::)?test\]|@(?:Parameterized)?Test\b/g;

export const isTestPath = (path: string): boolean => TEST_PATH.test(path);

const testsIn = (side: Side | null): number =>
  side === null || !isTestPath(side.path) ? 0 : (decode(side.bytes).match(TEST_CASE)?.length ?? 0);

const removedTests = (before: Side | null, after: Side | null): Finding[] => {
  if (before === null || !isTestPath(before.path)) return [];
  const [was, is] = [testsIn(before), testsIn(after)];
  const path = after?.path ?? before.path;
  const note = after === null ? 'a test file is deleted' : `${was} test cases before, ${is} now`;
  return (after === null && was > 0) || is < was || after === null
    ? [{ kind: 'test_removed', path, line: 0, note }]
    : [];
};

const SKIPPED =
  /\b(?:it|test|describe|context|suite|specify)\.(?:skip|todo|only|fixme|fails)\b|\b[xf](?:it|describe|test|specify)\s*\(|\bskip:\s*(?:true|["'`])|@(?:pytest\.mark\.|unittest\.)?(?:skip(?:if|If|Unless)?|xfail|expectedFailure)\b|\bpytest\.(?:skip|xfail)\s*\(|\b[tb]\.Skip(?:Now|f)?\s*\(|#\[ignore\b|@(?:Disabled|Ignore)\b/g;
const ASSERTED =
  /\b(?:expect|assert\w*|should|require)(?:\.\w+){0,3}!?\s*\(|\bassert\s+\S|\bassert(?:_\w+)?!\s*\(|\b[tb]\.(?:Error|Fatal|Fail)\w*\s*\(|\.should\b/g;

const countIn = (side: Side | null, what: RegExp): number =>
  side === null || !isTestPath(side.path) || isBinary(side.bytes)
    ? 0
    : (decode(side.bytes).match(what)?.length ?? 0);

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Tests that are there and do not run, or check less than they did (E13). Fewer tests are told of as such. */
const weakerTests = (before: Side | null, after: Side): Finding[] => {
  if (!isTestPath(after.path) || isBinary(after.bytes)) return [];
  const found: Finding[] = [];
  const [skipped, skips] = [countIn(before, SKIPPED), countIn(after, SKIPPED)];
  const { path } = after;
  if (skips > skipped) {
    const text = decode(after.bytes);
    const known = new Set(before ? decode(before.bytes).split('\n') : []);
    const fresh = [...text.matchAll(SKIPPED)].find((m) => {
      const from = text.lastIndexOf('\n', m.index) + 1;
      const end = text.indexOf('\n', m.index);
      return !known.has(text.slice(from, end < 0 ? text.length : end));
    });
    const line = fresh ? lineOf(text, fresh.index) : 0;
    found.push({ kind: 'test_skipped', path, line, note: `${skipped} skipped before, ${skips} now` });
  }
  const [were, are] = [countIn(before, ASSERTED), countIn(after, ASSERTED)];
  if (are < were && testsIn(after) >= testsIn(before))
    found.push({ kind: 'test_weakened', path, line: 0, note: `${were} assertions before, ${are} now` });
  return found;
};

const isLfsPointer = (text: string): boolean => text.startsWith('version https://git-lfs.github.com/spec/');

/** Null stands for a side that does not exist. Binary files are judged by their kind elsewhere, not read here. */
export const contentFindings = (before: Side | null, after: Side | null): Finding[] => {
  const found = removedTests(before, after);
  if (after === null || isBinary(after.bytes)) return found;
  found.push(...weakerTests(before, after));
  const text = decode(after.bytes);
  const old = before === null || isBinary(before.bytes) ? '' : decode(before.bytes);
  const { path } = after;
  if (isLfsPointer(text) && text !== old)
    found.push({ kind: 'lfs_pointer', path, line: 1, note: 'the content itself is stored elsewhere' });
  const counts = new Map<string, number>();
  const harmless = new Set<string>();
  for (const [lineNo, content] of before === null
    ? text.split('\n').map((t, i) => [i + 1, t] as const)
    : addedLines(old, text)) {
    if (harmless.has(content)) continue;
    const inThis = inLine(lineNo, content);
    if (inThis.length === 0) harmless.add(content);
    for (const one of inThis) {
      const count = (counts.get(one.kind) ?? 0) + 1;
      counts.set(one.kind, count);
      if (count <= PER_KIND) found.push({ ...one, path });
    }
  }
  return found;
};

export const addedSecrets = async (before: Side | null, after: Side | null): Promise<Finding[]> => {
  if (after === null || isBinary(after.bytes)) return [];
  const known = before === null || isBinary(before.bytes) ? [] : decode(before.bytes).split('\n');
  return secretFindings(after.path, decode(after.bytes), new Set(known));
};
