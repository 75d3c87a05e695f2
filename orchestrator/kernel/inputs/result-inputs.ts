/** S2: results of effects. Each is fenced by the epoch and the lease of its effect. */
import { PullForecast, PushFork, MAX_COMPETING_PULLS, CompetingPull, PullText } from '#model/pull';
import { CommandSort } from '#model/environment';
import { BUDGET_WORKERS, WriteSlotWait } from '#model/limits';
import { Contract } from '#model/contract';
import { Assessment, PlanEscalation, Grade, PolicyObjections, ProposalDecision } from '#model/assessment';
import {
  CheckResult,
  ContainmentLevel,
  CheckConfigFiles,
  ExposedCredential,
  Baseline,
} from '#model/evidence';
import {
  Commit,
  Finding,
  ForeignHead,
  SkippedFile,
  DiscardedEdits,
  MAX_PICTURE_SIDES,
  PictureSide,
} from '#model/change';
import { AgentSession, ModelUsage } from '#model/reports';
import { FailureDetail, FailureClass, HostRefusal } from '#model/failure';
import { TurnHead } from '#model/turn';
import { AgentClaims, NO_CLAIMS } from '#model/agent';
import { MergedPull, OpaqueId } from '#model/order';
import { IssueFacts, RecordedAnswer } from '#model/requirements';
import { AgentPlan } from '#model/feedback';
import { SealDifference, Proposal } from '#model/seal';
import { AnswerOutcome, ReplyProposal } from '#model/review';
import { AlternativeProposals } from './alternative-proposals.ts';
import { ReaderLimitReached } from '#model/values';
import { z } from 'zod';

const outputBytes = z.number().exactOptional();
const turns = TurnHead.exactOptional();
const undone = DiscardedEdits.nullable().exactOptional();
const fork = PushFork.exactOptional();

export const RESULT_INPUTS = [
  z.object({
    type: z.literal('worker.discovery.completed'),
    contract: Contract,
    base: z.object({ ref: z.string(), sha: z.string(), repoId: OpaqueId }),
    archived: z.boolean(),
    /** The repository's current name, when the campaign already includes it. */
    duplicate: z.string().exactOptional(),
    fork,
    /** Set when the repository's rules or policies want a user to see the plan first. */
    escalate: PlanEscalation.nullable(),
    /** The issue that the order names; absent when it names none. */
    issue: IssueFacts.exactOptional(),
    commitTrailers: z.array(z.string().max(300)).max(5).exactOptional(),
    mergedPull: MergedPull.exactOptional(),
    competingPulls: z.array(CompetingPull).max(MAX_COMPETING_PULLS).exactOptional(),
    pullForecast: PullForecast.exactOptional(),
    /** The base accepts only commits with a verified signature. */
    requiresSignedCommits: z.literal(true).exactOptional(),
    discardedEdits: undone,
  }),
  z.object({
    type: z.literal('worker.base.checked'),
    baseline: Baseline,
    /** Time of this run; 0 when a stored result is used. */
    ms: z.number(),
    outputBytes,
  }),
  z.object({
    type: z.literal('worker.implementation.completed'),
    /** Trailers of the engine that made it, when there are several engines. */
    commitTrailers: z.array(z.string()).exactOptional(),
    commit: Commit.nullable(),
    session: AgentSession.nullable(),
    summary: z.string(),
    /** C4: what it asked beside its report, where it changed nothing. */
    question: z.string().exactOptional(),
    usage: ModelUsage,
    /** Agent time (ms). */
    ms: z.number(),
    containment: ContainmentLevel,
    exposedCredentials: ExposedCredential.nullable().exactOptional(),
    outputBytes,
    turns,
    claims: AgentClaims.default(NO_CLAIMS),
    /** Number of edits outside the allowed paths; they were reverted. */
    violations: z.number().default(0),
    revert: z.enum(['clean', 'empty']).exactOptional(),
    /** The commit was made without the workspace, which still has the old files. */
    workspaceStale: z.literal(true).exactOptional(),
    skippedFiles: z.array(Finding).exactOptional(),
    ignored: z.array(z.string()).exactOptional(),
    discardedEdits: undone,
  }),
  z.object({
    type: z.literal('worker.contract.refined'),
    contract: Contract,
    added: z.number(),
    refused: z.array(z.string()),
    escalate: PlanEscalation.nullable(),
    session: AgentSession.nullable(),
    usage: ModelUsage,
    ms: z.number(),
    containment: ContainmentLevel,
    outputBytes,
    turns,
    discardedEdits: undone,
  }),
  z.object({
    type: z.literal('worker.plan.updated'),
    /** Null when it is invalid; `problem` then says why. */
    plan: AgentPlan.nullable(),
    problem: z.string(),
    session: AgentSession.nullable(),
    usage: ModelUsage,
    ms: z.number(),
    containment: ContainmentLevel,
    outputBytes,
    turns,
    violations: z.number(),
    discardedEdits: undone,
  }),
  z.object({
    type: z.literal('worker.validation.completed'),
    commitSha: z.string(),
    passed: z.boolean(),
    checks: z.array(CheckResult),
    assessment: Assessment,
    /** Null in results recorded before grades existed. */
    grade: Grade.nullable().default(null),
    /** Content that a push would publish; a push card signs it. */
    proposal: Proposal.nullable(),
    fork,
    baseline: Baseline.exactOptional(),
    checkConfigFiles: CheckConfigFiles.exactOptional(),
    /** Absent when the repository has no command for pictures, or nothing looks different. */
    pictures: z.array(PictureSide).max(MAX_PICTURE_SIDES).exactOptional(),
    failure: z.string().nullable(),
    ms: z.number(),
    outputBytes,
  }),
  z.object({
    type: z.literal('worker.push.completed'),
    branch: z.string(),
    fork,
    sha: z.string(),
    description: z.enum(['refreshed', 'edited_by_others', 'failed']).exactOptional(),
    /** Content of the pull request; the gate card signs it. Null once a pull request exists. */
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
    pullText: PullText,
    answer: RecordedAnswer.exactOptional(),
    decision: ProposalDecision,
    proposal: Proposal.nullable(),
  }),
  /** F6: which of the red `checks` fail on the base as well, and which may be flaky. */
  z.object({
    type: z.literal('worker.ci.compared'),
    sha: z.string(),
    ref: z.string(),
    checks: z.array(z.string()),
    failingOnBase: z.array(z.string()),
    flaky: z.array(z.string()),
  }),
  z.object({ type: z.literal('worker.replies.sealed'), proposal: ReplyProposal }),
  z.object({
    type: z.literal('worker.replies.posted'),
    approvalId: z.string(),
    outcomes: z.array(AnswerOutcome),
    reviewRequest: z.enum(['asked', 'failed']).nullable(),
  }),
  z.object({
    type: z.literal('worker.step.failed'),
    step: z.string(),
    class: FailureClass,
    message: z.string(),
    /** Retry time from the provider (epoch ms). */
    retryAt: z.number().nullable(),
    usageSoFar: z
      .object({ session: AgentSession.nullable(), usage: ModelUsage, ms: z.number(), outputBytes, turns })
      .nullable()
      .default(null),
    /** A new proposal when the approved one has moved, and what has moved. */
    proposal: Proposal.nullable(),
    differences: z.array(SealDifference).exactOptional(),
    assessment: Assessment.nullable().default(null),
    skippedFiles: z.array(SkippedFile).exactOptional(),
    /** C4: the agent's question in place of a report; `edited`: it had changed files anyway. */
    question: z.object({ text: z.string(), edited: z.boolean() }).exactOptional(),
    readFailure: ReaderLimitReached.exactOptional(),
    refusal: HostRefusal.exactOptional(),
    detail: FailureDetail.exactOptional(),
    /** E18: model without a price; null when the agent named none. */
    model: z.string().nullable().exactOptional(),
    discardedEdits: undone,
  }),
  /** E10: the agent asks for permission; its turn is over. */
  z.object({
    type: z.literal('worker.permission.asked'),
    tool: z.string().max(40),
    input: z.string(),
    digest: z.string(),
    objections: PolicyObjections,
    sort: CommandSort.nullable(),
    editable: z.boolean().exactOptional(),
    alternatives: AlternativeProposals.exactOptional(),
    session: AgentSession.nullable(),
    usage: ModelUsage,
    ms: z.number(),
    outputBytes,
    turns,
    containment: ContainmentLevel,
    exposedCredentials: ExposedCredential.nullable().exactOptional(),
    discardedEdits: undone,
  }),
  /** A grant is consumed before its use; for a sort, also what it is used for. */
  z.object({
    type: z.literal('worker.permission.used'),
    grant: z.string(),
    digest: z.string(),
    sort: CommandSort.exactOptional(),
    input: z.string().exactOptional(),
  }),
  /** The agent works on; people are told once a round. */
  z.object({
    type: z.literal('worker.call.repeated'),
    call: z.string().max(2_000),
    times: z.number().int(),
    of: z.number().int(),
  }),
  z.object({
    type: z.literal('worker.base.merged'),
    ref: z.string(),
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
        says: z.string(),
      }),
    ]),
  }),
  /** F12: diff of our commit against the new base of the pull request. */
  z.object({
    type: z.literal('worker.base.compared'),
    ref: z.string(),
    commit: Commit,
    contract: Contract,
    requiresSignedCommits: z.boolean(),
    discardedEdits: undone,
  }),
  /** `adoptedBy` is set only when the code host still shows that head. */
  z.object({
    type: z.literal('worker.head.read'),
    head: ForeignHead,
    adoptedBy: z.string().nullable(),
    discardedEdits: undone,
  }),
  /** Usage since the last report; the process's result reports the rest. */
  z.object({
    type: z.literal('worker.usage.reported'),
    by: z.enum(BUDGET_WORKERS),
    /** E18: nobody told what a killed process used, so its requests count at their most. */
    atMost: z.literal(true).exactOptional(),
    session: AgentSession.nullable(),
    usage: ModelUsage,
    ms: z.number(),
    outputBytes,
  }),
  z.object({
    type: z.literal('worker.start.queued'),
    waitsFor: z.enum(['slot', 'day']),
    used: z.number(),
    of: z.number(),
    /** Time when a slot is free at the latest (epoch ms); null when that depends on other runs. */
    at: z.number().nullable(),
  }),
  /** F5: a write to the code host waits for its turn. */
  z.object({ type: z.literal('worker.slot.awaited'), ...WriteSlotWait.shape }),
] as const;
