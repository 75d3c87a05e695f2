/** Visible metadata of a pull request, and what others changed in it: each change is told once. */
import { z } from 'zod';

export const PullShown = z.object({
  /** Last change, by the code host's clock (epoch ms). */
  at: z.number(),
  title: z.string(),
  /** Empty when our own account has just edited the description. */
  bodyDigest: z.string(),
  base: z.string(),
  draft: z.boolean(),
  locked: z.boolean(),
  autoMerge: z.string().nullable(),
  labels: z.array(z.string()),
  reviewers: z.array(z.string()),
  inMergeQueue: z.boolean().exactOptional(),
  headDeleted: z.boolean().exactOptional(),
  repo: z.object({ name: z.string(), archived: z.boolean(), private: z.boolean() }).exactOptional(),
});
export type PullShown = z.infer<typeof PullShown>;

export type BaseBranchGuards = { isProtected: boolean; requiredChecks: string[] };

export type PullChange =
  | { what: 'title' | 'base' | 'repo'; to: string }
  | { what: 'body' | 'reopened' }
  | { what: 'draft' | 'locked' | 'queued' | 'archived' | 'private' | 'guarded' | 'head_deleted'; on: boolean }
  | { what: 'auto_merge'; by: string | null }
  | { what: 'labels' | 'required'; added: string[]; removed: string[] }
  | { what: 'reviewers'; added: string[] };

/** Fingerprint of a description (cyrb53), not cryptographic. Ignores line ends. */
export const bodyFingerprint = (body: string): string => {
  const text = body.replaceAll('\r\n', '\n').trimEnd();
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2_654_435_761);
    b = Math.imul(b ^ unit, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & b) + (a >>> 0)).toString(16);
};

export const mergePullShown = (
  known: PullShown | undefined,
  told: PullShown | undefined,
): PullShown | undefined => {
  if (!known || !told) return told ?? known;
  // guard: F8-late-shown
  if (told.at < known.at) return known;
  const queued = told.inMergeQueue ?? known.inMergeQueue;
  const print = told.bodyDigest === '' ? known.bodyDigest : told.bodyDigest;
  const headGone = told.headDeleted ?? known.headDeleted;
  const repo = told.repo ?? known.repo;
  return {
    ...told,
    bodyDigest: print,
    ...(queued === undefined ? {} : { inMergeQueue: queued }),
    ...(headGone === undefined ? {} : { headDeleted: headGone }),
    ...(repo ? { repo } : {}),
  };
};

const compareLists = (before: readonly string[], after: readonly string[]) => ({
  added: after.filter((one) => !before.includes(one)),
  removed: before.filter((one) => !after.includes(one)),
});

/** Our own edits: `bodies` that we wrote, `reviewed` users whom we asked, and `labels` that we set. */
type Ours = { bodies: readonly string[]; reviewed: readonly string[]; labels?: readonly string[] };

export const changesBetween = (before: PullShown, after: PullShown, ours: Ours): PullChange[] => {
  const changes: PullChange[] = [];
  for (const what of ['title', 'base'] as const)
    if (before[what] !== after[what]) changes.push({ what, to: after[what] });
  const known = before.bodyDigest !== '' || ours.bodies.length > 0;
  const edited = known && after.bodyDigest !== '' && before.bodyDigest !== after.bodyDigest;
  if (edited && !ours.bodies.map(bodyFingerprint).includes(after.bodyDigest)) changes.push({ what: 'body' });
  for (const what of ['draft', 'locked'] as const)
    if (before[what] !== after[what]) changes.push({ what, on: after[what] });
  if ((before.inMergeQueue ?? false) !== (after.inMergeQueue ?? false))
    changes.push({ what: 'queued', on: after.inMergeQueue ?? false });
  if ((before.headDeleted ?? false) !== (after.headDeleted ?? false))
    changes.push({ what: 'head_deleted', on: after.headDeleted ?? false });
  if (before.autoMerge !== after.autoMerge) changes.push({ what: 'auto_merge', by: after.autoMerge });
  const given = (ours.labels ?? []).map((label) => label.toLowerCase());
  const { added, removed } = compareLists(before.labels, after.labels);
  const labels = { added: added.filter((label) => !given.includes(label.toLowerCase())), removed };
  if (labels.added.length + labels.removed.length > 0) changes.push({ what: 'labels', ...labels });
  const reviewed = ours.reviewed.map((name) => name.toLowerCase());
  // A team is shown without its organisation.
  const isOfOurs = (name: string): boolean =>
    reviewed.some((one) => one === name.toLowerCase() || one.endsWith(`/${name.toLowerCase()}`));
  // The code host drops a review request once the review is given.
  const asked = compareLists(before.reviewers, after.reviewers).added.filter((one) => !isOfOurs(one));
  if (asked.length > 0) changes.push({ what: 'reviewers', added: asked });
  return [...changes, ...repoChanges(before.repo, after.repo)];
};

const repoChanges = (before: PullShown['repo'], after: PullShown['repo']): PullChange[] => {
  if (!before || !after) return [];
  const flags = (['archived', 'private'] as const).filter((what) => before[what] !== after[what]);
  return [
    ...(before.name === after.name ? [] : [{ what: 'repo', to: after.name } as const]),
    ...flags.map((what) => ({ what, on: after[what] })),
  ];
};

export const findProtectionChanges = (
  before: BaseBranchGuards | undefined,
  after: BaseBranchGuards | undefined,
): PullChange[] => {
  if (!before || !after) return [];
  const required = compareLists(before.requiredChecks, after.requiredChecks);
  const moved = required.added.length + required.removed.length > 0;
  return [
    ...(before.isProtected === after.isProtected
      ? []
      : [{ what: 'guarded', on: after.isProtected } as const]),
    ...(moved ? [{ what: 'required', ...required } as const] : []),
  ];
};
