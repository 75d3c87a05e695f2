/** Lists commits for push events. */
import { git } from './git.ts';

export type PushedCommit = {
  sha: string;
  tree: string;
  parents: string[];
  message: string;
  /** ISO 8601 with time zone. */
  at: string;
  author: { name: string; email: string };
  committer: { name: string; email: string };
  added: string[];
  removed: string[];
  modified: string[];
};

const FORMAT = '%x01%H%x02%P%x02%T%x02%an%x02%ae%x02%cn%x02%ce%x02%cI%x02%B%x03';

/** Oldest first; the whole history if `from` is null. */
export const commitsBetween = (
  dir: string,
  from: string | null,
  to: string,
  most: number,
): Promise<PushedCommit[]> => log(dir, ['--reverse', `--max-count=${most}`, from ? `${from}..${to}` : to]);

export const commitAt = async (dir: string, sha: string): Promise<PushedCommit | null> =>
  (await log(dir, ['--max-count=1', sha]))[0] ?? null;

export async function wasForced(dir: string, from: string, to: string): Promise<boolean> {
  return (await git(dir, ['rev-list', '--max-count=1', from, `^${to}`])) !== '';
}

async function log(dir: string, args: string[]): Promise<PushedCommit[]> {
  const quiet = ['-c', 'core.quotePath=false', 'log', '--no-renames', '--name-status'];
  const text = await git(dir, [...quiet, `--format=${FORMAT}`, ...args]);
  return text.split('\x01').slice(1).map(readCommit);
}

function readCommit(text: string): PushedCommit {
  const [head = '', names = ''] = text.split('\x03');
  const [
    sha = '',
    parents = '',
    tree = '',
    name = '',
    email = '',
    hand = '',
    handEmail = '',
    at = '',
    message = '',
  ] = head.split('\x02');
  const files = names.split('\n').map((line) => line.split('\t'));
  const paths = (...kinds: string[]): string[] =>
    files.filter(([kind = '']) => kinds.includes(kind)).map(([, path = '']) => path);
  return {
    sha,
    tree,
    parents: parents.split(' ').filter(Boolean),
    at,
    message: message.trimEnd(),
    author: { name, email },
    committer: { name: hand, email: handEmail },
    added: paths('A'),
    removed: paths('D'),
    modified: paths('M', 'T'),
  };
}
