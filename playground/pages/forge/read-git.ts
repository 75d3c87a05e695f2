/** Reads a bare repository with limits of bytes and time, since anything may have been pushed. */
import { execa } from 'execa';
import { gitEnvironment } from '../../github/git.ts';

export type Commit = {
  sha: string;
  parents: string[];
  author: string;
  /** Epoch ms of the commit, not of its author's first version. */
  at: number;
  title: string;
  message: string;
};

const TIMEOUT_MS = 10_000;
const FIELDS = ['%H', '%P', '%an', '%ct', '%s', '%b'];

/** Returns null if git fails; `whole` is false if the output was cut. */
export async function readGit(
  dir: string,
  args: readonly string[],
  most = 6_000_000,
): Promise<{ text: string; whole: boolean } | null> {
  const options = { cwd: dir, env: gitEnvironment, reject: false, stripFinalNewline: false } as const;
  const limits = { maxBuffer: most, timeout: TIMEOUT_MS };
  const { stdout, exitCode, isMaxBuffer } = await execa('git', ['-c', 'core.quotePath=false', ...args], {
    ...options,
    ...limits,
  });
  if (isMaxBuffer) return { text: stdout, whole: false };
  return exitCode === 0 ? { text: stdout, whole: true } : null;
}

/** Newest first. `range` is a commit, or `from..to`. */
export async function commitsOf(dir: string, range: string, most = 100): Promise<Commit[]> {
  const format = `--format=${FIELDS.join('%x00')}`;
  const log = await readGit(dir, ['log', '-z', `-${most}`, format, '--end-of-options', range, '--']);
  const words = (log?.text ?? '').split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + FIELDS.length <= words.length; at += FIELDS.length) {
    const [sha = '', parents = '', author = '', seconds = '', title = '', message = ''] = words.slice(at);
    commits.push({
      sha,
      author,
      title,
      message: message.trim(),
      at: Number(seconds) * 1000,
      parents: parents.split(' ').filter(Boolean),
    });
  }
  return commits;
}

const PATCH = [
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short', '--find-renames'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '--unified=3'],
];

export const patchBetween = (dir: string, base: string, head: string) =>
  readGit(dir, ['diff', ...PATCH, `${base}...${head}`, '--']);

export const patchOf = (dir: string, sha: string) =>
  readGit(dir, ['show', ...PATCH, '--format=', '-m', '--first-parent', sha, '--']);
