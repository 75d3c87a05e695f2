/** S2: inputs from people, the command line and auto-advance rules. Each may be refused. */
import { z } from 'zod';
import { CommandSort } from '#model/environment';
import { BudgetKind } from '#model/limits';
import { Order, Person } from '#model/order';
import { PolicyObjections } from '#model/assessment';
import { CampaignLesson, DENIAL_REASONS } from '#model/feedback';
import { RecordedAnswer } from '#model/requirements';
import { RUN_STATES } from '#model/run';
import { REMARK_CHOICES } from '#model/review';
import { PullText } from '#model/pull';

const by = Person;
const target = z.enum(RUN_STATES).nullable();
const reason = z.string().max(2_000);
const MAX_WISH_LENGTH = 20_000;
const advice = z.string().min(1).max(2_000).exactOptional();
/** A decision names the approval and the digest that the user saw. */
const decision = {
  by,
  approvalId: z.string(),
  digest: z.string(),
  /** G7: what the pull request may call them. */
  publicName: z.string().min(1).max(40).exactOptional(),
};
/** Number of the chat message effect that showed several approvals together. */
const together = { cluster: z.int().exactOptional() };

export const CreateRun = z.object({ type: z.literal('command.run.create'), runId: z.string(), order: Order });

export const COMMAND_INPUTS = [
  z.object({ type: z.literal('command.discovery.start') }),
  z.object({ type: z.literal('command.implementation.start'), by: by.nullable() }),
  z.object({ type: z.literal('command.validation.accept'), by }),
  z.object({ type: z.literal('command.push.approve'), ...decision, ...together }),
  z.object({ type: z.literal('command.pr.approve'), ...decision, ...together }),
  z.object({
    type: z.literal('command.deny'),
    by,
    reason: z.string().max(MAX_WISH_LENGTH),
    final: z.boolean(),
    approvalId: z.string().nullable(),
    denialReason: z.enum(DENIAL_REASONS).optional(),
    /** The reason becomes the agent's instruction, and work goes on at once. */
    retryNow: z.literal(true).optional(),
    /** F5: what a sibling of the campaign taught; the reason says it. */
    lesson: CampaignLesson.exactOptional(),
  }),
  /** Edited text of a proposal; it is judged again, and only the chat can approve it. */
  z.object({
    type: z.literal('command.proposal.modify'),
    by,
    approvalId: z.string().nullable(),
    pullText: PullText,
    reason: reason.min(1),
  }),
  z.object({
    type: z.literal('command.iterate'),
    by,
    instruction: z.string().max(20_000),
    comment: z.string().exactOptional(),
    lesson: CampaignLesson.exactOptional(),
  }),
  /** F7: decides about a remark; `card` and `remark` name it, `words` is an answer. */
  z.object({
    type: z.literal('command.review.choose'),
    by,
    card: z.string(),
    remark: z.string(),
    choice: z.enum(REMARK_CHOICES),
    words: z.string().min(1).max(2_000).exactOptional(),
  }),
  z.object({ type: z.literal('command.review.begin'), by, card: z.string() }),
  /** F7: a person says that those remarks are answered; others stay open. */
  z.object({ type: z.literal('command.remarks.answered'), by, remarks: z.array(z.string()).max(100) }),
  z.object({
    type: z.literal('command.comment.answer'),
    by,
    comment: z.string().max(2_000),
    words: z.string().min(1).max(2_000),
  }),
  z.object({ type: z.literal('command.reply.approve'), ...decision }),
  z.object({ type: z.literal('command.ci.rerun'), by }),
  z.object({ type: z.literal('command.checks.waive'), by }),
  z.object({ type: z.literal('command.base.update'), by }),
  /** Continues from a foreign head of our branch; `sha` is the one that was shown. */
  z.object({ type: z.literal('command.head.adopt'), by, sha: z.string() }),
  z.object({ type: z.literal('command.retry'), by, target, advice }),
  z.object({ type: z.literal('command.resume'), by, target, advice }),
  z.object({ type: z.literal('command.pause'), by }),
  z.object({ type: z.literal('command.skip'), by, reason }),
  z.object({
    type: z.literal('command.cancel'),
    by,
    reason,
    close: z.string().min(1).max(1_000).exactOptional(),
    branch: z.literal('removed').exactOptional(),
  }),
  z.object({ type: z.literal('command.run.finish'), by }),
  /** `limit` is in ms, tokens, dollars, bytes or times; null removes it. A waiting run resumes. */
  z.object({
    type: z.literal('command.budget.raise'),
    by,
    budget: BudgetKind,
    limit: z.number().positive().max(Number.MAX_SAFE_INTEGER).nullable(),
  }),
  z.object({ type: z.literal('command.ban.overrule'), by, reason }),
  /** E10: answers one permission; `question` and `digest` name exactly what the agent asked. */
  z.object({
    type: z.literal('command.permission.answer'),
    by,
    question: z.string(),
    digest: z.string(),
    allows: z.boolean(),
    /** Allows the sort of command that the card showed for the rest of the run. */
    sort: CommandSort.exactOptional(),
    /** P4: runs this command instead, once; `objections` are what policies say against it. */
    instead: z
      .object({ input: z.string(), digest: z.string(), objections: PolicyObjections })
      .exactOptional(),
    /** E9: allows this one of the alternatives that the card showed, by its digest. */
    pick: z.string().exactOptional(),
    note: reason.exactOptional(),
  }),
  /** E10: withdraws permissions that were given for the rest of the run. */
  z.object({ type: z.literal('command.permission.revoke'), by }),
  z.object({
    type: z.literal('command.requirement.answer'),
    by,
    ...RecordedAnswer.pick({ what: true, text: true }).shape,
  }),
] as const;

/** G3: approval kind that each command signs. Signatures come from the chat alone. */
export const SIGNED_ACTION = {
  'command.push.approve': 'push',
  'command.pr.approve': 'open_pr',
  'command.reply.approve': 'reply',
} as const;
/** G3: inputs that are accepted only from the chat. */
export const isPersonsWord = (type: string): boolean =>
  isSigning(type) || type === 'command.permission.answer';
export const isSigning = (type: string): type is keyof typeof SIGNED_ACTION =>
  Object.hasOwn(SIGNED_ACTION, type);
