/** Where everything lies below the data directory; names that could lead elsewhere are refused. */
import { spawnProcess } from './spawn.ts';
import { chmodSync, mkdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OutsideFailure, type RepoRef } from '../../orchestrator/ports.ts';
import { RAW_ATTRIBUTES } from '../git/git.ts';

const PART = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
const RUN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export type RunPlaces = {
  root: string;
  workspace: string;
  home: string;
  /** The trusted git directory: never mounted for an agent, never inside the workspace. */
  git: string;
  /** Trusted scratch space: index files, staged bytes. */
  scratch: string;
  /** Written last: the workspace is whole. */
  ready: string;
};
export type MirrorPlaces = { git: string; seeds: string };

export type Layout = {
  run(runId: string): RunPlaces;
  mirror(repo: Pick<RepoRef, 'owner' | 'name'>): MirrorPlaces;
  runs: string;
  mirrors: string;
  askpass: string;
};

export const createLayout = (dataDir: string): Layout => {
  const top = resolve(dataDir);
  return {
    runs: join(top, 'runs'),
    mirrors: join(top, 'mirrors'),
    askpass: join(top, 'askpass'),
    run: (runId) => {
      if (!RUN.test(runId)) throw new Error(`"${runId}" is not the name of a run.`);
      const root = join(top, 'runs', runId);
      return {
        root,
        workspace: join(root, 'ws'),
        home: join(root, 'home'),
        git: join(root, 'git'),
        scratch: join(root, 'scratch'),
        ready: join(root, 'ready.json'),
      };
    },
    mirror: ({ owner, name }) => {
      if (!PART.test(owner) || !PART.test(name))
        throw new OutsideFailure('forge_refused', `"${owner}/${name}" is not the name of a repository.`);
      const path = join(top, 'mirrors', owner, name);
      return { git: `${path}.git`, seeds: `${path}.seeds` };
    },
  };
};

/** The data directory may be open to others; repositories and what agents make of them are not. Throws a sentence. */
export const keepPrivate = ({ runs, mirrors }: Layout): void => {
  for (const dir of [runs, mirrors])
    try {
      mkdirSync(dir, { recursive: true });
      // guard: E1-private-runs
      chmodSync(dir, 0o700);
    } catch (error) {
      const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new Error(
        `${dir} cannot be used (${why}). It must be a folder of this user; move away what is there.`,
        { cause: error },
      );
    }
};

/** A bare git directory by hand: a few files instead of a process, and a second time changes nothing. */
export const makeGitDir = async (dir: string, alternate: string | null): Promise<void> => {
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    await mkdir(join(dir, part), { recursive: true });
  await writeFile(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n');
  await writeFile(join(dir, 'info', 'attributes'), RAW_ATTRIBUTES);
  if (alternate !== null)
    await writeFile(join(dir, 'objects', 'info', 'alternates'), `${join(alternate, 'objects')}\n`);
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
};

/** Where a history was cut off is not borrowed with the objects. */
export const takeShallow = async (from: string, to: string): Promise<void> => {
  const cut = await readFile(join(from, 'shallow')).catch(() => null);
  if (cut !== null) await writeFile(join(to, 'shallow'), cut);
};

/** Lock files that a killed git left behind; only for a caller that holds the directory alone. */
export const removeLocks = async (dir: string): Promise<void> => {
  const entries = await readdir(dir, { withFileTypes: true });
  const refs = await readdir(join(dir, 'refs'), { withFileTypes: true, recursive: true });
  const stale = [...entries, ...refs].filter((e) => e.isFile() && e.name.endsWith('.lock'));
  for (const e of stale) await rm(join(e.parentPath, e.name), { force: true });
};

const TOOLS = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 600_000, maxOutputBytes: 1 << 20 };

/** Links stay links, whatever they lead to; file systems that can share the content until it is written to do so. */
export const copyTree = async (from: string, to: string): Promise<void> => {
  const end = await spawnProcess({ ...TOOLS, argv: ['cp', '-a', '--', from, to] });
  if (end.exitCode === 0) return;
  if (/no space left|quota exceeded/i.test(end.stderr))
    throw new OutsideFailure('disk_full', 'The disk is full. Free some space, then retry.');
  const why = end.stderr.replaceAll(dirname(to), '').split('\n')[0]?.slice(0, 200);
  throw new OutsideFailure('env_missing', `What the installation made cannot be copied: ${why}`);
};

/**
 * What lies in this directory has nothing to do with each other: ext4 then puts each entry where there is room, instead of
 * beside what was removed a moment ago, whose places it takes long to step over when it keeps no journal. Elsewhere it
 * means nothing, and where it cannot be said nothing is lost.
 */
export const spreadOut = async (dir: string): Promise<void> => {
  await mkdir(dir, { recursive: true });
  await spawnProcess({ ...TOOLS, argv: ['chattr', '+T', '--', dir] });
};

/** Removes a tree however deep it is and whatever its modes are: agents and package managers leave read-only directories. */
export const removeTree = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await spawnProcess({ ...TOOLS, argv: ['chmod', '-R', '-f', 'u+rwx', '--', path] });
    const end = await spawnProcess({ ...TOOLS, argv: ['rm', '-rf', '--', path] });
    if (end.exitCode !== 0) throw new Error(`Could not remove ${path}: ${end.stderr.slice(0, 300)}`);
  }
};

/** One holder at a time for each key; enough, because one process owns a data directory. */
export const createLocks = () => {
  const tails = new Map<string, Promise<unknown>>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (tails.get(key) === mine) tails.delete(key);
    }
  };
};
