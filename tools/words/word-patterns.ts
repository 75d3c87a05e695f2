/** The words of the files as patterns over all languages. */
import { loadWords, type WordFolder } from '../load-data.ts';
import { listClasses, type WordFile } from './read-words.ts';

const loaded = new Map<WordFolder, readonly WordFile[]>();
const wordsOf = (folder: WordFolder): readonly WordFile[] => {
  const files = loaded.get(folder) ?? loadWords(folder);
  loaded.set(folder, files);
  return files;
};

/** Throws where the files and the code do not name the same classes. */
export const wordPatterns = <Name extends string>(
  folder: WordFolder,
  group: string,
  names: readonly Name[],
): Readonly<Record<Name, RegExp>> => {
  const classes = listClasses(wordsOf(folder), group);
  const unread = [...classes.keys()].filter((name) => !names.some((one) => one === name));
  const missing = names.filter((name) => !classes.has(name));
  if (unread.length + missing.length > 0)
    throw new Error(`${folder}, ${group}: ${[...unread, ...missing].join(', ')} stands on one side only`);
  return Object.fromEntries(names.map((name) => [name, new RegExp(classes.get(name) ?? '', 'iu')])) as Record<
    Name,
    RegExp
  >;
};

export const wordList = (folder: WordFolder, name: string): ReadonlySet<string> =>
  new Set(wordsOf(folder).flatMap(({ lists }) => lists[name] ?? []));
