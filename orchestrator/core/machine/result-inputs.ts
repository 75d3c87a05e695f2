/** S2: what came of effects. Each is fenced by the epoch and the lease of its effect. */
import { z } from 'zod';
import { CommandSort } from '../govern/command-sort.ts';
import { BUDGET_WORKERS } from '../run-bounds.ts';
import { Contract } from '../contract.ts';
import {
  Assessment,
  CheckResult,
  Commit,
  ContainmentLevel,
  PlanEscalation,
  Finding,
  Grade,
  ForeignHead,
  CheckConfigFiles,
  SkippedFile,
  ExposedCredential,
  PolicyObjections,
  AgentSession,
  DiscardedEdits,
  ModelUsage,
} from '../change-facts.ts';
import { Baseline } from '../baseline.ts';
import { FailureClass } from '../failure-classes.ts';
import { ProposalDecision } from '../govern/proposal-decision.ts';
import { AgentClaims, NO_CLAIMS } from '../govern/grade-attempt.ts';
import { PushFork } from '../push-fork.ts';
import { IssueFacts } from '../issue-standing.ts';
import { OpaqueId } from '../order.ts';
import { AgentPlan } from '../plan-loop.ts';
import { RecordedAnswer } from '../contributor-requirements.ts';
import { MAX_PICTURE_SIDES, PictureSide } from '../change-pictures.ts';
import { MAX_COMPETING_PULLS, CompetingPull } from '../competing-pulls.ts';
import { SealDifference, Proposal } from '../seal.ts';
import { AnswerOutcome, ReplyProposal } from '../review-threads.ts';
import { WriteSlotWait } from '../write-slots.ts';
import { HostRefusal } from '../host-refusal.ts';
import { ReaderLimitReached } from '../reader-limits.ts';
import { PullText } from './edited-pr-text.ts';

/** What was printed, in bytes. */
const outputBytes = z.number().exactOptional();
/** Edits that did not stay. */
const undone = DiscardedEdits.nullable().exactOptional();
/** Where the branch goes, when that is a fork; absent for the repository itself. */
const fork = PushFork.exactOptional();

export const RESULT_INPUTS = [
  z.object({
    type: z.literal('worker.discovery.completed'),
    contract: Contract,
    base: z.object({ ref: z.string(), sha: z.string(), repoId: OpaqueId }),
    archived: z.boolean(),
    /** Its name of today, where that takes part in the same campaign. */
    duplicate: z.string().exactOptional(),
    fork,
    /**
     * Set when the repository's rules or the operator's policies want a person to see the plan
     * first.
     */
    escalate: PlanEscalation.nullable(),
    /** The issue that the order names; absent when it names none. */
    issue: IssueFacts.exactOptional(),
    /**
     * Lines that the repository wants at the end of commit messages, as far as somebody said them.
     */
    commitTrailers: z.array(z.string().max(300)).max(5).exactOptional(),
    /** Open pull requests for the same issue or files; absent where there is none. */
    competingPulls: z.array(CompetingPull).max(MAX_COMPETING_PULLS).exactOptional(),
    /** The base takes only commits with a signature that can be verified. */
    requiresSignedCommits: z.literal(true).exactOptional(),
    discardedEdits: undone,
  }),
  z.object({
    type: z.literal('worker.base.checked'),
    baseline: Baseline,
    /** What it took this run: nothing where an earlier answer stands. */
    ms: z.number(),
    outputBytes,
  }),
  z.object({
    type: z.literal('worker.implementation.completed'),
    /** Of the engine that made it, where several do. */
    commitTrailers: z.array(z.string()).exactOptional(),
    commit: Commit.nullable(),
    session: AgentSession.nullable(),
    summary: z.string(),
    usage: ModelUsage,
    /** Agent time in milliseconds. */
    ms: z.number(),
    containment: ContainmentLevel,
    exposedCredentials: ExposedCredential.nullable().exactOptional(),
    outputBytes,
    /** What the agent says of its own work. */
    claims: AgentClaims.default(NO_CLAIMS),
    /** The round wrote where it may not: put back, and counted. */
    violations: z.number().default(0),
    /** The commit was made without the workspace, which is still as it was. */
    workspaceStale: z.literal(true).exactOptional(),
    /** What it changed that cannot be part of a commit. */
    skippedFiles: z.array(Finding).exactOptional(),
    /** Files that the repository's rules leave out, where nothing else was changed. */
    ignored: z.array(z.string()).exactOptional(),
    discardedEdits: undone,
  }),
  z.object({
    type: z.literal('worker.contract.refined'),
    contract: Contract,
    /** How much was added, and what could not be used. */
    added: z.number(),
    refused: z.array(z.string()),
    escalate: PlanEscalation.nullable(),
    session: AgentSession.nullable(),
    usage: ModelUsage,
    ms: z.number(),
    containment: ContainmentLevel,
    outputBytes,
    discardedEdits: undone,
  }),
  z.object({
    type: z.literal('worker.plan.updated'),
    /** Null when it cannot be used; `problem` then says why. */
    plan: AgentPlan.nullable(),
    problem: z.string(),
    session: AgentSession.nullable(),
    usage: ModelUsage,
    ms: z.number(),
    containment: ContainmentLevel,
    outputBytes,
    violations: z.number(),
    discardedEdits: undone,
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
    fork,
    /** The base that this change stands on, where it is another one than before. */
    baseline: Baseline.exactOptional(),
    /** Absent when the change touches nothing that judges it. */
    checkConfigFiles: CheckConfigFiles.exactOptional(),
    /** Absent when the repository names no way to make them, or nothing looks different. */
    pictures: z.array(PictureSide).max(MAX_PICTURE_SIDES).exactOptional(),
    /** Distilled failure, the next round's feedback. */
    failure: z.string().nullable(),
    ms: z.number(),
    outputBytes,
  }),
  z.object({
    type: z.literal('worker.push.completed'),
    branch: z.string(),
    fork,
    sha: z.string(),
    /**
     * What became of the open pull request's description: ours now; not touched, since somebody
     * wrote into it; not taken.
     */
    description: z.enum(['refreshed', 'kept', 'failed']).exactOptional(),
    /**
     * What opening a pull request would publish; the gate card signs it. Null once a pull request
     * exists.
     */
    proposal: Proposal.nullable(),
  }),
  z.object({
    type: z.literal('worker.pr.opened'),
    approvalId: z.string(),
    pull: OpaqueId,
    url: z.string(),
    adopted: z.boolean(),
  }),
  z.object({
    type: z.literal('worker.proposal.modified'),
    approvalId: z.string(),
    by: z.string(),
    words: PullText,
    answer: RecordedAnswer.exactOptional(),
    decision: ProposalDecision,
    /** What would be published now; null when the modification is rejected. */
    proposal: Proposal.nullable(),
  }),
  /** F6: red checks that fail on the base as well, or may be flaky; before an agent was asked. */
  z.object({
    type: z.literal('worker.ci.compared'),
    sha: z.string(),
    ref: z.string(),
    failingOnBase: z.array(z.string()),
    flaky: z.array(z.string()),
  }),
  /** G6: answers as they were judged and sealed. */
  z.object({ type: z.literal('worker.replies.sealed'), proposal: ReplyProposal }),
  z.object({
    type: z.literal('worker.replies.posted'),
    approvalId: z.string(),
    outcomes: z.array(AnswerOutcome),
    /** Whether the reviewers were asked to look again; null when nobody was to be. */
    reviewRequest: z.enum(['asked', 'failed']).nullable(),
  }),
  z.object({
    type: z.literal('worker.step.failed'),
    step: z.string(),
    class: FailureClass,
    message: z.string(),
    /** When the provider said to come back (epoch ms). */
    retryAt: z.number().nullable(),
    /** What an agent used up before it failed. */
    usageSoFar: z
      .object({ session: AgentSession.nullable(), usage: ModelUsage, ms: z.number(), outputBytes })
      .nullable()
      .default(null),
    /** A fresh proposal when what was approved has moved, and what of it has. */
    proposal: Proposal.nullable(),
    moved: z.array(SealDifference).exactOptional(),
    /** What the governor said of it, when it was denied. */
    assessment: Assessment.nullable().default(null),
    /** What cannot be committed, where that is why. */
    skippedFiles: z.array(SkippedFile).exactOptional(),
    /**
     * C4: what the agent asked in plain words where its report should have been; `edited`: it had
     * changed files all the same.
     */
    question: z.object({ text: z.string(), edited: z.boolean() }).exactOptional(),
    readFailure: ReaderLimitReached.exactOptional(),
    /** What the code host said against it. */
    refusal: HostRefusal.exactOptional(),
    /** E18: of `price_unknown`, the model that was asked for; null where the agent named none. */
    model: z.string().nullable().exactOptional(),
    discardedEdits: undone,
  }),
  /** E10: the agent asks for something that a person decides; its turn is over. */
  z.object({
    type: z.literal('worker.permission.asked'),
    tool: z.string().max(40),
    input: z.string(),
    digest: z.string(),
    objections: PolicyObjections,
    sort: CommandSort.nullable(),
    /** P4: the engine can run something else in its place. */
    editable: z.boolean().exactOptional(),
    session: AgentSession.nullable(),
    usage: ModelUsage,
    ms: z.number(),
    outputBytes,
    containment: ContainmentLevel,
    exposedCredentials: ExposedCredential.nullable().exactOptional(),
    discardedEdits: undone,
  }),
  /** A grant is used, before what it is for; of a sort, also what it is used for. */
  z.object({
    type: z.literal('worker.permission.used'),
    grant: z.string(),
    digest: z.string(),
    sort: CommandSort.exactOptional(),
    input: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('worker.base.merged'),
    ref: z.string(),
    /** Today's head of the base branch, and how many commits of it are new to the change. */
    sha: z.string(),
    commits: z.number(),
    discardedEdits: undone,
    result: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('level') }),
      z.object({
        kind: z.literal('merged'),
        commit: Commit,
        workspaceSha: z.string(),
        conflicts: z.tuple([]),
      }),
      z.object({
        kind: z.literal('conflicts'),
        workspaceSha: z.string(),
        conflicts: z.array(z.string()),
        /** Git's own words about them. */
        says: z.string(),
      }),
    ]),
  }),
  /** F12: what our commit changes against the base that the pull request was moved to. */
  z.object({
    type: z.literal('worker.base.compared'),
    ref: z.string(),
    commit: Commit,
    contract: Contract,
    requiresSignedCommits: z.boolean(),
    discardedEdits: undone,
  }),
  /**
   * `takenBy` only when the code host still shows the head that this person wants to go on from.
   */
  z.object({
    type: z.literal('worker.head.read'),
    head: ForeignHead,
    adoptedBy: z.string().nullable(),
    discardedEdits: undone,
  }),
  /**
   * What a process used up since the last report, while it goes on or after it was stopped: the
   * result tells the rest.
   */
  z.object({
    type: z.literal('worker.usage.reported'),
    by: z.enum(BUDGET_WORKERS),
    session: AgentSession.nullable(),
    usage: ModelUsage,
    ms: z.number(),
    outputBytes,
  }),
  /** A queued run found no place. */
  z.object({
    type: z.literal('worker.start.queued'),
    waitsFor: z.enum(['slot', 'day']),
    taken: z.number(),
    of: z.number(),
    /** When a place is free at the latest (epoch ms); null when that depends on other runs. */
    at: z.number().nullable(),
  }),
  /** F5: something is to be written on the code host, and waits for its turn. */
  z.object({ type: z.literal('worker.slot.awaited'), ...WriteSlotWait.shape }),
] as const;
