/**
 * S2: what people, the command line and auto-advance rules may ask for. Each may be refused, with a
 * reason.
 */
import { z } from 'zod';
import { CommandSort } from '../govern/command-sort.ts';
import { BudgetKind } from '../run-bounds.ts';
import { Order, Person } from '../order.ts';
import { PolicyObjections } from '../change-facts.ts';
import { DENIAL_REASONS } from '../feedback.ts';
import { RecordedAnswer } from '../contributor-requirements.ts';
import { RUN_STATES } from '../run-states.ts';
import { REMARK_CHOICES } from '../review-threads.ts';
import { PullText } from './edited-pr-text.ts';

const by = Person;
const target = z.enum(RUN_STATES).nullable();
const reason = z.string().max(2_000);
/** What the agent is to do otherwise may be as long as an instruction. */
const MAX_WISH_LENGTH = 20_000;
/** What a person wants the agent to know from here on. */
const advice = z.string().min(1).max(2_000).exactOptional();
/** A person's decision on one card: the approval it shows and the digest that the person saw. */
const decision = { by, approvalId: z.string(), digest: z.string() };
/** The message that showed it together with others, by its number among the effects. */
const together = { cluster: z.int().exactOptional() };

export const CreateRun = z.object({ type: z.literal('command.run.create'), runId: z.string(), order: Order });

/** Commands to a run that is there. */
export const COMMAND_INPUTS = [
  z.object({ type: z.literal('command.discovery.start') }),
  z.object({ type: z.literal('command.implementation.start'), by: by.nullable() }),
  z.object({ type: z.literal('command.validation.accept'), by }),
  z.object({ type: z.literal('command.push.approve'), ...decision, ...together }),
  z.object({ type: z.literal('command.pr.create'), ...decision, ...together }),
  z.object({
    type: z.literal('command.deny'),
    by,
    reason: z.string().max(MAX_WISH_LENGTH),
    final: z.boolean(),
    approvalId: z.string().nullable(),
    /** The reason in a word, besides those of `reason`. */
    denialReason: z.enum(DENIAL_REASONS).optional(),
    /** The reason is what the agent is to do otherwise, and it goes on at once. */
    retryNow: z.literal(true).optional(),
  }),
  /**
   * Other words for what a card shows; they are judged anew, and only the chat can approve them.
   */
  z.object({
    type: z.literal('command.proposal.modify'),
    by,
    approvalId: z.string().nullable(),
    words: PullText,
    reason: reason.min(1),
  }),
  z.object({ type: z.literal('command.iterate'), by, instruction: z.string().max(20_000) }),
  /** F7: what is to be done about a remark; `card` and `remark` name it, `words` are an answer. */
  z.object({
    type: z.literal('command.review.choose'),
    by,
    card: z.string(),
    remark: z.string(),
    choice: z.enum(REMARK_CHOICES),
    words: z.string().min(1).max(2_000).exactOptional(),
  }),
  /** What was chosen on the card is begun. */
  z.object({ type: z.literal('command.review.begin'), by, card: z.string() }),
  z.object({ type: z.literal('command.reply.approve'), ...decision }),
  z.object({ type: z.literal('command.ci.rerun'), by }),
  /** What cannot be installed or run here is left out of the evidence. */
  z.object({ type: z.literal('command.checks.waive'), by }),
  /** Today's base branch is merged into the change. */
  z.object({ type: z.literal('command.base.update'), by }),
  /**
   * Somebody else's head of our branch is where the run goes on from; `sha` is the one that they
   * were shown.
   */
  z.object({ type: z.literal('command.head.adopt'), by, sha: z.string() }),
  z.object({ type: z.literal('command.retry'), by, target, advice }),
  z.object({ type: z.literal('command.resume'), by, target, advice }),
  z.object({ type: z.literal('command.pause'), by }),
  z.object({ type: z.literal('command.skip'), by, reason }),
  /** `close`: its pull request is closed, with these words to its maintainers. */
  z.object({
    type: z.literal('command.cancel'),
    by,
    reason,
    close: z.string().min(1).max(1_000).exactOptional(),
  }),
  z.object({ type: z.literal('command.run.finish'), by }),
  /**
   * `limit` in ms, tokens, dollars, bytes or times; null takes it away. A run that waits for want of
   * that budget goes on.
   */
  z.object({
    type: z.literal('command.budget.raise'),
    by,
    budget: BudgetKind,
    limit: z.number().positive().max(Number.MAX_SAFE_INTEGER).nullable(),
  }),
  /** The ban that the run stands at is about something else: an approver's word, and why. */
  z.object({ type: z.literal('command.ban.overrule'), by, reason }),
  /** E10: a person's word on just what the agent asked; `question` and `digest` name it. */
  z.object({
    type: z.literal('command.permission.answer'),
    by,
    question: z.string(),
    digest: z.string(),
    allows: z.boolean(),
    /** All of this sort, for the rest of the run: the one that the card showed. */
    sort: CommandSort.exactOptional(),
    /** P4: what runs in its place, with what policies object to it; it is allowed once. */
    instead: z
      .object({ input: z.string(), digest: z.string(), objections: PolicyObjections })
      .exactOptional(),
    note: reason.exactOptional(),
  }),
  /** E10: what was allowed for the rest of the run is asked again. */
  z.object({ type: z.literal('command.permission.revoke'), by }),
  /** What the repository asks of a person, in their own words. */
  z.object({
    type: z.literal('command.requirement.answer'),
    by,
    ...RecordedAnswer.pick({ what: true, text: true }).shape,
  }),
] as const;

/** G3: what these sign. A signature is a person's word in the chat, and comes from nowhere else. */
export const SIGNED_ACTION = {
  'command.push.approve': 'push',
  'command.pr.create': 'open_pr',
  'command.reply.approve': 'reply',
} as const;
/** G3: whatever is a person's word in the chat, and comes from nowhere else. */
export const isPersonsWord = (type: string): boolean =>
  isSigning(type) || type === 'command.permission.answer';
export const isSigning = (type: string): type is keyof typeof SIGNED_ACTION =>
  Object.hasOwn(SIGNED_ACTION, type);
