/** Paths below the data directory; names that could lead elsewhere are refused. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RepoRef } from '#ports/workspaces';

const MAX_NAME_LENGTH = 150;
const RUN_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export type RunPlaces = {
  root: string;
  workspace: string;
  home: string;
  /** What a person sent with the order; agents may read it. */
  pictures: string;
  /** The trusted git directory: never mounted for an agent, never inside the workspace. */
  git: string;
  /** Trusted scratch space: index files, staged bytes. */
  scratch: string;
  /** Written last, so its presence proves a complete workspace. */
  ready: string;
};
export type MirrorPlaces = { git: string; seeds: string };

export type DataLayout = {
  run(runId: string): RunPlaces;
  mirror(repo: Pick<RepoRef, 'name'>): MirrorPlaces;
  /** Without its endings. */
  map(repo: Pick<RepoRef, 'name'>): string;
  runs: string;
  mirrors: string;
  installs: string;
  maps: string;
  askpass: string;
  certificates: string;
};

export const createDataLayout = (dataDir: string): DataLayout => {
  const top = resolve(dataDir);
  return {
    runs: join(top, 'runs'),
    mirrors: join(top, 'mirrors'),
    installs: join(top, 'installs'),
    maps: join(top, 'maps'),
    askpass: join(top, 'askpass'),
    certificates: join(top, 'git-certificates.pem'),
    run: (runId) => {
      if (!RUN_ID_PATTERN.test(runId)) throw new Error(`"${runId}" is not the name of a run.`);
      const root = join(top, 'runs', runId);
      return {
        root,
        workspace: join(root, 'ws'),
        home: join(root, 'home'),
        pictures: join(root, 'pictures'),
        git: join(root, 'git'),
        scratch: join(root, 'scratch'),
        ready: join(root, 'ready.json'),
      };
    },
    map: ({ name }) => join(top, 'maps', oneName(name)),
    mirror: ({ name }) => {
      const path = join(top, 'mirrors', oneName(name));
      return { git: `${path}.git`, seeds: `${path}.seeds` };
    },
  };
};

/** Slashes in a repository's name could lead elsewhere. */
const oneName = (text: string): string => {
  const plain = encodeURIComponent(text.toWellFormed());
  if (plain.length <= MAX_NAME_LENGTH) return plain;
  return `${plain.slice(0, MAX_NAME_LENGTH)}-${createHash('sha256').update(text).digest('hex')}`;
};

/** Closes these folders to other users. Throws if that is impossible. */
export const makeDataFoldersPrivate = ({ runs, mirrors, installs, maps }: DataLayout): void => {
  for (const dir of [runs, mirrors, installs, maps])
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
