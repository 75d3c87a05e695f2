/** Fills an empty directory with a commit's files and a separate git directory. */
import { copyFile, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeShallow } from './git-directory.ts';
import type { TrustedGit } from './trusted-git.ts';

export const checkOut = async (
  git: TrustedGit,
  from: { gitDir: string; index: string; sha: string; dir: string; signal?: AbortSignal },
): Promise<void> => {
  const common = {
    gitDir: from.gitDir,
    index: from.index,
    workTree: from.dir,
    ...(from.signal ? { signal: from.signal } : {}),
  };
  await git(['read-tree', '--reset', '-u', from.sha], common);
};

type OwnGit = {
  gitDir: string;
  index: string;
  sha: string;
  base?: string;
  /** Null leaves HEAD detached, as CI does. */
  branch: string | null;
  dir: string;
  /** References of the whole history; without them the history is cut off at `sha`. */
  history?: ReadonlyMap<string, string>;
  signal?: AbortSignal;
};

const packedRefs = (refs: ReadonlyMap<string, string>): string =>
  [...refs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, oid]) => `${oid} ${name}\n`)
    .join('');

/** Copies objects instead of linking them, so that an agent cannot damage ours. */
export const giveOwnGit = async (git: TrustedGit, from: OwnGit): Promise<void> => {
  const own = join(from.dir, '.git');
  const known = [...new Set([from.sha, from.base ?? from.sha])];
  const { history } = from;
  const cut = history ? [] : known.map((sha) => `--shallow ${sha}\n`);
  const wanted = [...new Set([...known, ...(history?.values() ?? [])])];
  for (const part of ['objects/pack', 'refs/heads', 'refs/tags', 'info'])
    await mkdir(join(own, part), { recursive: true });
  await git(
    [
      'pack-objects',
      '--revs',
      '--quiet',
      '--window=0',
      '--compression=1',
      join(own, 'objects', 'pack', 'pack'),
    ],
    {
      gitDir: from.gitDir,
      stdin: [...cut, ...wanted.map((sha) => `${sha}\n`)].join(''),
      ...(from.signal ? { signal: from.signal } : {}),
    },
  );
  if (history) await takeShallow(from.gitDir, own);
  else await writeFile(join(own, 'shallow'), known.map((sha) => `${sha}\n`).join(''));
  const { sha, branch } = from;
  const refs = new Map([
    ...(history ?? []),
    ...(branch === null ? [] : ([[`refs/heads/${branch}`, sha]] as const)),
  ]);
  await writeFile(join(own, 'packed-refs'), packedRefs(refs));
  await writeFile(join(own, 'HEAD'), branch === null ? `${sha}\n` : `ref: refs/heads/${branch}\n`);
  await writeFile(
    join(own, 'config'),
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\ttrustctime = false\n\tcheckStat = minimal\n' +
      '[user]\n\tname = AgentPR\n\temail = agentpr@localhost\n',
  );
  await copyFile(from.index, join(own, 'index'));
  // Set a later time than every file's, or the first `git status` hashes them all again.
  const later = new Date(Date.now() + 2000);
  await utimes(join(own, 'index'), later, later);
};

export const fillWorkspace = async (git: TrustedGit, from: OwnGit & { branch: string }): Promise<void> => {
  await mkdir(from.dir, { recursive: true });
  await checkOut(git, from);
  await giveOwnGit(git, from);
};
