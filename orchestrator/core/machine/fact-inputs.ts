/**
 * S2: facts of the code host and of clocks. They are never refused: they fold in, whatever their
 * order.
 */
import { z } from 'zod';
import { OpaqueId } from '../order.ts';
import { MAX_REMARKS, ReviewRemark } from '../review-threads.ts';
import { PullShown } from '../pull-metadata.ts';
import { ACCESS_LOST, PollOutage, PullVisibility } from './outage.ts';
import { CheckFact, MergeRequirement } from './ci-verdict.ts';

/** The run's epoch when the timer was set; a timer of an earlier epoch means nothing any more. */
const timer = { epoch: z.number() };
/**
 * Rights of a stranger on the repository, as the forge reports them; only `write` may steer an
 * agent (P5).
 */
const access = z.enum(['write', 'read', 'unknown']);

export const FACT_INPUTS = [
  z.object({
    type: z.literal('forge.pull.observed'),
    pull: OpaqueId,
    state: z.enum(['open', 'closed']),
    merged: z.boolean(),
    headSha: z.string(),
    by: z.string().nullable(),
    baseStatus: z.enum(['level', 'behind', 'conflicts']).exactOptional(),
    metadata: PullShown.exactOptional(),
  }),
  /** F12: before a pull request shows it: what the repository is called, and whether it is read-only. */
  z.object({
    type: z.literal('forge.repository.observed'),
    repository: OpaqueId,
    name: z.string(),
    archived: z.boolean(),
  }),
  /** F12: the base branch of a run without a pull request has another name now. */
  z.object({ type: z.literal('forge.branch.renamed'), from: z.string(), to: z.string() }),
  /** Whether our App may work on the repository; `lost` says how it came that it may not. */
  z.object({
    type: z.literal('forge.access.observed'),
    account: OpaqueId,
    lost: z.enum(ACCESS_LOST).nullable(),
  }),
  z.object({ type: z.literal('forge.head.observed'), branch: z.string(), sha: z.string().nullable() }),
  z.object({ type: z.literal('forge.check.completed'), sha: z.string(), check: CheckFact }),
  z.object({
    type: z.literal('forge.ci.observed'),
    sha: z.string(),
    checks: z.array(CheckFact),
    /** What the base branch requires. */
    required: z.array(MergeRequirement),
    /** Some suite of checks does not begin before a maintainer allows it. */
    awaitsMaintainer: z.boolean().default(false),
    /** Some of them may not be read, or are too many. */
    partial: z.boolean().default(false),
    /** The base branch takes changes through a merge queue. */
    usesMergeQueue: z.boolean().default(false),
    /** The base branch is protected, or has rules; absent where nobody says. */
    isProtected: z.boolean().exactOptional(),
    /** When the look began (epoch ms); null counts as now. */
    polledAt: z.number().nullable().default(null),
  }),
  /**
   * F8: looks fail, whatever the answer; `spell` is shared by the runs of a chat that stopped being
   * seen for one reason.
   */
  z.object({ type: z.literal('forge.poll.failed'), ...PollOutage.shape }),
  /** Everything could be read again. */
  z.object({ type: z.literal('forge.poll.recovered') }),
  /** F5: what those see of the pull request who are not signed in. */
  z.object({ type: z.literal('forge.visibility.observed'), pull: OpaqueId, ...PullVisibility.shape }),
  z.object({
    type: z.literal('forge.review.submitted'),
    id: OpaqueId,
    /** Where people read it. */
    url: z.string(),
    reviewer: z.string(),
    access,
    state: z.enum(['approved', 'wants_changes', 'remarked', 'withdrawn']),
    commitSha: z.string(),
    body: z.string(),
    /** Epoch ms, from the forge. */
    submittedAt: z.number(),
    /** A program wrote it: it never steers. */
    bot: z.literal(true).exactOptional(),
    /** What it says of lines; `whole` unless there are more than were read. */
    remarks: z.array(ReviewRemark).max(MAX_REMARKS).exactOptional(),
    whole: z.boolean().exactOptional(),
  }),
  z.object({
    type: z.literal('forge.comment.created'),
    author: z.string(),
    access,
    body: z.string(),
    url: z.string(),
    createdAt: z.number(),
    bot: z.literal(true).exactOptional(),
  }),

  /**
   * `limit` is the raised time budget that it was set for; none when it was the order's. `waits`: the
   * work itself has been put off, by the code host or until its turn.
   */
  z.object({
    type: z.literal('timer.timeout'),
    ...timer,
    limit: z.number().exactOptional(),
    waits: z.literal(true).exactOptional(),
  }),
  z.object({ type: z.literal('timer.reminder'), ...timer }),
  z.object({ type: z.literal('timer.retry'), ...timer }),
  z.object({ type: z.literal('timer.approval.expired'), approvalId: z.string() }),
  /** Nobody who was asked could answer in that time, or can before it ends (epoch ms). */
  z.object({
    type: z.literal('timer.approval.frozen'),
    approvalId: z.string(),
    from: z.number(),
    until: z.number(),
  }),
] as const;
