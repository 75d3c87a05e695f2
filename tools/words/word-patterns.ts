/** The words of the files as patterns, over all languages or of one. */
import { loadWords, WORD_FOLDERS, type WordFolder } from '../load-data.ts';
import { joinSources, type WordRule, type WordSources } from '../read-words.ts';

const loaded = new Map<WordFolder, readonly WordSources[]>();
const filesOf = (folder: WordFolder, language?: string): readonly WordSources[] => {
  const files = loaded.get(folder) ?? loadWords(folder);
  loaded.set(folder, files);
  return language === undefined ? files : files.filter((file) => file.language === language);
};

/** In the order of the first file that has them. */
export const wordGroup = (
  folder: WordFolder,
  group: string,
  language?: string,
): readonly (readonly [string, RegExp])[] =>
  [...joinSources(filesOf(folder, language), group)].map(([name, source]) => [
    name,
    new RegExp(source, WORD_FOLDERS[folder]),
  ]);

/** Throws where the files and the code do not name the same classes. */
export const wordPatterns = <Name extends string>(
  folder: WordFolder,
  group: string,
  names: readonly Name[],
  language?: string,
): Readonly<Record<Name, RegExp>> => {
  const classes = new Map(wordGroup(folder, group, language));
  const unread = [...classes.keys()].filter((name) => !names.some((one) => one === name));
  const missing = names.filter((name) => !classes.has(name));
  if (unread.length + missing.length > 0)
    throw new Error(`${folder}, ${group}: ${[...unread, ...missing].join(', ')} stands on one side only`);
  return Object.fromEntries(names.map((name) => [name, classes.get(name)])) as Record<Name, RegExp>;
};

export const wordList = (folder: WordFolder, name: string, language?: string): ReadonlySet<string> =>
  new Set(filesOf(folder, language).flatMap(({ lists }) => lists[name] ?? []));

/** The languages whose files have words of the group. */
export const wordLanguages = (folder: WordFolder, group: string): readonly string[] =>
  filesOf(folder)
    .filter(({ sources }) => Object.hasOwn(sources, group))
    .map(({ language }) => language);

export const wordRules = (folder: WordFolder, language?: string): readonly WordRule[] =>
  filesOf(folder, language).flatMap(({ rules }) => rules);
