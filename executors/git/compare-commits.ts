/** Compares and lists the commits between two points of a history. */
import { OutsideFailure } from '#ports/forge';
import { trimOutput, type TrustedGit } from './trusted-git.ts';
import { decodePreservingBytes } from './byte-preserving-text.ts';
import { readCommit, rememberTree } from './read-objects.ts';

export type LoggedCommit = { id: string; parents: string[]; tree: string; author: string; message: string };

const COMMIT_RECORD = /^([0-9a-f]+)\n([0-9a-f ]*)\n([0-9a-f]+)\n([^\n]*)\n([^]*)$/;

const MAX_LINE = 20;

const lineTo = async (
  git: TrustedGit,
  gitDir: string,
  { from, head, most = MAX_LINE }: { from: string; head: string; most?: number | undefined },
): Promise<LoggedCommit[] | null> => {
  const line: LoggedCommit[] = [];
  for (let id = head; id !== from;) {
    const { tree, parents, author, message, isRecoded } = await readCommit(git, gitDir, id);
    const [parent] = parents;
    if (parent === undefined || parents.length > 1 || isRecoded || line.length >= MAX_LINE) return null;
    line.push({ id, parents, tree, author, message: decodePreservingBytes(Buffer.from(message, 'latin1')) });
    id = parent;
  }
  return line.slice(0, most).reverse();
};

/** Oldest first. Only the newest `most` are returned. */
export const readCommitsSince = async (
  git: TrustedGit,
  gitDir: string,
  { from, head, most }: { from: string; head: string; most?: number },
): Promise<LoggedCommit[]> => {
  // git itself knows where a shallow history is cut off.
  const line = await lineTo(git, gitDir, { from, head, most }).catch(() => null);
  if (line !== null) return line;
  const format = ['--no-show-signature', '--no-color', '--encoding=UTF-8', '-z'];
  const shown = '--format=%H%n%P%n%T%n%an <%ae>%n%B';
  const bound = most === undefined ? [] : [`--max-count=${most}`];
  const end = await git(['log', '--reverse', ...format, ...bound, shown, `${from}..${head}`], { gitDir });
  const records = end.stdoutBytes.toString('latin1').split('\0').slice(0, -1);
  return records.map((record) => {
    const [, id = '', parents = '', tree = '', author = '', message = ''] = COMMIT_RECORD.exec(record) ?? [];
    if (id === '') throw new Error('The list of commits from git cannot be read.');
    rememberTree(gitDir, id, tree);
    return {
      id,
      parents: parents.split(' '),
      tree,
      author: Buffer.from(author, 'latin1').toString('utf8'),
      message: decodePreservingBytes(Buffer.from(message, 'latin1')),
    };
  });
};

export const readMergeBase = async (
  git: TrustedGit,
  gitDir: string,
  { ref, today, head }: { ref: string; today: string; head: string },
): Promise<string> => {
  const common = await git(['merge-base', today, head], { gitDir, answers: [1] });
  if (common.exitCode === 0) return trimOutput(common);
  throw new OutsideFailure('forge_refused', `The change and the branch "${ref}" have no commit in common.`);
};
