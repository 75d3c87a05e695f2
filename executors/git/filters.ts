/**
 * Which paths a repository keeps in LFS, by its own `.gitattributes`; read here, because git would
 * run what they name.
 */
import { matches } from '../../orchestrator/core/govern/glob.ts';
import type { Git } from './git.ts';
import { display } from './names.ts';
import { readBlobs, type Tree } from './objects.ts';
import { KB } from '../../orchestrator/core/units.ts';

const MAX_RULES_BYTES = 256 * KB;
type Rule = { folder: string; glob: string; lfs: boolean };

/**
 * Case is ignored anyway; of another class of characters it is only known that one stands there.
 */
const withoutClasses = (pattern: string): string =>
  pattern.replace(/\[([^\]]{1,60})\]/g, (_, one: string) => {
    const letters = new Set(one.toLowerCase());
    return letters.size === 1 ? one.charAt(0) : '?';
  });

const LINE = /^[ \t]*(?:"((?:[^"\\]|\\.)*)"|(\S+))[ \t]+(.*)$/;

const rulesOf = (folder: string, text: string, macros: Set<string>): Rule[] =>
  text.split('\n').flatMap((line): Rule[] => {
    const [, quoted, bare, rest = ''] = LINE.exec(line.replace(/\r$/, '')) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, '$1') ?? bare;
    if (pattern === undefined || pattern.startsWith('#')) return [];
    const named = rest.trim().split(/[ \t]+/);
    const on = named.some((one) => one === 'filter=lfs' || macros.has(one));
    if (pattern.startsWith('[attr]')) {
      if (on) macros.add(pattern.slice('[attr]'.length));
      return [];
    }
    const off = named.some((one) => /^(?:[-!]filter|filter=.*)$/.test(one));
    return on || off ? [{ folder, glob: withoutClasses(pattern), lfs: on }] : [];
  });

/** Tells of a path whether the last rule that names it sends it through LFS. */
export const lfsPaths = async (git: Git, gitDir: string, tree: Tree): Promise<(path: string) => boolean> => {
  const files = [...tree.values()].filter(
    (e) =>
      /(?:^|\/)\.gitattributes$/.test(e.path) && e.mode.startsWith('100') && (e.size ?? 0) <= MAX_RULES_BYTES,
  );
  // Rules of deeper folders come later, hence count more.
  files.sort((a, b) => a.path.split('/').length - b.path.split('/').length);
  const texts = await readBlobs(
    git,
    gitDir,
    files.map(({ oid }) => oid),
  );
  const macros = new Set<string>();
  const rules = files.flatMap(({ path, oid }) => {
    const folder = display(path).replace(/[^/]*$/, '');
    return rulesOf(folder, texts.get(oid)?.toString('utf8') ?? '', macros);
  });
  return (path) =>
    rules.findLast(
      ({ folder, glob }) => path.startsWith(folder) && matches(path.slice(folder.length), [glob]),
    )?.lfs ?? false;
};
