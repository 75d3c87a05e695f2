/** Takes a merged pull request back, by the three-way merge of `git revert`, from objects alone (F5). */
import type { Commit } from '#model/change';
import type { MergedPull } from '#model/order';
import type { RevertResult, WorkspacePort } from '#ports/workspaces';
import type { ExposedSecrets } from '#sandbox';
import type { NewCommit } from '../tree-and-commit-format.ts';
import { writeCommit } from '../object-writer.ts';
import { readCommit } from '../read-objects.ts';
import type { TrustedGit } from '../trusted-git.ts';
import { readDiffFacts } from './read-diff-facts.ts';
import { readMergeTree } from './merge-base-into-change.ts';

type Deps = {
  git: TrustedGit;
  lent: ExposedSecrets | null;
  gitDirOf: (runId: string) => string;
  commitTree: (gitDir: string, tree: string, input: Omit<NewCommit, 'tree'>) => Promise<string>;
};

const firstLine = (message: string): string =>
  (message.trimStart().split('\n', 1)[0] ?? '').trim().slice(0, MAX_SUBJECT_LENGTH);
const MAX_SUBJECT_LENGTH = 500;

const stateBefore = async (
  git: TrustedGit,
  gitDir: string,
  { commit, subjects }: MergedPull,
): Promise<string | null> => {
  const wanted = subjects.map(firstLine);
  const found: string[] = [];
  const { parents } = await readCommit(git, gitDir, commit);
  for (let id: string | undefined = commit; id !== undefined && found.length < wanted.length;) {
    const one = await readCommit(git, gitDir, id);
    const subject = firstLine(one.message);
    if (one.parents.length !== 1 || !wanted.includes(subject)) break;
    found.unshift(subject);
    [id] = one.parents;
    if (found.length > 1 && found.length === wanted.length && found.every((text, i) => text === wanted[i]))
      return id ?? null;
  }
  // guard: F5-revert-whole
  if (found.length > 1) return null;
  return parents[0] ?? null;
};

export const createRevert = ({ git, lent, gitDirOf, commitTree }: Deps) => {
  const isIn = async (gitDir: string, commit: string, base: string): Promise<boolean> =>
    (await git(['merge-base', '--is-ancestor', commit, base], { gitDir, answers: [1, 128] })).exitCode === 0;

  return async (
    { runId, base, merged, ...authored }: Parameters<WorkspacePort['revert']>[0],
    scratch: string,
  ): Promise<RevertResult> => {
    const gitDir = gitDirOf(runId);
    // guard: F5-revert-of-base
    if (!(await isIn(gitDir, merged.commit, base))) return { kind: 'unreachable' };
    const before = await stateBefore(git, gitDir, merged);
    if (before === null) return { kind: 'unclear' };
    const treeOf = async (id: string): Promise<string> => (await readCommit(git, gitDir, id)).tree;
    const today = await treeOf(base);
    // Their common parent makes it the merge base, which older versions of git cannot be told.
    const writeStandIn = (tree: string, parents: string[]): Promise<string> =>
      writeCommit(gitDir, { ...authored, message: 'Revert', tree, parents });
    const common = await writeStandIn(await treeOf(merged.commit), []);
    const [ours, theirs] = [
      await writeStandIn(today, [common]),
      await writeStandIn(await treeOf(before), [common]),
    ];
    const end = await git(['merge-tree', '--write-tree', '--name-only', '-z', '--messages', ours, theirs], {
      gitDir,
      answers: [1],
    });
    const { tree, paths, says } = readMergeTree(end.stdoutBytes);
    if (end.exitCode !== 0) {
      const laid = await writeStandIn(tree, [base]);
      return { kind: 'conflicts', laid, ours, theirs, paths, says };
    }
    if (tree === today) return { kind: 'empty' };
    const sha = await commitTree(gitDir, tree, { ...authored, parents: [base] });
    const diff = await readDiffFacts(git, { gitDir, scratch, base, head: sha }, base, lent);
    const commit: Commit = { sha, tree, base, message: authored.message, diff };
    return { kind: 'reverted', commit };
  };
};
