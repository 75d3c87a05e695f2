/** The hunks of a patch that a reviewer should see first, cut to what fits a phone. */

type FilePatch = { path: string; text: string };

/** Splits a unified diff at its files; the path is git's own spelling on the `+++` or `---` line. */
const files = (patch: string): FilePatch[] =>
  patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((text) => ({ path: pathOf(text), text: body(text) }));

const pathOf = (text: string): string => {
  const named = /^\+\+\+ (?:"?b\/)(.*?)"?$/m.exec(text)?.[1] ?? /^--- (?:"?a\/)(.*?)"?$/m.exec(text)?.[1];
  return named ?? /^diff --git (?:"?a\/)(.*?)"? /.exec(text)?.[1] ?? '';
};

/** Drops what a person does not read: the header's hashes and repeated names. */
const body = (text: string): string =>
  text
    .split('\n')
    .filter((l) => !/^(diff --git|index |--- |\+\+\+ )/.test(l))
    .join('\n')
    .trimEnd();

/** `first` names paths to be shown before all others, in their order. */
export const topHunks = (patch: string, first: readonly string[], limit: number): string => {
  const rank = new Map(first.map((path, i) => [path, i]));
  const order = files(patch)
    .map((file, i) => ({ ...file, at: rank.get(file.path) ?? first.length + i }))
    .sort((a, b) => a.at - b.at);
  const text = order.map((f) => `${f.path}\n${f.text}`).join('\n');
  return text.length <= limit ? text : text.slice(0, limit);
};

/** Only the files that are named. */
export const hunksOf = (patch: string, paths: ReadonlySet<string>, limit: number): string =>
  files(patch)
    .filter((f) => paths.has(f.path))
    .map((f) => `${f.path}\n${f.text}`)
    .join('\n')
    .slice(0, limit);
