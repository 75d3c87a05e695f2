/** Finds tests that a change removes, skips or weakens (E13). */
import type { Finding, FindingNote } from '#model/change';
import { type BlobSide } from '../blob-pairs.ts';
import { decodeUtf8, isBinary } from '../blob-text.ts';

const TEST_PATH =
  /(^|\/)(tests?|__tests__|specs?|testing)\/|(^|[/._-])(test|spec)s?[._-][^/]*$|[._-](test|spec)s?\.[^/]+$|(Test|Tests|Spec)\.[^/]+$/;
const TEST_CASE =
  /\b[xf]?(?:it|test|describe|specify)(?:\.(?:skip|only|todo|fails|fixme|concurrent))*(?:\.each\b|\s*\()|\bdef test_|\bfunc (?:Test|Benchmark|Fuzz)[A-Z_]|#\[(?:\w+::)?test\]|@(?:Parameterized)?Test\b/g;

export const isTestPath = (path: string): boolean => TEST_PATH.test(path);

const testsIn = (side: BlobSide | null): number =>
  side === null || !isTestPath(side.path) ? 0 : (decodeUtf8(side.bytes).match(TEST_CASE)?.length ?? 0);

export const findRemovedTests = (before: BlobSide | null, after: BlobSide | null): Finding[] => {
  if (before === null || !isTestPath(before.path)) return [];
  const [was, is] = [testsIn(before), testsIn(after)];
  const path = after?.path ?? before.path;
  const note: FindingNote = after === null ? { kind: 'test_file_deleted' } : { kind: 'test_cases', was, is };
  return (after === null && was > 0) || is < was || after === null
    ? [{ kind: 'test_removed', path, line: 0, note }]
    : [];
};

const SKIPPED =
  /\b(?:it|test|describe|context|suite|specify)\.(?:skip|todo|only|fixme|fails)\b|\b[xf](?:it|describe|test|specify)\s*\(|\bskip:\s*(?:true|["'`])|@(?:pytest\.mark\.|unittest\.)?(?:skip(?:if|If|Unless)?|xfail|expectedFailure)\b|\bpytest\.(?:skip|xfail)\s*\(|\b[tb]\.Skip(?:Now|f)?\s*\(|#\[ignore\b|@(?:Disabled|Ignore)\b/g;
const ASSERTED =
  /\b(?:expect|assert\w*|should|require)(?:\.\w+){0,3}!?\s*\(|\bassert\s+\S|\bassert(?:_\w+)?!\s*\(|\b[tb]\.(?:Error|Fatal|Fail)\w*\s*\(|\.should\b/g;

const countIn = (side: BlobSide | null, what: RegExp): number =>
  side === null || !isTestPath(side.path) || isBinary(side.bytes)
    ? 0
    : (decodeUtf8(side.bytes).match(what)?.length ?? 0);

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

export const findWeakenedTests = (before: BlobSide | null, after: BlobSide): Finding[] => {
  if (!isTestPath(after.path) || isBinary(after.bytes)) return [];
  const found: Finding[] = [];
  const [skipped, skips] = [countIn(before, SKIPPED), countIn(after, SKIPPED)];
  const { path } = after;
  if (skips > skipped) {
    const text = decodeUtf8(after.bytes);
    const known = new Set(before ? decodeUtf8(before.bytes).split('\n') : []);
    const fresh = [...text.matchAll(SKIPPED)].find((m) => {
      const from = text.lastIndexOf('\n', m.index) + 1;
      const end = text.indexOf('\n', m.index);
      return !known.has(text.slice(from, end < 0 ? text.length : end));
    });
    const line = fresh ? lineOf(text, fresh.index) : 0;
    found.push({
      kind: 'test_skipped',
      path,
      line,
      note: { kind: 'skipped_tests', was: skipped, is: skips },
    });
  }
  const [were, are] = [countIn(before, ASSERTED), countIn(after, ASSERTED)];
  if (are < were && testsIn(after) >= testsIn(before))
    found.push({ kind: 'test_weakened', path, line: 0, note: { kind: 'assertions', was: were, is: are } });
  return found;
};
