/** Compares our commit with the current tip of its target branch. */
import type { WorkspacePort } from '#ports/workspaces';
import { readMergeBase, readCommitsSince } from '../compare-commits.ts';
import type { TrustedGit } from '../trusted-git.ts';
import type { createMirrors } from '../mirror.ts';
import { requireSha } from '../object-ids.ts';
import { readCommit } from '../read-objects.ts';
import { findSignerFingerprint } from '../signing-key.ts';
import { computeChangeDigest, cacheCommitMessages } from './change-patch.ts';

/** An unrelated branch would have very many commits. */
const MOST_OWN = 1_000;

type Parts = {
  git: TrustedGit;
  mirrors: Pick<ReturnType<typeof createMirrors>, 'fetchInto'>;
  gitDirOf: (runId: string) => string;
  isSigned: boolean;
};
type Compared = Awaited<ReturnType<WorkspacePort['compare']>>;

export const createBaseComparer = ({ git, mirrors, gitDirOf, isSigned }: Parts) => {
  const hasConflict = async (gitDir: string, ours: string, theirs: string): Promise<boolean> => {
    const merge = ['merge-tree', '--write-tree', '--no-messages', ours, theirs];
    return (await git(merge, { gitDir, answers: [1] })).exitCode === 1;
  };

  return async (input: Parameters<WorkspacePort['compare']>[0], scratch: string): Promise<Compared> => {
    const gitDir = gitDirOf(input.runId);
    const head = requireSha(input.head);
    const today = await mirrors.fetchInto(gitDir, input.repo, input.base);
    const own = await readCommitsSince(git, gitDir, { from: today, head, most: MOST_OWN });
    // The base has usually not moved.
    const onTop =
      today === head || (own.length < MOST_OWN && own.some(({ parents }) => parents.includes(today)));
    if (onTop) cacheCommitMessages({ gitDir, base: today, head }, own);
    const mergeBase = onTop ? today : await readMergeBase(git, gitDir, { ref: input.base, today, head });
    const conflicts = mergeBase !== today && (await hasConflict(gitDir, today, head));
    const { tree, author } = own.find(({ id }) => id === head) ?? (await readCommit(git, gitDir, head));
    const diff = await computeChangeDigest(git, { gitDir, scratch, base: mergeBase, head });
    const signer = isSigned ? await findSignerFingerprint(git, gitDir, head) : null;
    return { tip: today, mergeBase, tree, diff, conflicts, author, ...(signer ? { signer } : {}) };
  };
};
