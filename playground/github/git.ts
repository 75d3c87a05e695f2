/** Git plumbing on bare repositories without a checkout. */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';

/** The PATH is inherited, but nothing that changes git's behaviour. */
export const gitEnvironment: Record<string, string | undefined> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_CONFIG_COUNT: undefined,
  GIT_CONFIG_PARAMETERS: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
};

export type Author = { name: string; email: string };
export type NewCommit = {
  message: string;
  author: Author;
  /** Epoch seconds. */
  at: number;
  /** Content by path; null removes the file. */
  files: Record<string, string | null>;
};
export type Origin = string | Record<string, string>;

const imported = { author: { name: 'Sam Maintainer', email: 'sam@example.com' }, at: 1_767_225_600 };

type GitOptions = { input?: string; env?: Record<string, string>; whole?: boolean };

export async function git(dir: string, args: string[], asked: GitOptions = {}): Promise<string> {
  const { input, env, whole = false } = asked;
  const how = { stdin: 'pipe' as const, stripFinalNewline: !whole };
  const options = { cwd: dir, env: { ...gitEnvironment, ...env }, ...how };
  const { stdout } = await execa('git', args, input === undefined ? options : { ...options, input });
  return stdout;
}

const maybe = async (dir: string, args: string[]): Promise<string | null> => {
  const { exitCode, stdout } = await execa('git', args, { cwd: dir, env: gitEnvironment, reject: false });
  return exitCode === 0 ? stdout : null;
};

const settings = `[http]\n\treceivepack = true
[uploadpack]\n\tallowAnySHA1InWant = true\n\tallowFilter = true
[gc]\n\tauto = 0\n`;

/** Returns the default branch: the requested one, the origin's, or `main`. */
export async function createBare(dir: string, wish: string | undefined, from?: Origin): Promise<string> {
  const copied =
    typeof from === 'string' && (existsSync(join(from, '.git')) || existsSync(join(from, 'HEAD')));
  const own = copied ? await maybe(from, ['-c', 'safe.directory=*', 'symbolic-ref', 'HEAD']) : null;
  // `--short` prints `heads/main` if a tag has the same name.
  const branch = wish ?? own?.replace(/^refs\/heads\//, '') ?? 'main';
  await mkdir(dir, { recursive: true });
  await git(dir, ['init', '--quiet', '--bare', '-b', branch, '.']);
  await appendFile(join(dir, 'config'), settings);
  if (copied) await copyRefs(resolve(from), dir);
  else if (typeof from === 'string') await importDirectory(dir, branch, resolve(from));
  else if (from) await commitFiles(dir, branch, { ...imported, message: 'Initial commit', files: from });
  return branch;
}

/** A URL avoids hard links to the origin's objects. */
export async function copyRefs(
  from: string,
  to: string,
  refs = ['refs/heads/*', 'refs/tags/*'],
): Promise<void> {
  const specs = refs.map((ref) => (ref.includes(':') ? ref : `+${ref}:${ref}`));
  const options = ['--quiet', '--no-write-fetch-head', '--update-shallow'];
  const trust = '--upload-pack=git -c safe.directory=* upload-pack';
  await git(to, ['fetch', ...options, trust, pathToFileURL(from).href, ...specs]);
}

async function importDirectory(dir: string, branch: string, from: string): Promise<void> {
  await withIndex(dir, async (env) => {
    await git(from, ['--git-dir', dir, '--work-tree', from, 'add', '--all', '--force', '.'], { env });
    await commitIndex(dir, branch, { ...imported, message: 'Initial commit' }, env);
  });
}

export function commitFiles(dir: string, branch: string, commit: NewCommit, from = branch): Promise<string> {
  return withIndex(dir, async (env) => {
    const own = await findCommit(dir, `refs/heads/${branch}`);
    const head = own ?? (await findCommit(dir, `refs/heads/${from}`));
    if (!own && head) await git(dir, ['update-ref', `refs/heads/${branch}`, head]);
    if (head) await git(dir, ['read-tree', head], { env });
    const lines: string[] = [];
    for (const [path, content] of Object.entries(commit.files)) {
      const blob =
        content === null ? null : await git(dir, ['hash-object', '-w', '--stdin'], { input: content });
      lines.push(blob ? `100644 ${blob}\t${path}` : `0 ${'0'.repeat(40)}\t${path}`);
    }
    await git(dir, ['update-index', '--index-info'], { env, input: `${lines.join('\n')}\n` });
    return commitIndex(dir, branch, commit, env);
  });
}

async function withIndex<T>(dir: string, work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const file = join(dir, `index-${process.hrtime.bigint()}`);
  try {
    return await work({ GIT_INDEX_FILE: file });
  } finally {
    await rm(file, { force: true });
  }
}

async function commitIndex(
  dir: string,
  branch: string,
  commit: Omit<NewCommit, 'files'>,
  env: Record<string, string>,
): Promise<string> {
  const head = await findCommit(dir, `refs/heads/${branch}`);
  const tree = await git(dir, ['write-tree'], { env });
  const sha = await commitTree(dir, tree, head ? [head] : [], commit);
  await git(dir, ['update-ref', `refs/heads/${branch}`, sha, head ?? '']);
  return sha;
}

function commitTree(
  dir: string,
  tree: string,
  parents: string[],
  commit: Omit<NewCommit, 'files'>,
): Promise<string> {
  const date = `${commit.at} +0000`;
  const env = {
    GIT_AUTHOR_NAME: commit.author.name,
    GIT_AUTHOR_EMAIL: commit.author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: commit.author.name,
    GIT_COMMITTER_EMAIL: commit.author.email,
    GIT_COMMITTER_DATE: date,
  };
  const from = parents.flatMap((parent) => ['-p', parent]);
  return git(dir, ['commit-tree', tree, ...from, '-F', '-'], { env, input: commit.message });
}

const COMMIT_ID = /^[0-9a-f]{40}$/;
/** Commit ids never become invalid, and clients request the same ones often. */
const commitsSeen = new Map<string, string>();
const MAX_COMMITS_SEEN = 10_000;

export const findCommit = async (dir: string, name: string): Promise<string | null> => {
  const branch = /^refs\/heads\/[\w.+@/-]+$/.test(name) && !name.includes('..');
  const read = branch ? await readRef(dir, name) : undefined;
  if (read !== undefined) return read;
  const seen = commitsSeen.get(`${dir} ${name}`);
  if (seen !== undefined) return seen;
  const found = await maybe(dir, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  if (found !== null && COMMIT_ID.test(name) && commitsSeen.size < MAX_COMMITS_SEEN)
    commitsSeen.set(`${dir} ${name}`, found);
  return found;
};

/** Reads a ref without a process; undefined if only git can tell. */
const readRef = async (dir: string, name: string): Promise<string | null | undefined> => {
  const loose = await textIn(join(dir, name));
  if (loose !== null) return COMMIT_ID.test(loose.trim()) ? loose.trim() : undefined;
  if (existsSync(join(dir, 'reftable'))) return undefined;
  const packed = (await textIn(join(dir, 'packed-refs'))) ?? '';
  return (
    packed
      .split('\n')
      .find((line) => line.endsWith(` ${name}`))
      ?.slice(0, 40) ?? null
  );
};

const textIn = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

export async function branchHeads(dir: string): Promise<Map<string, string>> {
  const list = await git(dir, ['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads']);
  const pairs = list.split('\n').filter(Boolean);
  return new Map(pairs.map((line) => line.split(' ') as [string, string]));
}

export async function allRefs(dir: string): Promise<Map<string, string>> {
  const format = '--format=%(refname) %(objectname)';
  const list = await git(dir, ['for-each-ref', format, 'refs/heads', 'refs/tags']);
  const pairs = list.split('\n').filter(Boolean);
  return new Map(pairs.map((line) => line.split(' ') as [string, string]));
}

export const commitsAhead = async (dir: string, base: string, head: string): Promise<number> =>
  Number(await git(dir, ['rev-list', '--count', `${base}..${head}`]));

/** Returns null if the merge conflicts. */
export const mergedTree = async (dir: string, base: string, head: string): Promise<string | null> =>
  (await maybe(dir, ['merge-tree', '--write-tree', base, head]))?.split('\n')[0] ?? null;

export async function mergeInto(
  dir: string,
  branch: string,
  head: string,
  commit: Omit<NewCommit, 'files'> & { squash: boolean },
): Promise<string | null> {
  const base = await findCommit(dir, `refs/heads/${branch}`);
  const other = await findCommit(dir, head);
  const tree = base && other && (await mergedTree(dir, base, other));
  if (!base || !other || !tree) return null;
  const sha = await commitTree(dir, tree, commit.squash ? [base] : [base, other], commit);
  await git(dir, ['update-ref', `refs/heads/${branch}`, sha, base]);
  return sha;
}

export async function diffSize(dir: string, base: string, head: string) {
  const size = (range: string): string[] => ['diff', '--numstat', '--no-renames', range];
  const list = (await maybe(dir, size(`${base}...${head}`))) ?? (await git(dir, size(`${base}..${head}`)));
  const files = list.split('\n').filter(Boolean);
  const count = (column: number): number =>
    files.reduce((sum, line) => sum + (Number(line.split('\t')[column]) || 0), 0);
  return { changed_files: files.length, additions: count(0), deletions: count(1) };
}

export async function moveRef(dir: string, from: string, to: string, isHead: boolean): Promise<void> {
  const sha = await findCommit(dir, from);
  if (!sha) throw new Error(`there is no ${from}`);
  await git(dir, ['update-ref', to, sha]);
  if (isHead) await git(dir, ['symbolic-ref', 'HEAD', to]);
  await git(dir, ['update-ref', '-d', from]);
}
