/** Lists an agent's files without following, opening or executing any. */
import { constants, lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Finding, FindingNote, FindingNoteOf } from '#model/change';
import { MB } from '#model/values';
import { checkPathName, displayPath, toPathBytes, type RawPath } from '../path-names.ts';
import { createPeriodicYield } from '../../process/yield-event-loop.ts';

export type WalkEntry = { path: RawPath; link: boolean; stats: Stats };

export type WorkspaceWalk = {
  files: Map<RawPath, WalkEntry>;
  /** These submodules stay unchanged. */
  gitlinks: Set<RawPath>;
  dropped: Finding[];
  unsafe: Finding[];
  ignored: number;
  ignoredFiles: RawPath[];
};

export type TrackedPaths = {
  isFile(path: RawPath): boolean;
  isFolder(path: RawPath): boolean;
  isGitlink(path: RawPath): boolean;
};
export type ReadIgnoredPaths = (paths: { path: RawPath; folder: boolean }[]) => Promise<ReadonlySet<RawPath>>;

export const WALK_LIMITS = { entries: 200_000, depth: 200, fileBytes: 20 * MB };
const MAX_NAMED_IGNORED = 5;

export const createPathFinding = (kind: Finding['kind'], path: RawPath, note: FindingNote): Finding => ({
  kind,
  path: displayPath(path),
  line: 0,
  note,
});

type Entry = { path: RawPath; stats: Stats };
const absolutePath = (root: string, path: RawPath): Buffer =>
  path === '' ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), toPathBytes(path)]);

const whatItIs = (stats: Stats): FindingNoteOf<'special'>['is'] =>
  stats.isFIFO() ? 'pipe' : stats.isSocket() ? 'socket' : 'device';

const MAX_GIT_FILE_BYTES = 8_192;
/** A worktree that the agent worked in holds a second copy of the repository. */
const isWorktree = (root: string, folder: RawPath): boolean => {
  const file = absolutePath(root, `${folder}/.git`);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_GIT_FILE_BYTES) return false;
  const flag = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  return /^gitdir: .*\/worktrees\/[^/\n]+\s*$/.test(readFileSync(file, { encoding: 'latin1', flag }));
};

const settleByName = (walk: WorkspaceWalk, root: string, tracked: TrackedPaths, entry: Entry): boolean => {
  const { path, stats } = entry;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path === '.git') return true;
  // guard: E1-nested-git
  if (name === '.git') {
    walk.dropped.push(createPathFinding('nested_repository', path, { kind: 'as_plain_files' }));
    return true;
  }
  if (tracked.isGitlink(path)) {
    walk.gitlinks.add(path);
    if (!stats.isDirectory() || readdirSync(absolutePath(root, path)).length > 0)
      walk.dropped.push(createPathFinding('nested_repository', path, { kind: 'submodule_skipped' }));
    return true;
  }
  if (tracked.isFile(path) || tracked.isFolder(path)) return false;
  if (stats.isDirectory() && isWorktree(root, path)) {
    walk.dropped.push(createPathFinding('nested_repository', path, { kind: 'worktree_skipped' }));
    return true;
  }
  const why = checkPathName(name, { symlink: stats.isSymbolicLink() });
  if (why !== null) walk.dropped.push(createPathFinding('bad_name', path, { kind: why }));
  return why !== null;
};

const takeEntry = (walk: WorkspaceWalk, entry: Entry): RawPath | null => {
  const { path, stats } = entry;
  if (stats.isDirectory()) return path;
  if (stats.isFile() || stats.isSymbolicLink())
    walk.files.set(path, { path, link: stats.isSymbolicLink(), stats });
  else walk.unsafe.push(createPathFinding('special_file', path, { kind: 'special', is: whatItIs(stats) }));
  return null;
};

const nameIgnored = (walk: WorkspaceWalk, { path, stats }: Entry): void => {
  if (!stats.isDirectory() && walk.ignoredFiles.length < MAX_NAMED_IGNORED) walk.ignoredFiles.push(path);
};

const entriesOf = async (root: string, folder: RawPath): Promise<RawPath[]> => {
  const names = await readdir(absolutePath(root, folder), { encoding: 'buffer' }).catch(
    (error: NodeJS.ErrnoException) => {
      // A folder of a tree at work may be gone.
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
      throw error;
    },
  );
  const prefix = folder === '' ? '' : `${folder}/`;
  return names.map((name) => prefix + name.toString('latin1')).sort();
};

type Budget = { left: number };

const walkLevel = async (
  walk: WorkspaceWalk,
  root: string,
  folders: readonly RawPath[],
  tracked: TrackedPaths,
  ignores: ReadIgnoredPaths,
  budget: Budget,
  pace: () => Promise<void>,
): Promise<RawPath[]> => {
  const next: RawPath[] = [];
  const fresh: Entry[] = [];
  for (const folder of folders) {
    for (const path of await entriesOf(root, folder)) {
      await pace();
      if (!tracked.isFile(path) && !tracked.isFolder(path) && --budget.left < 0) return [];
      const stats = lstatSync(absolutePath(root, path), { throwIfNoEntry: false });
      if (!stats) continue;
      const entry = { path, stats };
      if (settleByName(walk, root, tracked, entry)) continue;
      if (!tracked.isFile(path) && !(tracked.isFolder(path) && entry.stats.isDirectory())) fresh.push(entry);
      else next.push(...[takeEntry(walk, entry)].filter((p) => p !== null));
    }
  }
  const ignored = await ignores(fresh.map(({ path, stats }) => ({ path, folder: stats.isDirectory() })));
  walk.ignored += ignored.size;
  for (const entry of fresh)
    if (ignored.has(entry.path)) nameIgnored(walk, entry);
    else next.push(...[takeEntry(walk, entry)].filter((p) => p !== null));
  return next;
};

/** Of a tree at work names may be wrong, so its files are opened with care (`open-beneath.ts`). */
export const walkWorkspace = async (
  root: string,
  tracked: TrackedPaths,
  ignores: ReadIgnoredPaths,
): Promise<WorkspaceWalk> => {
  const walk: WorkspaceWalk = {
    files: new Map(),
    gitlinks: new Set(),
    dropped: [],
    unsafe: [],
    ignored: 0,
    ignoredFiles: [],
  };
  const budget = { left: WALK_LIMITS.entries };
  const pace = createPeriodicYield();
  let folders: RawPath[] = [''];
  try {
    for (let depth = 1; folders.length > 0; depth++) {
      // Limits apply only to new folders, not to the repository's own.
      const tooDeep =
        depth > WALK_LIMITS.depth ? folders.find((folder) => !tracked.isFolder(folder)) : undefined;
      if (tooDeep !== undefined) {
        const note = { kind: 'too_deep', limit: WALK_LIMITS.depth } as const;
        walk.unsafe.push(createPathFinding('too_large', tooDeep.slice(0, 80), note));
        break;
      }
      folders = await walkLevel(walk, root, folders, tracked, ignores, budget, pace);
      if (budget.left < 0) {
        const note = { kind: 'too_many', limit: WALK_LIMITS.entries } as const;
        walk.unsafe.push(createPathFinding('too_large', '', note));
        break;
      }
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^(EACCES|EPERM|ENAMETOOLONG|ELOOP)$/.test(code)) throw error;
    walk.unsafe.push(createPathFinding('special_file', '', { kind: 'unreadable', code }));
  }
  return walk;
};

/** Other names of these files lie outside, so their content may not be the agent's. */
export const findOutsideLinks = (files: Iterable<WalkEntry>): WalkEntry[] => {
  const linked = [...files].filter((f) => !f.link && f.stats.nlink > 1);
  const names = new Map<string, number>();
  const inodeKeyOf = ({ stats }: WalkEntry): string => `${stats.dev}:${stats.ino}`;
  for (const file of linked) names.set(inodeKeyOf(file), (names.get(inodeKeyOf(file)) ?? 0) + 1);
  return linked.filter((file) => (names.get(inodeKeyOf(file)) ?? 0) < file.stats.nlink);
};
