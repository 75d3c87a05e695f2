/** Which grammar reads which files, and what in its trees is a definition or a call: grammars.json. */
import rows from './grammars.json' with { type: 'json' };

export type LanguageName = keyof typeof rows;
/** Definitions and calls are queries of tree-sitter. */
type Grammar = {
  grammar: string;
  extensions: readonly string[];
  definitions: readonly string[];
  calls: readonly string[];
};
export const GRAMMARS: Readonly<Record<LanguageName, Grammar>> = rows;

const isLanguage = (name: string): name is LanguageName => Object.hasOwn(GRAMMARS, name);
const LANGUAGE_NAMES: readonly LanguageName[] = Object.keys(GRAMMARS).filter(isLanguage);
const BY_EXTENSION: ReadonlyMap<string, LanguageName> = new Map(
  LANGUAGE_NAMES.flatMap((name) => GRAMMARS[name].extensions.map((extension) => [extension, name] as const)),
);

export const languageOf = (path: string): LanguageName | null =>
  BY_EXTENSION.get(/\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
