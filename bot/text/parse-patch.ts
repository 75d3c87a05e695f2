/** Parses a patch of git into its files. */
import { unquoteGitName, trimEndCharacters } from '#model/values';

/** `path` is spelled as in the change's facts, `name` as git quotes it in the patch. */
export type FilePatch = {
  path: string;
  name: string;
  text: string;
  added: number;
  deleted: number;
  binary: boolean;
};

/** Only `\n` ends a line; other separators, and all after the first `@@`, are content. */
export const parseFilePatches = (patch: string): FilePatch[] =>
  patch
    .split(/(?:^|\n)(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map((text) => {
      // A long file is looked at in place: as an array of lines it would take many times its size.
      const first = text.indexOf('\n@@') + 1;
      const header = (first === 0 ? text : text.slice(0, first - 1)).split('\n');
      const told = header.filter((l) => !/^(?:diff --git|index |--- |\+\+\+ )/.test(l));
      const content = first === 0 ? [] : [text.slice(first)];
      return {
        ...namesIn(header),
        text: trimEndCharacters([...told, ...content].join('\n'), '\n'),
        ...sizesIn(text, first),
        binary: text.includes('\0'),
      };
    });
/** Counts the changed lines from `first` on; 0 stands for a file without hunks. */
const sizesIn = (text: string, first: number): Pick<FilePatch, 'added' | 'deleted'> => {
  const sizes = { added: 0, deleted: 0 };
  for (let at = first; at > 0; at = text.indexOf('\n', at) + 1) {
    if (text[at] === '+') sizes.added += 1;
    else if (text[at] === '-') sizes.deleted += 1;
  }
  return sizes;
};

/** Writes bytes that are not UTF-8 as `\xNN`. */
const unquoteName = (name: string): string =>
  unquoteGitName(name).replace(/[\udc80-\udcff]/gu, (c) => `\\x${(c.charCodeAt(0) & 0xff).toString(16)}`);
/** Equal names, when only this line names the file, e.g. for a mode change. */
const readDoubleName = (names: string): string =>
  /^"(?:[^"\\]|\\.)*"/su.exec(names)?.[0] ?? names.slice(0, (names.length - 1) / 2);
/** Git appends a tab to names with a space. */
const FILE_NAME_PREFIXES: readonly (readonly [
  start: string,
  name: (rest: string) => string,
  prefix: string,
])[] = [
  ['+++ ', (rest) => rest.replace(/\t$/, ''), 'b/'],
  ['--- ', (rest) => rest.replace(/\t$/, ''), 'a/'],
  ['rename to ', (rest) => rest, ''],
  ['diff --git ', readDoubleName, 'a/'],
];
const namesIn = (header: readonly string[]): Pick<FilePatch, 'path' | 'name'> => {
  for (const [start, name, prefix] of FILE_NAME_PREFIXES)
    for (const line of header) {
      if (!line.startsWith(start)) continue;
      const said = name(line.slice(start.length));
      const path = unquoteName(said);
      if (!path.startsWith(prefix)) continue;
      const shown = said.replace(/^"/, '').replace(/"$/, said.startsWith('"') ? '' : '"');
      return { path: path.slice(prefix.length), name: shown.slice(prefix.length) };
    }
  return { path: '', name: '' };
};

export type ChangedFile = Pick<FilePatch, 'path' | 'added' | 'deleted' | 'binary'>;
export const listChangedFiles = (patch: { text: string; omitted: number } | null): ChangedFile[] | null =>
  patch && patch.omitted === 0 && patch.text !== ''
    ? parseFilePatches(patch.text).map(({ path, added, deleted, binary }) => ({
        path,
        added,
        deleted,
        binary,
      }))
    : null;
