/** The run: the fold of its events. Everything here can be rebuilt from the log. */
import type { Contract } from '../contract.ts';
import type {
  Assessment,
  CheckResult,
  Commit,
  ContainmentLevel,
  ExposedCredential,
  PlanEscalation,
  ForeignHead,
  OverruledRule,
  BaseMerge,
  CheckConfigFiles,
  AgentSession,
  DiscardedEdits,
  ModelUsage,
  Grade,
} from '../change-facts.ts';
import { stopsOf, type Baseline, type BaselineStop } from '../baseline.ts';
import { isOrdered } from '../check-selection.ts';
import type { AgentClaims } from '../govern/grade-attempt.ts';
import type { Proposal, SealFields } from '../seal.ts';
import type { IssueFacts } from '../issue-standing.ts';
import type { PushFork } from '../push-fork.ts';
import type { Order } from '../order.ts';
import type { BudgetKind, RaisedBounds } from '../run-bounds.ts';
import type { AgentPlan } from '../plan-loop.ts';
import type { RecordedAnswer } from '../contributor-requirements.ts';
import type { ReportedChange, StepReport } from '../agent-report.ts';
import type { CompetingPull } from '../competing-pulls.ts';
import type { ProposerRotation } from './proposer-rotation.ts';
import type { RunPermissions } from './permissions.ts';
import type { Reason } from './reasons.ts';
import type { LoopCounts, AgentRound } from './rounds.ts';
import { isSpending, isWorking, type RunState } from '../run-states.ts';
import type { CheckComparison, ObservedFacts } from './observed-facts.ts';
import type { TriageItem, PostedAnswers, PendingReplies, ReviewTriage } from '../review-threads.ts';
import type { EditedPullText } from './edited-pr-text.ts';
import type { InputOf, ResultType } from './inputs.ts';
import type { ReaderLimitReached } from '../reader-limits.ts';

export type ApprovalKind = 'push' | 'open_pr' | 'reply';

/** A card that waits for a signature: at most one; consuming or voiding it ends it. */
export type LiveApproval = {
  id: string;
  kind: ApprovalKind;
  digest: string;
  /** Epoch ms. */
  expiresAt: number;
  /** Up to when time was added in which nobody could answer (epoch ms). */
  frozenUntil?: number;
  needed: number;
  signatures: { id: string | null; name: string; at: number }[];
};

export type CommitEvaluation = {
  commitSha: string;
  passed: boolean;
  checks: CheckResult[];
  assessment: Assessment;
  /** Null when nobody graded it. */
  grade: Grade | null;
  /** What judges the change and is part of it; absent when nothing is. */
  checkConfigFiles?: CheckConfigFiles;
};

/** What the governor last said of publishing. */
export type PublishingJudgement = { action: 'push' | 'open_pr'; assessment: Assessment };

/** The state of the run, the reason for it, its times, and the budgets it has used. */
export type RunLifecycle = {
  state: RunState;
  /** Number of events; the compare-and-set value of every step. */
  version: number;
  /** The version at which the state was entered: older effects and timers are void. */
  epoch: number;
  /** Epoch ms. */
  createdAt: number;
  stateEnteredAt: number;
  updatedAt: number;
  /** Why it stands where it stands. */
  reason: Reason;
  /** Where PAUSED, FAILED_RETRYABLE or NEEDS_HUMAN_REVIEW came from. */
  resumeState: RunState | null;
  /** The epoch that a pause interrupted; null when not paused. */
  pausedEpoch: number | null;
  counts: LoopCounts & {
    retries: number;
    outsideFailures: number;
    reminders: number;
    /** Times that a provider was waited for since the last success. */
    providerWaits: number;
  };
  /**
   * Since when (epoch ms) a provider is waited for, and whether people were told that it takes
   * long.
   */
  providerWait: { startedAt: number; announced: boolean } | null;
  /** Agent and check time so far, in ms. */
  workedMs: number;
  usage: ModelUsage;
  /** Bytes that agents and checks have printed so far. */
  outputBytes: number;
  /** Limits that people raised, and the budgets whose present limit was warned of. */
  raisedLimits: RaisedBounds;
  warnedBudgets: BudgetKind[];
  /** A result that arrived while paused and is used on resume. */
  deferredResult: { input: InputOf<ResultType>; effectEpoch: number } | null;
};

/** The repository that the change goes into, and what it asks of contributors. */
export type RunTarget = {
  contract: Contract | null;
  /** E15: what installs and checks say on the base; null until they were run on it. */
  baseline: Baseline | null;
  /** Names of installations and checks that a person goes on without. */
  waivedChecks: string[];
  /** What the agent that was to read the repository first has found; null until it has read. */
  agentDiscovery: { added: number; refused: number } | null;
  /** Why a person must see the plan first; null when nobody must, or somebody did. */
  escalation: PlanEscalation | null;
  /** Bans that an approver calls rules about something else. */
  overruledBans: readonly OverruledRule[];
  /** The issue that the order names, as it was then; null when it names none. */
  issue: IssueFacts | null;
  /** What the change goes into, as the code host calls it today. */
  base: { ref: string; sha: string; repoId: string } | null;
  /** `owner/name` that the repository has today, where that is not the ordered one. */
  renamedTo?: string;
  /**
   * F12: the pull request was moved to another base, and our commit `commitSha` has not been compared
   * with it yet; the workspace was left at `workspaceSha`.
   */
  pendingBaseChange?: { from: string; to: string; commitSha: string; workspaceSha: string } | null;
  /** O10: what of the repository could not be read last; absent where all could. */
  readFailure?: ReaderLimitReached;
  /** Where its branch is pushed; null for the repository itself. */
  fork: PushFork | null;
  /** Lines at the end of each commit message that the repository asks for. */
  commitTrailers: readonly string[];
  /** Open pull requests for the same, as they were when the repository was read. */
  competingPulls: readonly CompetingPull[];
  /** The base takes only commits with a signature that can be verified. */
  requiresSignedCommits: boolean;
  /** The newest answer of a person to each requirement of the repository. */
  requirementAnswers: readonly RecordedAnswer[];
};

/** The commits: ours, what we published, what others pushed, what is merged in. */
export type RunChange = {
  commit: Commit | null;
  evaluation: CommitEvaluation | null;
  /** What we last pushed and read back. */
  pushedHead: { branch: string; sha: string } | null;
  /** Since when something of it is public (epoch ms); null while nothing is. */
  publicSince: number | null;
  /**
   * Every commit that we pushed or asked to push; any other head of our branch is somebody else's.
   */
  ownCommits: string[];
  /** A head that is not ours, what it is once that was read, and who wants to go on from it. */
  foreignHead: { sha: string; head: ForeignHead | null; epoch: number; adoptedBy: string | null } | null;
  /** Somebody else's head that we went on from last. */
  adoptedHead: { sha: string; author: string; by: string } | null;
  pendingMerge: BaseMerge | null;
  /** What of the base was merged last and is pushed. */
  mergedBase: Pick<BaseMerge, 'ref' | 'sha' | 'commits'> | null;
  /** The commit that the workspace has to be brought to before an agent works in it again. */
  resetTo: string | null;
};

/** The card that waits for a signature, the approval used last, and the action that policies denied. */
export type RunGate = {
  /** The push or opening that the governor denied, until something else is judged. */
  deniedAction: PublishingJudgement | null;
  proposal: Proposal | null;
  approval: LiveApproval | null;
  /** Words of a person for the pull request. */
  editedPrText: EditedPullText | null;
  /** The approval that was last used up, for what, and in which epoch. */
  consumedApproval: {
    id: string;
    digest: string;
    kind: ApprovalKind;
    by: string;
    epoch: number;
    fields: SealFields;
  } | null;
};

/** The pull request, and what the code host was last seen to have of it. */
export type RunUpstream = {
  /**
   * As its code host writes it (`#12`, `group/project!12`), where it is, and the description that
   * we gave it last.
   */
  pullRequest: { id: string; url: string; body?: string } | null;
  observed: ObservedFacts;
  /** What the red checks of a head were compared with; null until one was. */
  ciComparison: CheckComparison | null;
};

/** Remarks of reviewers, what was chosen about each, and our answers. */
export type RunReview = {
  /** Remarks of reviewers that wait for a person's choice. */
  triage: ReviewTriage | null;
  /** What was chosen to be fixed or answered, until its answers are posted. */
  chosenRemarks: TriageItem[];
  pendingReplies: PendingReplies | null;
  postedReplies: PostedAnswers | null;
};

/** The agent's session, rounds, plan, reports and permissions. */
export type RunAgent = {
  /** What people said to the agent when they let it go on, oldest first. */
  advice: string[];
  session: AgentSession | null;
  summary: string;
  /** F11: of the round that made the whole change: a fix has a summary of its own. */
  wholeSummary?: string;
  /** What the agent claims besides. */
  claims: AgentClaims;
  /**
   * What its reports so far say of the whole change, and of each fix on top of the pull request,
   * oldest first.
   */
  agentReports: ReportedChange;
  fixSummaries: string[];
  /** Of several ordered fixes, those that had their turn; absent before the first. */
  orderedFixesDone?: readonly { title: string; changed: boolean; report?: ReportedChange }[];
  /** What was reported of each step of the plan that changed something; absent before the first. */
  planStepReports?: readonly StepReport[];
  containment: ContainmentLevel | null;
  /** What its newest round could have read of the operator's own. */
  exposedCredentials: ExposedCredential | null;
  /**
   * The plan of a run that keeps one, as we last accepted it, and how often its guards were broken.
   */
  plan: { plan: AgentPlan; violations: number } | null;
  /** What the next round of the agent is about. */
  round: AgentRound;
  /** E10: absent until an agent asked for something. */
  permissions?: RunPermissions;
  /** Absent until the second of several engines has its turn. */
  proposerRotation?: ProposerRotation;
  /** Edits of the last round that did not stay: the next one is told. */
  discardedEdits: DiscardedEdits | null;
};

export type Run = {
  /** Neither ever changes after the run was created. */
  id: string;
  order: Order;
  lifecycle: RunLifecycle;
  target: RunTarget;
  change: RunChange;
  gate: RunGate;
  upstream: RunUpstream;
  review: RunReview;
  agent: RunAgent;
};

/** Some members of some records. */
export type RunPatch = {
  id?: string;
  order?: Order;
  lifecycle?: Partial<RunLifecycle>;
  target?: Partial<RunTarget>;
  change?: Partial<RunChange>;
  gate?: Partial<RunGate>;
  upstream?: Partial<RunUpstream>;
  review?: Partial<RunReview>;
  agent?: Partial<RunAgent>;
};

/** A copy whose records can be written to while the given run stays as it is. */
export const copyRun = (run: Run): Run => ({
  ...run,
  lifecycle: { ...run.lifecycle },
  target: { ...run.target },
  change: { ...run.change },
  gate: { ...run.gate },
  upstream: { ...run.upstream },
  review: { ...run.review },
  agent: { ...run.agent },
});

/** A run, or a patch of one, with members of its records replaced; the given one stays as it is. */
export const patchRun = <T extends RunPatch>(base: T, ...patches: readonly RunPatch[]): T =>
  patches.reduce<T>(
    (run, patch) => ({
      ...run,
      ...patch,
      ...(run.lifecycle || patch.lifecycle ? { lifecycle: { ...run.lifecycle, ...patch.lifecycle } } : {}),
      ...(run.target || patch.target ? { target: { ...run.target, ...patch.target } } : {}),
      ...(run.change || patch.change ? { change: { ...run.change, ...patch.change } } : {}),
      ...(run.gate || patch.gate ? { gate: { ...run.gate, ...patch.gate } } : {}),
      ...(run.upstream || patch.upstream ? { upstream: { ...run.upstream, ...patch.upstream } } : {}),
      ...(run.review || patch.review ? { review: { ...run.review, ...patch.review } } : {}),
      ...(run.agent || patch.agent ? { agent: { ...run.agent, ...patch.agent } } : {}),
    }),
    base,
  );

/**
 * E15: what stops a run before its agent; empty when nothing does, or when a person goes on without
 * it.
 */
export const stopsAt = (run: Run, baseline: Baseline): BaselineStop[] =>
  stopsOf(baseline, { ordered: isOrdered(run), without: run.target.waivedChecks });
export const hasPassingBaseline = (run: Run): boolean =>
  run.target.baseline !== null && stopsAt(run, run.target.baseline).length === 0;

/** What a card of a kind asks to sign; null when there is nothing. */
export const digestFor = (
  { gate: { proposal }, review: { pendingReplies: replying } }: Run,
  kind: ApprovalKind,
): string | null => (kind === 'reply' ? replying?.proposal.digest : proposal?.digest) ?? null;

/** P3: the newest word of the governor on this run: which policy stopped it. */
export const lastJudged = ({
  gate: { deniedAction: denied, proposal },
  change: { evaluation },
}: Run): PublishingJudgement | null => {
  if (denied) return denied;
  const fields = proposal?.fields;
  if (fields && (!evaluation || fields.headSha === evaluation.commitSha))
    return { action: fields.action, assessment: fields.assessment };
  return evaluation && { action: 'push', assessment: evaluation.assessment };
};

/** F12: `owner/name` as the code host knows it today. */
export const repositoryOf = ({
  target: { renamedTo: repository },
  order,
}: Pick<Run, 'order'> & { target: Pick<RunTarget, 'renamedTo'> }): string => repository ?? order.repo;

/** `owner/name` and id: how a person finds a run. */
export const runLabel = (run: Run): string => `${repositoryOf(run)} · ${run.id}`;

/**
 * Whether the run holds a slot of `max_parallel_runs`: a process of ours works for it, and neither
 * a person nor its turn to write is waited for.
 */
export const holdsSlot = (run: Run): boolean => {
  // guard: F5-turn-no-slot
  if (run.lifecycle.reason.kind === 'write_slot_wait') return false;
  return (
    isWorking(run.lifecycle.state) &&
    run.gate.approval === null &&
    !(run.lifecycle.state === 'PLAN_READY' && run.target.escalation !== null)
  );
};

/**
 * E8: by the order, or because the repository asks for it. Several fixes are rounds of their own
 * already, and several engines each begin anew.
 */
export const keepsPlan = ({
  order,
  target: { contract },
}: Pick<Run, 'order'> & { target: Pick<RunTarget, 'contract'> }): boolean =>
  !order.fixes && !order.proposers && (order.flow === 'plan' || contract?.flow === 'plan');

/**
 * E6: states in which agents and checks use up budgets; the base is checked while its repository is
 * read.
 */
export const spendsIn = (state: RunState): boolean => isSpending(state) || state === 'DISCOVERY';

/** An agent was asked to resolve conflicts, and has not been heard of since. */
export const isResolving = ({
  change: { pendingMerge: merging, commit },
}: {
  change: Pick<RunChange, 'pendingMerge' | 'commit'>;
}): boolean => !!merging && commit?.base !== merging.sha;

/**
 * E17: the commit that the workspace was last known to be; what is different there is an agent's,
 * and not committed yet.
 */
export const workspaceAt = (run: {
  change: Pick<RunChange, 'commit' | 'pendingMerge'>;
  target: Pick<RunTarget, 'base'>;
}): string | null => {
  const {
    change: { commit, pendingMerge: merging },
    target: { base },
  } = run;
  if (merging && isResolving(run)) return merging.workspaceSha;
  return commit && commit.base === base?.sha ? commit.sha : (base?.sha ?? null);
};

/** The base was not merged yet; what conflicts is the agent's. */
export const isToUpdate = ({ agent: { round }, change: { pendingMerge: merging } }: Run): boolean =>
  round.kind === 'merge_base' && !merging;

/**
 * A fix was made that nobody has found wanting yet: it goes on with its checks, not with the agent.
 */
export const fixWaits = ({
  change: { commit, pushedHead: pushed, evaluation },
  agent: { round },
}: Run): boolean => {
  if (commit?.sha === pushed?.sha) return false;
  if (round.kind === 'person_advice' || round.kind === 'merge_base') return false;
  return evaluation?.commitSha !== commit?.sha || (evaluation?.passed === true && round.kind === 'implement');
};
