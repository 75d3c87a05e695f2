/**
 * Which paths a repository passes through a filter (LFS, encryption), by its own `.gitattributes`;
 * read here, because git would run what they name.
 */
import { matches } from '../../orchestrator/core/govern/glob.ts';
import type { Git } from './git.ts';
import { display } from './names.ts';
import { readBlobs, type Tree } from './objects.ts';
import { KB } from '../../orchestrator/core/units.ts';

const MAX_RULES_BYTES = 256 * KB;
/** `filter` is null where a rule takes it away. */
type Rule = { folder: string; glob: string; filter: string | null };

/**
 * Case is ignored anyway; of another class of characters it is only known that one stands there.
 */
const withoutClasses = (pattern: string): string =>
  pattern.replace(/\[([^\]]{1,60})\]/g, (_, one: string) => {
    const letters = new Set(one.toLowerCase());
    return letters.size === 1 ? one.charAt(0) : '?';
  });

const LINE = /^[ \t]*(?:"((?:[^"\\]|\\.)*)"|(\S+))[ \t]+(.*)$/;

const rulesOf = (folder: string, text: string, macros: Map<string, string>): Rule[] =>
  text.split('\n').flatMap((line): Rule[] => {
    const [, quoted, bare, rest = ''] = LINE.exec(line.replace(/\r$/, '')) ?? [];
    const pattern = quoted?.replace(/\\(.)/g, '$1') ?? bare;
    if (pattern === undefined || pattern.startsWith('#')) return [];
    const named = rest.trim().split(/[ \t]+/);
    // As git has it, the last word on a line counts.
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
    return [{ folder, glob: withoutClasses(pattern), filter }];
  });

/** How files begin that git-crypt, transcrypt, age or Ansible have encrypted. */
const ENCRYPTED = [
  '\0GITCRYPT\0',
  'U2FsdGVkX1',
  'age-encryption.org/',
  '-----BEGIN AGE ',
  '$ANSIBLE_VAULT;',
].map((start) => Buffer.from(start));
export const isFiltered = (bytes: Uint8Array): boolean =>
  bytes.length === 0 || ENCRYPTED.some((start) => start.equals(bytes.subarray(0, start.length)));

/** The filter that the last rule which names a path sends it through. */
export const filteredPaths = async (
  git: Git,
  gitDir: string,
  tree: Tree,
): Promise<(path: string) => string | null> => {
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
  const macros = new Map<string, string>();
  const rules = files.flatMap(({ path, oid }) => {
    const folder = display(path).replace(/[^/]*$/, '');
    return rulesOf(folder, texts.get(oid)?.toString('utf8') ?? '', macros);
  });
  return (path) =>
    rules.findLast(
      ({ folder, glob }) => path.startsWith(folder) && matches(path.slice(folder.length), [glob]),
    )?.filter ?? null;
};
