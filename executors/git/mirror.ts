/** Keeps one mirror per repository, with checked branches and seeds for fast workspaces. */
import { failureDetail } from '#model/failure';
import { MINUTE } from '#model/values';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OutsideFailure, failureWithDetail } from '#ports/forge';
import type { ExportHistory, RepoRef } from '#ports/workspaces';
import { fillWorkspace } from './checkout.ts';
import type { TrustedGit, GitOptions } from './trusted-git.ts';
import { type DataLayout } from '../process/data-layout.ts';
import { createKeyedLocks } from '../process/keyed-locks.ts';
import { emptyFolder, removeTree } from '../process/folder-trees.ts';
import { addAlternate, makeGitDir, removeLocks } from './git-directory.ts';
import { mayBeDamage, removeDamagedParts } from './mirror-damage.ts';
import { evictMirrors, removeMirror, type StoredMirror } from './mirror-eviction.ts';
import type { MirrorLimits } from './disk-limits.ts';
import { isBranchName } from './path-names.ts';
import { requireSha, OBJECT_ID } from './object-ids.ts';
import { matchesRemoteHead, type ReadRemoteHead } from './code-host-remote.ts';
import { packSeed, unpackSeed } from './workspace-seeds.ts';

const PACKS_BEFORE_REPACK = 40;
const ROOM_EVERY_MS = MINUTE;
/** More tags than any project describes itself by. */
const MAX_TAGS = 5_000;

type ResolveRemote = (repo: RepoRef) => Promise<{ url: string; network: NonNullable<GitOptions['network']> }>;

/** Hashed, because `a` and `a/b` may follow each other and would conflict as refs. */
const hashBranch = (branch: string): string => createHash('sha256').update(branch).digest('hex').slice(0, 32);

const removeHalfMade = async (gitDir: string): Promise<void> => {
  const objects = join(gitDir, 'objects');
  for (const dir of [objects, join(objects, 'pack')])
    for (const name of await readdir(dir))
      if (/^(tmp_|\.tmp-|incoming-)/.test(name)) await rm(join(dir, name), { recursive: true, force: true });
};

/** Keeps unreachable objects, because the trusted directories of runs borrow them. */
const repackMirror = async (git: TrustedGit, gitDir: string): Promise<void> => {
  const packs = (await readdir(join(gitDir, 'objects', 'pack'))).filter((n) => n.endsWith('.pack'));
  if (packs.length > PACKS_BEFORE_REPACK) await git(['repack', '-a', '-d', '-k', '-q'], { gitDir });
};

export const createMirrors = (deps: {
  git: TrustedGit;
  layout: DataLayout;
  remote: ResolveRemote;
  limits: MirrorLimits;
  told: ReadRemoteHead;
  onDamage: (repo: string, parts: readonly string[]) => void;
}) => {
  const { git, layout, remote, limits, told, onDamage } = deps;
  const alone = createKeyedLocks();
  const tagged = new Set<string>();
  let roomy = -Infinity;
  let making: Promise<void> | null = null;

  const remove = async (mirror: StoredMirror, isUnused: () => Promise<boolean>): Promise<boolean> => {
    // Check first as well: a mirror in use may be locked for a whole fetch.
    if (!(await isUnused())) return false;
    return alone(mirror.git, async () => {
      if (!(await isUnused())) return false;
      await removeMirror(mirror);
      return true;
    });
  };
  const makeRoomNow = async (): Promise<void> => {
    await evictMirrors({ layout, limits, now: Date.now(), remove });
    roomy = performance.now();
  };

  /** A damaged copy is our problem, not the code host's: repair it once and retry. */
  const withRepair = async <T>(repo: RepoRef, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!mayBeDamage(error)) throw error;
      const parts = await removeDamagedParts(git, layout.mirror(repo).git, signal).catch(() => []);
      if (parts.length === 0) throw error;
      git.closeReaders();
      onDamage(repo.name, parts);
      return await work();
    }
  };

  const throwAbsent = async (
    repo: RepoRef,
    gitDir: string,
    branch: string,
    signal?: AbortSignal,
  ): Promise<never> => {
    const { url, network } = await remote(repo);
    const options = { gitDir, network, ...(signal ? { signal } : {}) };
    const end = await git(['ls-remote', '--heads', url], options);
    if (end.stdout === '')
      throw new OutsideFailure(
        'repository_empty',
        `${repo.name} has no commit yet, so there is nothing to change.`,
      );
    throw failureWithDetail(
      'base_missing',
      `${repo.name} has no branch named "${branch}". Name one that exists.`,
      failureDetail({ kind: 'branch_missing', repo: repo.name, branch }),
    );
  };

  const fetchBranch = async (repo: RepoRef, branch: string, signal?: AbortSignal): Promise<string> => {
    const { git: gitDir } = layout.mirror(repo);
    if (!isBranchName(branch))
      throw new OutsideFailure('base_missing', `"${branch}" cannot be the name of a branch.`);
    await makeGitDir(gitDir, null);
    const ref = `refs/branches/${hashBranch(branch)}`;
    const last = (await readFile(join(gitDir, ref), 'utf8').catch(() => '')).trim();
    if (OBJECT_ID.test(last) && (await matchesRemoteHead(told, repo, branch, last))) return last;
    const { url, network } = await remote(repo);
    await removeLocks(gitDir);
    await removeHalfMade(gitDir);
    const options = { gitDir, network, ...(signal ? { signal } : {}) };
    try {
      const flags = [
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--no-auto-gc',
        '--refmap=',
        '--update-shallow',
      ];
      await git(['fetch', ...flags, url, `+refs/heads/${branch}:${ref}`], options);
    } catch (error) {
      const words = error instanceof OutsideFailure ? error.message : '';
      if (/couldn't find remote ref|no such ref/i.test(words))
        return throwAbsent(repo, gitDir, branch, signal);
      throw error;
    }
    await repackMirror(git, gitDir);
    return (await readFile(join(gitDir, ref), 'utf8')).trim();
  };

  /** Tags are fetched only for checks whose CI has them. */
  const fetchHistory = async (
    { repo, ref, base }: ExportHistory,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> => {
    const { git: gitDir } = layout.mirror(repo);
    const sha = requireSha(base);
    const options = { gitDir, ...(signal ? { signal } : {}) };
    if (!tagged.has(`${gitDir} ${sha}`)) {
      const { url, network } = await remote(repo);
      const flags = ['--quiet', '--no-write-fetch-head', '--no-auto-gc', '--refmap=', '--update-shallow'];
      await git(['fetch', ...flags, url, '+refs/tags/*:refs/tags/*'], { ...options, network });
      tagged.add(`${gitDir} ${sha}`);
    }
    const format = '--format=%(objectname) %(refname)';
    const { stdout } = await git(['for-each-ref', format, `--merged=${sha}`, 'refs/tags'], options);
    const lines = stdout.split('\n').filter((line) => line !== '');
    const refs = lines.slice(-MAX_TAGS).map((line): [string, string] => {
      const [oid = '', ...name] = line.split(' ');
      return [name.join(' '), oid];
    });
    return new Map([...refs, [`refs/remotes/origin/${ref}`, sha]]);
  };

  const fillDirectory = async (
    repo: RepoRef,
    sha: string,
    branch: string,
    dir: string,
    signal?: AbortSignal,
  ): Promise<void> => {
    const { git: gitDir, seeds } = layout.mirror(repo);
    const name = `${sha}-${hashBranch(branch)}`;
    const seed = await unpackSeed(seeds, name, dir, signal);
    if (seed === 'unpacked') return;
    if (seed === 'damaged') onDamage(repo.name, [`${name}.tar`]);
    const making = join(seeds, 'making');
    await removeTree(making);
    await mkdir(making, { recursive: true });
    const index = join(making, 'index');
    await fillWorkspace(git, { gitDir, index, sha, branch, dir, ...(signal ? { signal } : {}) });
    git.closeReaders(gitDir);
    await packSeed({ seeds, name, making, dir }, signal);
  };

  return {
    /** Runs at most once a minute. Throws `disk_full` if there is no room. */
    makeRoom: async (): Promise<void> => {
      if (performance.now() - roomy < ROOM_EVERY_MS) return;
      making ??= makeRoomNow().finally(() => (making = null));
      await making;
    },
    history: (of: ExportHistory, signal?: AbortSignal) =>
      alone(layout.mirror(of.repo).git, () => withRepair(of.repo, () => fetchHistory(of, signal), signal)),
    fetch: (repo: RepoRef, branch: string, signal?: AbortSignal) =>
      alone(layout.mirror(repo).git, () => withRepair(repo, () => fetchBranch(repo, branch, signal), signal)),
    /** Makes the branch visible in `dir`, even after the repository was renamed. */
    fetchInto: (dir: string, repo: RepoRef, branch: string) =>
      alone(layout.mirror(repo).git, async () => {
        const sha = await withRepair(repo, () => fetchBranch(repo, branch));
        // A running git reads its alternates only at start.
        // guard: F12-objects-of-today
        if (await addAlternate(dir, layout.mirror(repo).git)) git.closeReaders(dir);
        return sha;
      }),
    fill: (repo: RepoRef, branch: string, dir: string, signal?: AbortSignal) =>
      alone(layout.mirror(repo).git, () => {
        const fetchAndFill = async (): Promise<string> => {
          const sha = await fetchBranch(repo, branch, signal);
          await emptyFolder(dir, '');
          await fillDirectory(repo, sha, branch, dir, signal);
          return sha;
        };
        return withRepair(repo, fetchAndFill, signal);
      }),
  };
};
