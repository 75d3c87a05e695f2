/** Turns an agent's files into a commit, with objects written from bytes that we read. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import type { Finding } from '#model/change';
import { MB, MINUTE } from '#model/values';
import type { WorkspaceLeftovers } from '#ports/workspaces';
import { findAgentGitUse } from './agent-git-use.ts';
import { openBeneath, readLinkBeneath } from './open-beneath.ts';
import { foldExcessFindings } from './fold-excess-findings.ts';
import type { TrustedGit } from '../trusted-git.ts';
import { findPathCollisions, displayPath, toPathBytes, type RawPath } from '../path-names.ts';
import { objectId } from '../object-ids.ts';
import { writeObject, writeTree } from '../object-writer.ts';
import { fileBlobId, listTree, type GitTree, type TreeEntry, readBlobs } from '../read-objects.ts';
import { createPeriodicYield } from '../../process/yield-event-loop.ts';
import {
  createPathFinding,
  WALK_LIMITS,
  findOutsideLinks,
  walkWorkspace,
  type WalkEntry,
  type TrackedPaths,
  type WorkspaceWalk,
  type ReadIgnoredPaths,
} from './walk-workspace.ts';

/** Repositories often forget to ignore these. */
const MADE_BY_TOOLS =
  /(^|\/)(node_modules|\.venv|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox)$/;
const MAX_RULES_BYTES = MB;
/** Hostile patterns can take forever (ms). */
const LIMIT_MS = MINUTE;

const isRules = (entry: TreeEntry): boolean =>
  /(^|\/)\.gitignore$/.test(entry.path) &&
  entry.mode.startsWith('100') &&
  (entry.size ?? 0) <= MAX_RULES_BYTES;

export const createIgnores = async (
  git: TrustedGit,
  gitDir: string,
  base: GitTree,
  scratch: string,
  limitMs = LIMIT_MS,
): Promise<ReadIgnoredPaths> => {
  const rules = [...base.values()].filter(isRules);
  const contents = await readBlobs(
    git,
    gitDir,
    rules.map(({ oid }) => oid),
  );
  const scratchPath = (path: RawPath): Buffer =>
    Buffer.concat([Buffer.from(`${scratch}/`), toPathBytes(path)]);
  for (const { path, oid } of rules) {
    if (path.includes('/')) await mkdir(scratchPath(dirname(path)), { recursive: true });
    await writeFile(scratchPath(path), contents.get(oid) ?? '');
  }
  return async (paths) => {
    const ignored = new Set(paths.filter((p) => p.folder && MADE_BY_TOOLS.test(p.path)).map((p) => p.path));
    const open = paths.filter((p) => !ignored.has(p.path));
    if (rules.length === 0 || open.length === 0) return ignored;
    // Rules such as `build/` match only existing folders.
    for (const { path, folder } of open) if (folder) await mkdir(scratchPath(path), { recursive: true });
    const end = await git(['check-ignore', '-z', '--stdin', '--no-index'], {
      gitDir,
      workTree: scratch,
      env: { GIT_LITERAL_PATHSPECS: '0' },
      stdin: Buffer.concat(open.map(({ path }) => toPathBytes(`./${path}\0`))),
      answers: [1],
      timeoutMs: limitMs,
      slow: 'Simplify the rules in the .gitignore files of the repository: patterns with many asterisks take that long.',
    });
    for (const path of end.stdoutBytes.toString('latin1').split('\0'))
      if (path !== '') ignored.add(path.slice(2));
    return ignored;
  };
};

type StagedChange =
  | { kind: 'tree'; tree: string; skipped: Finding[] }
  | { kind: 'same'; skipped: Finding[]; ignored: string[] }
  | { kind: 'unsafe'; findings: Finding[] };

type Change = { path: RawPath; mode: string; oid: string };
const MAX_FINDINGS = 100;

const indexTrackedPaths = (tree: GitTree): TrackedPaths => {
  const folders = new Set<RawPath>();
  for (const path of tree.keys())
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
  return {
    isFile: (path) => tree.has(path),
    isFolder: (path) => folders.has(path),
    isGitlink: (path) => tree.get(path)?.mode === '160000',
  };
};

const capFindings = (findings: readonly Finding[]): Finding[] => foldExcessFindings(findings, MAX_FINDINGS);

type Tree = Pick<Input, 'workspace' | 'isAtWork'>;
const openFile = ({ workspace, isAtWork }: Tree, path: RawPath): number => {
  if (isAtWork) return openBeneath(workspace, path);
  // guard: E1-no-link-opened
  return openSync(placeOf(workspace, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
};

/** Fails if the file is no longer the plain file that was listed. */
const readPlain = async <T>(tree: Tree, seen: WalkEntry, read: (fd: number) => T): Promise<Awaited<T>> => {
  const fd = openFile(tree, seen.path);
  try {
    const now = fstatSync(fd);
    // guard: E1-read-as-listed
    if (!now.isFile() || now.ino !== seen.stats.ino || now.dev !== seen.stats.dev)
      throw new Error(
        'A file of the workspace changed while it was read: something of the run is still alive.',
      );
    return await read(fd);
  } finally {
    closeSync(fd);
  }
};

const placeOf = (workspace: string, path: RawPath): Buffer =>
  Buffer.concat([Buffer.from(`${workspace}/`), toPathBytes(path)]);

const isUntouched = async (tree: Tree, file: WalkEntry, before: TreeEntry | undefined): Promise<boolean> => {
  const { size, mode } = file.stats;
  if (before?.size !== size || before.mode !== ((mode & 0o100) !== 0 ? '100755' : '100644')) return false;
  const blobIdOf = (fd: number): Promise<string> => fileBlobId(fd, size, before.oid.length);
  return (await readPlain(tree, file, blobIdOf)) === before.oid;
};

/** Tracked files keep the parent's version. */
const dropUnfitFiles = async (input: Tree, walk: WorkspaceWalk, parent: GitTree): Promise<Set<RawPath>> => {
  const dropped = new Set<RawPath>();
  const dropFile = (file: WalkEntry): void => {
    walk.files.delete(file.path);
    dropped.add(file.path);
  };
  for (const file of findOutsideLinks(walk.files.values())) {
    walk.dropped.push(createPathFinding('hard_link', file.path, { kind: 'linked_from_outside' }));
    dropFile(file);
  }
  for (const file of [...walk.files.values()]) {
    const { size } = file.stats;
    if (size <= WALK_LIMITS.fileBytes) continue;
    // Of a tree at work nothing is claimed of what cannot be shown.
    if (!input.isAtWork && !(await isUntouched(input, file, parent.get(file.path))))
      walk.dropped.push(
        createPathFinding('too_large', file.path, { kind: 'bytes', bytes: size, skipped: true }),
      );
    dropFile(file);
  }
  return dropped;
};

type Store = (bytes: Buffer) => Promise<unknown>;

/** A file that grows while it is read is cut where it ended when it was opened. */
const readAsOpened = (fd: number): Buffer => {
  const bytes = Buffer.alloc(Math.min(fstatSync(fd).size, WALK_LIMITS.fileBytes));
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(fd, bytes, at, bytes.length - at, at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
};

const readBytes = async (input: Tree, file: WalkEntry): Promise<Buffer | null> => {
  if (!input.isAtWork)
    return file.link
      ? readlinkSync(placeOf(input.workspace, file.path), { encoding: 'buffer' })
      : readPlain(input, file, (fd) => readFileSync(fd));
  try {
    return file.link
      ? readLinkBeneath(input.workspace, file.path)
      : await readPlain(input, file, readAsOpened);
  } catch {
    // It was changed, moved or swapped meanwhile, and is shown as it was before.
    return null;
  }
};

const readChanges = async (
  input: Tree,
  walk: WorkspaceWalk,
  parent: GitTree,
  store: Store,
): Promise<Change[]> => {
  const changes: Change[] = [];
  const pace = createPeriodicYield();
  const idLength = [...parent.values()][0]?.oid.length ?? 40;
  for (const file of walk.files.values()) {
    await pace();
    const bytes = await readBytes(input, file);
    if (bytes === null) continue;
    // guard: G2-mode-bits
    const mode = file.link ? '120000' : (file.stats.mode & 0o100) !== 0 ? '100755' : '100644';
    const oid = objectId('blob', bytes, idLength);
    const before = parent.get(file.path);
    if (before?.oid === oid && before.mode === mode) continue;
    await store(bytes);
    changes.push({ path: file.path, mode, oid });
  }
  return changes;
};

const findCollisions = (paths: Iterable<RawPath>, tracked: TrackedPaths): Finding[] =>
  findPathCollisions(paths, (path) => !tracked.isFile(path) && !tracked.isFolder(path)).map(([a, b]) => ({
    kind: 'bad_name',
    path: b,
    line: 0,
    note: { kind: 'same_name', as: a },
  }));

type Examined = {
  parent: GitTree;
  same: Map<RawPath, TreeEntry>;
  changes: Change[];
  skipped: Finding[];
  ignored: string[];
};
type Input = {
  gitDir: string;
  workspace: string;
  base: string;
  parent: string;
  scratch: string;
  /** E21: processes of the run may change the tree while it is read. */
  isAtWork?: boolean;
};

const examineWorkspace = async (
  git: TrustedGit,
  input: Input,
  store: Store,
): Promise<Examined | { findings: Finding[] }> => {
  const { gitDir, workspace, scratch } = input;
  const rules = join(scratch, 'rules');
  await mkdir(rules);
  const parent = await listTree(git, gitDir, input.parent);
  const base = input.base === input.parent ? parent : await listTree(git, gitDir, input.base);
  const tracked = indexTrackedPaths(parent);
  // guard: E1-rules-of-base
  const walk = await walkWorkspace(workspace, tracked, await createIgnores(git, gitDir, base, rules));
  if (walk.unsafe.length > 0) return { findings: capFindings([...walk.unsafe, ...walk.dropped]) };

  const kept = await dropUnfitFiles(input, walk, parent);
  const clashes = findCollisions([...walk.files.keys(), ...walk.gitlinks], tracked);
  if (clashes.length > 0) return { findings: capFindings([...clashes, ...walk.dropped]) };

  const changes = await readChanges(input, walk, parent, store);
  const shouldStay = (path: RawPath): boolean =>
    walk.files.has(path) || walk.gitlinks.has(path) || kept.has(path);
  const same = new Map(
    [...parent.values()].filter((e) => shouldStay(e.path)).map((e) => [e.path, e] as const),
  );
  if (walk.ignored > 0)
    walk.dropped.push({
      ...createPathFinding('skipped_ignored', '', { kind: 'ignored', count: walk.ignored }),
      count: walk.ignored,
    });
  if (!input.isAtWork) walk.dropped.push(...findAgentGitUse(workspace));
  return {
    parent,
    same,
    changes,
    skipped: capFindings(walk.dropped),
    ignored: walk.ignoredFiles.map(displayPath),
  };
};

/** Base: ignore rules. Parent: tracked files. All processes of the run must be dead, or `isAtWork` says so. */
export const stageChange = async (git: TrustedGit, input: Input): Promise<StagedChange> => {
  const seen = await examineWorkspace(git, input, (bytes) => writeObject(input.gitDir, 'blob', bytes));
  if ('findings' in seen) return { kind: 'unsafe', findings: seen.findings };
  const { parent, same: tree, changes, skipped, ignored } = seen;
  if (changes.length === 0 && tree.size === parent.size) return { kind: 'same', skipped, ignored };

  for (const change of changes) tree.set(change.path, { ...change, size: null });
  return { kind: 'tree', tree: await writeTree(git, input.gitDir, [...tree.values()]), skipped };
};

export const inspectLeftovers = async (git: TrustedGit, input: Input): Promise<WorkspaceLeftovers> => {
  const seen = await examineWorkspace(git, input, () => Promise.resolve());
  if ('findings' in seen) return { files: [], unfit: seen.findings };
  const { parent, same, changes, skipped } = seen;
  const gone = [...parent.keys()].filter((path) => !same.has(path));
  const files = [
    ...changes.map(({ path }) => `${parent.has(path) ? '~' : '+'} ${displayPath(path)}`),
    ...gone.map((path) => `- ${displayPath(path)}`),
  ];
  return { files, unfit: skipped.filter(({ kind }) => kind !== 'skipped_ignored' && kind !== 'agent_git') };
};
