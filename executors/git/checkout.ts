/** Fills an empty directory with a commit's files and a separate git directory. */
import { copyFile, mkdir, statfs, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failureDetail } from '#model/failure';
import { MB } from '#model/values';
import { failureWithDetail } from '#ports/forge';
import { copyShallowFile } from './git-directory.ts';
import { listTree } from './read-objects.ts';
import type { TrustedGit } from './trusted-git.ts';

const freeBytes = async (place: string): Promise<number> => {
  const { bavail, bsize } = await statfs(place);
  return bavail * bsize;
};

/** A few objects of a repository can name files without end, which git would write one by one. */
const assertFits = async (
  git: TrustedGit,
  { gitDir, sha, dir }: { gitDir: string; sha: string; dir: string },
): Promise<void> => {
  const tree = await listTree(git, gitDir, sha);
  const bytes = [...tree.values()].reduce((sum, { size }) => sum + (size ?? 0), 0);
  const room = (await freeBytes(dir)) / 2;
  if (bytes <= room) return;
  const [used, limit] = [Math.ceil(bytes / MB), Math.floor(room / MB)];
  throw failureWithDetail(
    'disk_full',
    `The files of the repository take ${used} MB, and a workspace may take ${limit} MB, half of what is free.`,
    failureDetail({ kind: 'checkout_exceeds_disk', used, limit }),
  );
};

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
  // guard: E1-checkout-fits
  await assertFits(git, from);
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

const formatPackedRefs = (refs: ReadonlyMap<string, string>): string =>
  [...refs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, oid]) => `${oid} ${name}\n`)
    .join('');

/** Copies objects instead of linking them, so that an agent cannot damage ours. */
export const writeWorkspaceGitDir = async (git: TrustedGit, from: OwnGit): Promise<void> => {
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
  if (history) await copyShallowFile(from.gitDir, own);
  else await writeFile(join(own, 'shallow'), known.map((sha) => `${sha}\n`).join(''));
  const { sha, branch } = from;
  const refs = new Map([
    ...(history ?? []),
    ...(branch === null ? [] : ([[`refs/heads/${branch}`, sha]] as const)),
  ]);
  await writeFile(join(own, 'packed-refs'), formatPackedRefs(refs));
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
  await writeWorkspaceGitDir(git, from);
};
