/** Where everything lies below the data directory; names that could lead elsewhere are refused. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OutsideFailure, type RepoRef } from '../../orchestrator/ports.ts';

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
