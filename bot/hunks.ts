/** The hunks of a patch that a reviewer should see first, cut to what fits a phone. */

type FilePatch = { path: string; text: string; added: number; deleted: number; binary: boolean };

/**
 * Splits a unified diff at its files; the path is git's own spelling on the `+++` or `---` line. Only a line feed ends a
 * line: what stands behind another separator, or after the first `@@`, is content, whatever it looks like.
 */
const files = (patch: string): FilePatch[] =>
  patch
    .split(/(?:^|\n)(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map((text) => {
      const lines = text.split('\n');
      const first = lines.findIndex((l) => l.startsWith('@@'));
      const header = first < 0 ? lines : lines.slice(0, first);
      const told = header.filter((l) => !/^(?:diff --git|index |--- |\+\+\+ )/.test(l));
      const content = first < 0 ? [] : lines.slice(first);
      const starting = (sign: string): number => content.filter((l) => l.startsWith(sign)).length;
      return {
        path: pathOf(header),
        text: [...told, ...content].join('\n').trimEnd(),
        added: starting('+'),
        deleted: starting('-'),
        binary: header.some((l) => /^(?:GIT binary patch|Binary files )/.test(l)),
      };
    });

/** The names on a line of the header; git ends one that has a blank in it with a tab. */
const NAMES = [/^\+\+\+ "?b\/([^\n]*?)"?\t?$/, /^--- "?a\/([^\n]*?)"?\t?$/, /^diff --git "?a\/([^\n]*?)"? /];

const pathOf = (header: readonly string[]): string => {
  for (const name of NAMES)
    for (const line of header) {
      const found = name.exec(line)?.[1];
      if (found !== undefined) return found;
    }
  return '';
};

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

export type Changed = Pick<FilePatch, 'path' | 'added' | 'deleted' | 'binary'>;
/** The files of a whole patch with their sizes. Of one that was cut nothing is known. */
export const changedBy = (patch: { text: string; omitted: number } | null): Changed[] | null =>
  patch && patch.omitted === 0 && patch.text !== ''
    ? files(patch.text).map(({ path, added, deleted, binary }) => ({ path, added, deleted, binary }))
    : null;
