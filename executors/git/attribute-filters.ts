/** Reads `.gitattributes` for the filters that git would run. */
import { createGlobMatcher } from '#text-safety';

type Rule = { isMeant: (path: string) => boolean; filter: string | null };

/** Case is ignored anyway; any other character class is treated as one unknown character. */
const withoutClasses = (pattern: string): string =>
  pattern.replace(/\[([^\]]{1,60})\]/g, (_, one: string) => {
    const letters = new Set(one.toLowerCase());
    return letters.size === 1 ? one.charAt(0) : '?';
  });

const MAX_LINE_BYTES = 2048;
const LINE = /^[ \t]*(?:"((?:[^"\\]|\\.)*)"|(\S+))[ \t]+(.*)$/;

const rulesOf = (text: string, macros: Map<string, string>): Rule[] =>
  text.split('\n').flatMap((line): Rule[] => {
    if (Buffer.byteLength(line) >= MAX_LINE_BYTES) return [];
    const [, quoted, bare, rest = ''] = LINE.exec(line.replace(/\r$/, '')) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, '$1') ?? bare;
    if (pattern === undefined || pattern.startsWith('#')) return [];
    const named = rest.trim().split(/[ \t]+/);
    const said = named.flatMap((one): (string | null)[] => {
      if (/^[-!]filter$/.test(one)) return [null];
      const filter = /^filter=(.+)$/.exec(one)?.[1] ?? macros.get(one);
      return filter === undefined ? [] : [filter];
    });
    const filter = said.at(-1);
    if (filter === undefined) return [];
    if (pattern.startsWith('[attr]')) {
      if (filter !== null) macros.set(pattern.slice('[attr]'.length), filter);
      return [];
    }
    return [{ isMeant: createGlobMatcher(withoutClasses(pattern)), filter }];
  });

export type AttributeFiles = readonly { path: string; text: string }[];

export const matchAttributeFilters = (
  { files, paths }: { files: AttributeFiles; paths: readonly string[] },
  onReading: (file: string) => void,
): Map<string, string> => {
  const macros = new Map<string, string>();
  const depthOf = ({ path }: { path: string }): number => path.split('/').length;
  const ordered = [...files].sort((a, b) => depthOf(a) - depthOf(b));
  const rules = ordered.map(({ path, text }) => {
    onReading(path);
    const folder = path.replace(/[^/]*$/, '');
    return { path, folder, of: rulesOf(text, macros).reverse() };
  });
  const found = new Map<string, string>();
  rules.reverse();
  for (const path of paths) {
    const above = rules.filter(({ folder }) => path.startsWith(folder));
    onReading(above[0]?.path ?? path);
    const rule = lastFor(path, above);
    if (rule && rule.filter !== null) found.set(path, rule.filter);
  }
  return found;
};

const lastFor = (path: string, above: readonly { folder: string; of: readonly Rule[] }[]): Rule | null => {
  for (const { folder, of } of above) {
    const below = path.slice(folder.length);
    const rule = of.find(({ isMeant }) => isMeant(below));
    if (rule) return rule;
  }
  return null;
};
