/** Names the existing tests that a change alters or removes, as far as its diff shows them for certain (F9). */
import type { DiffFacts } from '#model/change';
import { isTest } from '#model/paths';
import { codeSpan } from '#text-safety';

/** Helpers, fixtures and documents of a folder of tests are none. */
const isTestFile = (path: string): boolean =>
  isTest(path) &&
  /(?:^|\/)(?:(?:test|spec)_(?!helper)[^/]*\.(?:py|rb)|tests?\.\w+|[^/]*(?:[._-](?:tests?|spec)|(?<=[a-z])(?:Tests?|Spec))\.(?!json|ya?ml|md|txt)\w+|[^/]*\.(?:bats|t))$/.test(
    path,
  );

const NAMES_TEST =
  /^\s*(?:(?:async |export |pub |public |static |final |void |local )*(?:def|func|function|sub|void)\s+((?:test|Test|Fuzz|Benchmark)\w*)\s*\(|(?:it|test|specify)\b\s*\(?\s*(["'`])([^"'`\n]{1,80})\2|@test\s+(["'])([^"'\n]{1,80})\4)/;
const nameOfTest = (line: string): string | null => {
  const [, named, , said, , called] = NAMES_TEST.exec(line) ?? [];
  return named === 'TestMain' ? null : (named ?? said ?? called ?? null);
};
const SAYS_NOTHING = /^(?:$|\/\/|\/?\*|#|--|;|import\b|from\b|use\b|require\b|package\b|[\])};,]+$|end\b)/;
const indentOf = (line: string): number => line.length - line.trimStart().length;
const squeeze = (line: string): string => line.replace(/\s+/g, '');

type TestChange = { removed: string[]; changed: string[] };

const readTestChange = (hunks: readonly string[]): TestChange => {
  const linesWith = (sign: string): string[] =>
    hunks.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  const added = new Set(linesWith('+').map(squeeze));
  const kept = new Set([...linesWith('+'), ...linesWith(' ')].flatMap((line) => nameOfTest(line) ?? []));
  const found: TestChange = { removed: [], changed: [] };
  let within: { name: string; indent: number } | null = null;
  for (const line of hunks) {
    if (line.startsWith('+')) continue;
    const text = line.startsWith('@@') ? line.replace(/^@@[^@]*@@ ?/, '') : line.slice(1);
    const name = nameOfTest(text);
    const isBesides = SAYS_NOTHING.test(text.trim());
    if (name !== null) within = { name, indent: indentOf(text) };
    else if (line.startsWith('@@') || (within && !isBesides && indentOf(text) <= within.indent))
      within = null;
    if (!line.startsWith('-') || isBesides || added.has(squeeze(text))) continue;
    if (name !== null && !kept.has(name)) found.removed.push(name);
    else if (within && !found.removed.includes(within.name)) found.changed.push(within.name);
  }
  return found;
};

const hunksByPath = (patch: string): Map<string, string[]> => {
  const files = new Map<string, string[]>();
  for (const part of patch.split(/^diff --git /m)) {
    const path = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1];
    const at = part.search(/^@@ /m);
    if (path !== undefined && at >= 0) files.set(path, part.slice(at).replace(/\n$/, '').split('\n'));
  }
  return files;
};

const MAX_NAMED = 5;
const listNames = (names: readonly string[]): string => {
  const all = [...new Set(names)];
  const rest = all.length - MAX_NAMED;
  return all.slice(0, MAX_NAMED).map(codeSpan).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
};

/** A diff that was cut shows neither what came back nor what is gone. */
const isWhole = (hunks: readonly string[], { added, deleted }: DiffFacts['files'][number]): boolean =>
  hunks.filter((line) => line.startsWith('+')).length === added &&
  hunks.filter((line) => line.startsWith('-')).length === deleted;

export type ChangedTests = { changed: string; removed: string; skipped: string };
export const findChangedTests = (
  { files, findings }: Pick<DiffFacts, 'files' | 'findings'>,
  patch: string,
): ChangedTests => {
  const hunks = hunksByPath(patch);
  const altered = files
    .filter(({ path, status }) => isTestFile(path) && (status === 'modified' || status === 'renamed'))
    .flatMap((file) => {
      const lines = hunks.get(file.path);
      return lines !== undefined && isWhole(lines, file)
        ? [{ path: file.path, ...readTestChange(lines) }]
        : [];
    });
  const gone = files
    .filter(({ path, status }) => status === 'deleted' && isTestFile(path))
    .map(({ path }) => path);
  const skipping = findings.filter(({ kind }) => kind === 'test_skipped').map(({ path }) => path);
  return {
    changed: listNames(altered.flatMap(({ changed }) => changed)),
    removed: listNames([...altered.flatMap(({ removed }) => removed), ...gone]),
    skipped: listNames(skipping),
  };
};
