/** Proves from git objects alone that a head is our commit with the base merged into it (G2). */
import type { MergedBase } from '#model/change';
import { readCommit } from '../read-objects.ts';
import { trimOutput, type TrustedGit } from '../trusted-git.ts';

/** *Update branch* may be pressed again before anybody looks. */
const MAX_MERGES = 5;

type Asked = {
  gitDir: string;
  /** Our last push, the head that is found there, and the base branch's own tip. */
  ours: string;
  head: string;
  tip: string;
  ref: string;
  branch: string;
};

/** Messages that GitHub and git write by themselves: other words could close an issue or name an author. */
const isOwnWordless = (message: string, { ref, branch }: Asked): boolean =>
  [`branch '${ref}'`, `remote-tracking branch 'origin/${ref}'`, `remote-tracking branch 'upstream/${ref}'`]
    .map((merged) => `Merge ${merged} into ${branch}`)
    .includes(Buffer.from(message, 'latin1').toString('utf8').trim());

/** Null for every head that holds anything but our commit and commits of the base branch. */
export const findBaseMerge = async (git: TrustedGit, asked: Asked): Promise<MergedBase | null> => {
  const { gitDir, ours, head, tip, ref } = asked;
  const hasAncestor = async (descendant: string, ancestor: string): Promise<boolean> =>
    (await git(['merge-base', '--is-ancestor', ancestor, descendant], { gitDir, answers: [1] })).exitCode ===
    0;
  /** Returns what was merged into the first parent, when nothing else was. */
  const findMergedBase = async (sha: string): Promise<{ first: string; base: string } | null> => {
    const { parents, tree, message, isRecoded } = await readCommit(git, gitDir, sha);
    const [first, base] = parents;
    // guard: G2-merge-of-two
    if (first === undefined || base === undefined || parents.length > 2) return null;
    // guard: G2-merge-without-words
    if (isRecoded || !isOwnWordless(message, asked)) return null;
    // guard: G2-merge-of-the-base
    if (!(await hasAncestor(tip, base)) || (await hasAncestor(first, base))) return null;
    const made = await git(['merge-tree', '--write-tree', first, base], { gitDir, answers: [1] });
    // guard: G2-merge-as-git-makes-it
    if (made.exitCode !== 0 || trimOutput(made) !== tree) return null;
    return { first, base };
  };
  let newest: string | null = null;
  let at = head;
  // guard: G2-merge-of-ours
  for (let merges = 0; at !== ours; merges += 1) {
    const merged = merges < MAX_MERGES ? await findMergedBase(at) : null;
    if (!merged) return null;
    newest ??= merged.base;
    at = merged.first;
  }
  if (newest === null) return null;
  const count = await git(['rev-list', '--count', `${ours}..${newest}`], { gitDir });
  return { ref, sha: newest, commits: Number(trimOutput(count)) };
};
