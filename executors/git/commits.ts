/** How two commits stand to each other. */
import { OutsideFailure } from '../../orchestrator/ports.ts';
import { line, type Git } from './git.ts';
import { lossless } from './lossless.ts';
import { rememberTree } from './objects.ts';

/** The message is byte for byte. */
export type LoggedCommit = { id: string; parents: string[]; tree: string; author: string; message: string };

const LINES = /^([0-9a-f]+)\n([0-9a-f ]*)\n([0-9a-f]+)\n([^\n]*)\n([^]*)$/;

/** What one has and the other has not, in one question. Oldest first; of more than `most`, the newest ones. */
export const commitsSince = async (
  git: Git,
  gitDir: string,
  { from, head, most }: { from: string; head: string; most?: number },
): Promise<LoggedCommit[]> => {
  const format = ['--no-show-signature', '--no-color', '--encoding=UTF-8', '-z'];
  const shown = '--format=%H%n%P%n%T%n%an <%ae>%n%B';
  const bound = most === undefined ? [] : [`--max-count=${most}`];
  const end = await git(['log', '--reverse', ...format, ...bound, shown, `${from}..${head}`], { gitDir });
  const records = end.stdoutBytes.toString('latin1').split('\0').slice(0, -1);
  return records.map((record) => {
    const [, id = '', parents = '', tree = '', author = '', message = ''] = LINES.exec(record) ?? [];
    if (id === '') throw new Error('The list of commits from git cannot be read.');
    rememberTree(gitDir, id, tree);
    return {
      id,
      parents: parents.split(' '),
      tree,
      author: Buffer.from(author, 'latin1').toString('utf8'),
      message: lossless(Buffer.from(message, 'latin1')),
    };
  });
};

/** The newest commit that a head and the branch that it is meant for have in common. */
export const baseOf = async (
  git: Git,
  gitDir: string,
  { ref, today, head }: { ref: string; today: string; head: string },
): Promise<string> => {
  const common = await git(['merge-base', today, head], { gitDir, answers: [1] });
  if (common.exitCode === 0) return line(common);
  throw new OutsideFailure('forge_refused', `The change and the branch "${ref}" have no commit in common.`);
};
