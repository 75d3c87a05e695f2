/** Compares the trees of two commits. Ids stand for bytes, so no content is read. */
import { createHash } from 'node:crypto';
import { createPeriodicYield } from '../process/yield-event-loop.ts';
import type { TrustedGit } from './trusted-git.ts';
import { toPathBytes, type RawPath } from './path-names.ts';
import { TREE_MODE, type NamedEntry } from './tree-and-commit-format.ts';
import { MAX_PATHS, readTrees, readTreeId, repositoryTooLarge } from './read-objects.ts';

type Side = Pick<NamedEntry, 'mode' | 'oid'>;
type TreeChange = { path: RawPath; before: Side | null; after: Side | null };

type Pair = { prefix: RawPath; before: string | null; after: string | null };

const isTree = (side: Side | null): side is Side => side?.mode === TREE_MODE;
const fileOf = (side: Side | null): Side | null => (isTree(side) ? null : side);
const folderOf = (side: Side | null): string | null => (isTree(side) ? side.oid : null);
const isSame = (oneSide: Side | null, otherSide: Side | null): boolean =>
  oneSide?.mode === otherSide?.mode && oneSide?.oid === otherSide?.oid;

export const readTreeChanges = async (
  git: TrustedGit,
  gitDir: string,
  { base, head }: { base: string; head: string },
): Promise<TreeChange[]> => {
  const found: TreeChange[] = [];
  const known = new Map<string, NamedEntry[]>();
  const pace = createPeriodicYield();
  const [before, after] = [await readTreeId(git, gitDir, base), await readTreeId(git, gitDir, head)];
  let level: Pair[] = before === after ? [] : [{ prefix: '', before, after }];
  while (level.length > 0) {
    const fresh = level.flatMap((pair) => [pair.before, pair.after]).filter((oid) => oid !== null);
    const missing = fresh.filter((oid) => !known.has(oid));
    for (const [oid, entries] of await readTrees(git, gitDir, missing)) known.set(oid, entries);
    const next: Pair[] = [];
    const sideOf = (oid: string | null): Map<string, NamedEntry> =>
      new Map((oid === null ? [] : (known.get(oid) ?? [])).map((entry) => [entry.name, entry]));
    for (const pair of level) {
      const [old, now] = [sideOf(pair.before), sideOf(pair.after)];
      for (const name of new Set([...old.keys(), ...now.keys()])) {
        await pace();
        const [a, b] = [old.get(name) ?? null, now.get(name) ?? null];
        if (isSame(a, b)) continue;
        const path = pair.prefix + name;
        if (isTree(a) || isTree(b))
          next.push({ prefix: `${path}/`, before: folderOf(a), after: folderOf(b) });
        if (fileOf(a) ?? fileOf(b)) found.push({ path, before: fileOf(a), after: fileOf(b) });
        if (found.length + next.length > MAX_PATHS) throw repositoryTooLarge();
      }
    }
    level = next;
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
};

const typeOf = (mode: string): string => mode.slice(0, 3);
const statusOf = ({ before, after }: TreeChange): string =>
  before === null ? 'A' : after === null ? 'D' : typeOf(before.mode) === typeOf(after.mode) ? 'M' : 'T';

/** G2: the SHA-256 of `git diff-tree -r -z --no-renames <base> <head>`. */
export const digestOfChanges = (changes: readonly TreeChange[]): string => {
  const hash = createHash('sha256');
  for (const change of changes) {
    const { path, before, after } = change;
    const none = '0'.repeat((before ?? after)?.oid.length ?? 40);
    const modes = `:${before?.mode ?? '000000'} ${after?.mode ?? '000000'}`;
    const ids = `${before?.oid ?? none} ${after?.oid ?? none}`;
    hash.update(toPathBytes(`${modes} ${ids} ${statusOf(change)}\0${path}\0`));
  }
  return hash.digest('hex');
};
