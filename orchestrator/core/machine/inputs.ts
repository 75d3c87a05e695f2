/** S2: everything that may be offered to the machine. Each is a zod schema, discriminated on `type`, of one of three kinds. */
import { z } from 'zod';
import { STATES } from '../states.ts';
import {
  Assessment,
  CheckResult,
  Commit,
  Containment,
  Contract,
  Escalation,
  Finding,
  Head,
  Judges,
  LeftOut,
  Session,
  Undone,
  Usage,
  Grade,
} from '../facts.ts';
import { Claims, NO_CLAIMS } from '../govern/grade.ts';
import { Decision } from '../govern/decision.ts';
import { FailureClass } from '../failures.ts';
import { Budget, WORKERS } from './budget.ts';
import { Plan } from '../plan.ts';
import { Moved, Proposal } from '../seal.ts';
import { Order, Person } from '../order.ts';
import { Words } from './words.ts';
import { Blind } from './sight.ts';
import { CheckFact } from './verdict.ts';

const by = Person;
const target = z.enum(STATES).nullable();
const reason = z.string().max(2_000);
/** What a person wants the agent to know from here on. */
const advice = z.string().min(1).max(2_000).exactOptional();
/** A person's decision on one card: the approval it shows and the digest that the person saw. */
const decision = { by, approvalId: z.string(), digest: z.string() };
/** The run's epoch when the timer was set; a timer of an earlier epoch means nothing any more. */
const timer = { epoch: z.number() };
/** What was printed, in bytes. */
const outputBytes = z.number().exactOptional();
/** Edits that did not stay. */
const undone = Undone.nullable().exactOptional();
/** Rights of a stranger on the repository, as the forge reports them; only `write` may steer an agent (P5). */
const access = z.enum(['write', 'read', 'unknown']);

export const Input = z.discriminatedUnion('type', [
  z.object({ type: z.literal('command.run.create'), runId: z.string(), order: Order }),
  z.object({ type: z.literal('command.start.discovery') }),
  z.object({ type: z.literal('command.start.implementation'), by: by.nullable() }),
  z.object({ type: z.literal('command.local.validation.passed'), by }),
  z.object({ type: z.literal('command.push.approve'), ...decision }),
  z.object({ type: z.literal('command.pr.create'), ...decision }),
  z.object({
    type: z.literal('command.deny'),
    by,
    reason,
    final: z.boolean(),
    approvalId: z.string().nullable(),
  }),
  /** Other words for what a card shows; they are judged anew, and only the chat can approve them. */
  z.object({
    type: z.literal('command.modify'),
    by,
    approvalId: z.string().nullable(),
    words: Words,
    reason: reason.min(1),
  }),
  z.object({ type: z.literal('command.iterate'), by, instruction: z.string().max(20_000) }),
  z.object({ type: z.literal('command.ci.rerun'), by }),
  /** Today's base branch is merged into the change. */
  z.object({ type: z.literal('command.update.base'), by }),
  /** Somebody else's head of our branch is where the run goes on from; `sha` is the one that they were shown. */
  z.object({ type: z.literal('command.take.head'), by, sha: z.string() }),
  z.object({ type: z.literal('command.retry'), by, target, advice }),
  z.object({ type: z.literal('command.resume'), by, target, advice }),
  z.object({ type: z.literal('command.pause'), by }),
  z.object({ type: z.literal('command.skip'), by, reason }),
  z.object({ type: z.literal('command.cancel'), by, reason }),
  z.object({ type: z.literal('command.mark.done'), by }),
  /** `limit` in ms, tokens, dollars, bytes or times. A run that stands still for want of that budget goes on. */
  z.object({
    type: z.literal('command.budget.raise'),
    by,
    budget: Budget,
    limit: z.number().positive().max(Number.MAX_SAFE_INTEGER),
  }),

  z.object({
    type: z.literal('worker.discovery.completed'),
    contract: Contract,
    base: z.object({ ref: z.string(), sha: z.string(), repoId: z.number() }),
    archived: z.boolean(),
    /** Set when the repository's rules or the operator's policies want a person to see the plan first. */
    escalate: Escalation.nullable(),
    undone,
  }),
  z.object({
    type: z.literal('worker.implementation.completed'),
    commit: Commit.nullable(),
    session: Session.nullable(),
    summary: z.string(),
    usage: Usage,
    /** Agent time in milliseconds. */
    ms: z.number(),
    containment: Containment,
    outputBytes,
    /** What the agent says of its own work. */
    claims: Claims.default(NO_CLAIMS),
    /** The round wrote where it may not: put back, and counted. */
    violations: z.number().default(0),
    /** What it changed that cannot be part of a commit. */
    leftOut: z.array(Finding).exactOptional(),
    undone,
  }),
  z.object({
    type: z.literal('worker.contract.refined'),
    contract: Contract,
    /** How much was added, and what could not be used. */
    added: z.number(),
    refused: z.array(z.string()),
    escalate: Escalation.nullable(),
    session: Session.nullable(),
    usage: Usage,
    ms: z.number(),
    containment: Containment,
    outputBytes,
    undone,
  }),
  z.object({
    type: z.literal('worker.plan.updated'),
    /** Null when it cannot be used; `problem` then says why. */
    plan: Plan.nullable(),
    problem: z.string(),
    session: Session.nullable(),
    usage: Usage,
    ms: z.number(),
    containment: Containment,
    outputBytes,
    violations: z.number(),
    undone,
  }),
  z.object({
    type: z.literal('worker.validation.completed'),
    commitSha: z.string(),
    passed: z.boolean(),
    checks: z.array(CheckResult),
    assessment: Assessment,
    /** Null in what was recorded before grades were given. */
    grade: Grade.nullable().default(null),
    /** What a push would publish; a push card signs it. */
    proposal: Proposal.nullable(),
    /** Absent when the change touches nothing that judges it. */
    judges: Judges.exactOptional(),
    /** Distilled failure, the next round's feedback. */
    failure: z.string().nullable(),
    ms: z.number(),
    outputBytes,
  }),
  z.object({
    type: z.literal('worker.push.completed'),
    branch: z.string(),
    sha: z.string(),
    /** What opening a pull request would publish; the gate card signs it. Null once a pull request exists. */
    proposal: Proposal.nullable(),
  }),
  z.object({
    type: z.literal('worker.pr.opened'),
    approvalId: z.string(),
    number: z.number(),
    url: z.string(),
    adopted: z.boolean(),
  }),
  z.object({
    type: z.literal('worker.proposal.modified'),
    approvalId: z.string(),
    by: z.string(),
    words: Words,
    decision: Decision,
    /** What would be published now; null when the modification is rejected. */
    proposal: Proposal.nullable(),
  }),
  z.object({
    type: z.literal('worker.step.failed'),
    step: z.string(),
    class: FailureClass,
    message: z.string(),
    /** When the provider said to come back (epoch ms). */
    retryAt: z.number().nullable(),
    /** What an agent used up before it failed. */
    spent: z
      .object({ session: Session.nullable(), usage: Usage, ms: z.number(), outputBytes })
      .nullable()
      .default(null),
    /** A fresh proposal when what was approved has moved, and what of it has. */
    proposal: Proposal.nullable(),
    moved: z.array(Moved).exactOptional(),
    /** What the governor said of it, when it was denied. */
    assessment: Assessment.nullable().default(null),
    /** What cannot be committed, where that is why. */
    leftOut: z.array(LeftOut).exactOptional(),
    undone,
  }),
  z.object({
    type: z.literal('worker.base.merged'),
    ref: z.string(),
    /** Today's head of the base branch, and how many commits of it are new to the change. */
    sha: z.string(),
    commits: z.number(),
    undone,
    result: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('level') }),
      z.object({ kind: z.literal('merged'), commit: Commit, laid: z.string(), conflicts: z.tuple([]) }),
      z.object({
        kind: z.literal('conflicts'),
        laid: z.string(),
        conflicts: z.array(z.string()),
        /** Git's own words about them. */
        says: z.string(),
      }),
    ]),
  }),
  /** `takenBy` only when the code host still shows the head that this person wants to go on from. */
  z.object({ type: z.literal('worker.head.read'), head: Head, takenBy: z.string().nullable(), undone }),
  /** What a process used up since the last report, while it goes on or after it was stopped: the result tells the rest. */
  z.object({
    type: z.literal('worker.spent'),
    by: z.enum(WORKERS),
    session: Session.nullable(),
    usage: Usage,
    ms: z.number(),
    outputBytes,
  }),
  /** A queued run found no place. */
  z.object({
    type: z.literal('worker.start.held'),
    waitsFor: z.enum(['slot', 'day']),
    taken: z.number(),
    of: z.number(),
    /** When a place is free at the latest (epoch ms); null when that depends on other runs. */
    at: z.number().nullable(),
  }),

  z.object({
    type: z.literal('forge.pull.observed'),
    number: z.number(),
    state: z.enum(['open', 'closed']),
    merged: z.boolean(),
    headSha: z.string(),
    by: z.string().nullable(),
    standing: z.enum(['level', 'behind', 'conflicts']).exactOptional(),
  }),
  z.object({ type: z.literal('forge.head.observed'), branch: z.string(), sha: z.string().nullable() }),
  z.object({ type: z.literal('forge.check.completed'), sha: z.string(), check: CheckFact }),
  z.object({
    type: z.literal('forge.ci.observed'),
    sha: z.string(),
    checks: z.array(CheckFact),
    /** Names that the base branch requires. */
    required: z.array(z.string()),
    /** Some suite of checks does not begin before a maintainer allows it. */
    held: z.boolean().default(false),
    /** Some of them may not be read, or are too many. */
    partial: z.boolean().default(false),
    /** When the look began (epoch ms); null counts as now. */
    lookedAt: z.number().nullable().default(null),
  }),
  /** F8: looks fail, whatever the answer; `spell` is shared by the runs of a chat that stopped being seen for one reason. */
  z.object({ type: z.literal('forge.look.failed'), ...Blind.shape }),
  /** Everything could be read again. */
  z.object({ type: z.literal('forge.look.worked') }),
  z.object({
    type: z.literal('forge.review.submitted'),
    /** The forge's number of it: later ones have higher ones. */
    id: z.number(),
    reviewer: z.string(),
    access,
    state: z.enum(['approved', 'changes_requested', 'commented', 'dismissed']),
    commitSha: z.string(),
    body: z.string(),
    /** Epoch ms, from the forge. */
    submittedAt: z.number(),
  }),
  z.object({
    type: z.literal('forge.comment.created'),
    author: z.string(),
    access,
    body: z.string(),
    url: z.string(),
    createdAt: z.number(),
  }),

  /** `limit` is the raised time budget that it was set for; none when it was the order's. */
  z.object({ type: z.literal('timer.timeout'), ...timer, limit: z.number().exactOptional() }),
  z.object({ type: z.literal('timer.reminder'), ...timer }),
  z.object({ type: z.literal('timer.retry'), ...timer }),
  z.object({ type: z.literal('timer.approval.expired'), approvalId: z.string() }),
]);
export type Input = z.infer<typeof Input>;
export type InputType = Input['type'];
export type InputOf<T extends InputType> = Extract<Input, { type: T }>;

/**
 * What submit stamps on each input, once: the time in epoch ms, a random nonce for what must be unguessable, and, on
 * results, the run's epoch when the effect was issued (older than the run's own: the world has moved on).
 */
export const Stamp = z.object({ at: z.number(), nonce: z.string(), effectEpoch: z.number().nullable() });
export type Stamp = z.infer<typeof Stamp>;

export const INPUT_TYPES = Input.options.map((o) => o.shape.type.value);

export type Kind = 'command' | 'result' | 'observation';
export const kindOf = (type: InputType): Kind =>
  type.startsWith('command.') ? 'command' : type.startsWith('worker.') ? 'result' : 'observation';
