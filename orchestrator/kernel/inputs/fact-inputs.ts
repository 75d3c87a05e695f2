/** S2: facts from the code host and clocks. They are never refused: they fold in, in any order. */
import { z } from 'zod';
import { SurvivalObserved } from '#model/change';
import { OpaqueId } from '#model/order';
import { MAX_REMARKS, ReviewRemark } from '#model/review';
import { PullShown } from '#model/pull';
import { ACCESS_LOST, PollOutage, PullVisibility } from '#model/failure';
import { CheckFact, MergeRequirement } from '#model/ci';

/** The run's epoch when the timer was set; a timer of an earlier epoch is void. */
const timer = { epoch: z.number() };
/** A commenter's rights on the repository; only `write` may steer an agent (P5). */
const access = z.enum(['write', 'read', 'unknown']);

const pullFields = {
  pull: OpaqueId,
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  headSha: z.string(),
  by: z.string().nullable(),
  baseStatus: z.enum(['level', 'behind', 'conflicts']).exactOptional(),
  metadata: PullShown.exactOptional(),
};

export const FACT_INPUTS = [
  z.object({ type: z.literal('forge.pull.observed'), ...pullFields }),
  /** S11: what a poll shows of a pull request whose closing ended its run: open again, or merged. */
  z.object({ type: z.literal('forge.pull.reopened'), ...pullFields }),
  z.object({
    type: z.literal('forge.repository.observed'),
    repository: OpaqueId,
    name: z.string(),
    archived: z.boolean(),
  }),
  z.object({ type: z.literal('forge.branch.renamed'), from: z.string(), to: z.string() }),
  z.object({
    type: z.literal('forge.access.observed'),
    account: OpaqueId,
    lost: z.enum(ACCESS_LOST).nullable(),
  }),
  z.object({ type: z.literal('forge.head.observed'), branch: z.string(), sha: z.string().nullable() }),
  z.object({ type: z.literal('forge.check.observed'), sha: z.string(), check: CheckFact }),
  z.object({
    type: z.literal('forge.ci.observed'),
    sha: z.string(),
    checks: z.array(CheckFact),
    required: z.array(MergeRequirement),
    awaitsMaintainer: z.boolean().default(false),
    /** Some checks may not be read, or are too many. */
    partial: z.boolean().default(false),
    usesMergeQueue: z.boolean().default(false),
    /** The base branch is protected or has rules; absent when unknown. */
    isProtected: z.boolean().exactOptional(),
    /** Start of the poll (epoch ms); null counts as now. */
    polledAt: z.number().nullable().default(null),
  }),
  /** F8: polling fails; `outageId` is shared by runs of a chat with the same cause. */
  z.object({ type: z.literal('forge.poll.failed'), ...PollOutage.shape }),
  z.object({ type: z.literal('forge.poll.recovered') }),
  z.object({ type: z.literal('forge.survival.observed'), ...SurvivalObserved.shape }),
  z.object({ type: z.literal('forge.visibility.observed'), pull: OpaqueId, ...PullVisibility.shape }),
  z.object({
    type: z.literal('forge.review.submitted'),
    id: OpaqueId,
    url: z.string(),
    reviewer: z.string(),
    access,
    state: z.enum(['approved', 'wants_changes', 'remarked', 'withdrawn']),
    commitSha: z.string(),
    body: z.string(),
    /** Epoch ms, from the code host. */
    submittedAt: z.number(),
    /** A program wrote it: it never steers. */
    bot: z.literal(true).exactOptional(),
    /** Remarks on lines; false or absent when more exist than were read. */
    remarks: z.array(ReviewRemark).max(MAX_REMARKS).exactOptional(),
    hasAllRemarks: z.boolean().exactOptional(),
  }),
  z.object({
    type: z.literal('forge.comment.created'),
    author: z.string(),
    access,
    body: z.string(),
    url: z.string(),
    createdAt: z.number(),
    bot: z.literal(true).exactOptional(),
    answered: z.literal(true).exactOptional(),
  }),

  /** `limit` is a raised time budget; absent for the order's. `waits`: the work was put off. */
  z.object({
    type: z.literal('timer.timeout'),
    ...timer,
    limit: z.number().exactOptional(),
    waits: z.literal(true).exactOptional(),
  }),
  z.object({ type: z.literal('timer.reminder'), ...timer }),
  z.object({ type: z.literal('timer.remarks.due'), ...timer }),
  z.object({ type: z.literal('timer.retry'), ...timer }),
  z.object({ type: z.literal('timer.approval.expired'), approvalId: z.string() }),
  /** Interval in which no approver could answer (epoch ms). */
  z.object({
    type: z.literal('timer.approval.frozen'),
    approvalId: z.string(),
    from: z.number(),
    until: z.number(),
  }),
] as const;
