/** The run: the fold of its events. Everything here can be rebuilt from the log. */
import type { UserRole } from '#model/settings';
import type { PullForecast, PushFork, CompetingPull, EditedPullText } from '#model/pull';
import type { Contract } from '#model/contract';
import type { Assessment, PlanEscalation, OverruledRule, Grade } from '#model/assessment';
import {
  type CheckResult,
  type ContainmentLevel,
  type ExposedCredential,
  type CheckConfigFiles,
  findBaselineStops,
  type Baseline,
  type BaselineStop,
} from '#model/evidence';
import type {
  Commit,
  ForeignHead,
  BaseMerge,
  MergedBase,
  DiscardedEdits,
  SurvivalObserved,
} from '#model/change';
import type { AgentSession, ModelUsage } from '#model/reports';
import { enginesInTurn, hasOrderedChecks, type Order, type MergedPull } from '#model/order';
import { type PullSetup } from '#model/opening';
import type { AgentClaims, QuestionOutcome, ReportedChange, StepReport } from '#model/agent';
import type { HeardLesson, AgentPlan } from '#model/feedback';
import type { OwnKeySignature, Proposal, SealFields } from '#model/seal';
import type { IssueFacts, RecordedAnswer } from '#model/requirements';
import type { BudgetKind, RaisedBounds } from '#model/limits';
import { isSpending, isWorking, type RunState } from '#model/run';
import type { RemarkRecord, TriageItem, PostedAnswers, PendingReplies, ReviewTriage } from '#model/review';
import type { ReaderLimitReached } from '#model/values';
import type { ProposerRotation } from './proposer-rotation.ts';
import type { OperatorWords } from './operator-words.ts';
import type { RunPermissions } from './permissions.ts';
import type { Reason } from './reasons.ts';
import type { LoopCounts, AgentRound } from './round-table.ts';
import type { CheckComparison, ObservedFacts } from './observed-facts.ts';
import type { InputOf, ResultType } from './input-types.ts';

export type ApprovalKind = 'push' | 'open_pr' | 'reply';

/** A card that waits for a signature: at most one per run. */
export type LiveApproval = {
  id: string;
  kind: ApprovalKind;
  digest: string;
  expiresAt: number;
  /** End of the last interval in which nobody could answer (epoch ms). */
  frozenUntil?: number;
  needed: number;
  signatures: {
    id: string | null;
    name: string;
    at: number;
    publicName?: string;
    ownKey?: OwnKeySignature;
    /** G10: the role that they had. */
    role?: UserRole;
  }[];
};

export type CommitEvaluation = {
  commitSha: string;
  passed: boolean;
  checks: CheckResult[];
  assessment: Assessment;
  grade: Grade | null;
  checkConfigFiles?: CheckConfigFiles;
};

export type AssessedPublication = { action: 'push' | 'open_pr'; assessment: Assessment };

export type RunLifecycle = {
  state: RunState;
  /** Number of events; the compare-and-set value of every step. */
  version: number;
  /** The version at which the state was entered: older effects and timers are void. */
  epoch: number;
  createdAt: number;
  stateEnteredAt: number;
  updatedAt: number;
  reason: Reason;
  resumeState: RunState | null;
  pausedEpoch: number | null;
  counts: LoopCounts & {
    retries: number;
    outsideFailures: number;
    reminders: number;
    providerWaits: number;
  };
  /** Start of the current wait for a provider (epoch ms), and whether people were told of it. */
  providerWait: { startedAt: number; announced: boolean } | null;
  workedMs: number;
  usage: ModelUsage;
  /** Part of `usage` is an upper bound. */
  usageIsBound?: true;
  outputBytes: number;
  raisedLimits: RaisedBounds;
  warnedBudgets: BudgetKind[];
  /** A result that arrived while paused and is used on resume. */
  deferredResult: { input: InputOf<ResultType>; effectEpoch: number } | null;
};

export type RunTarget = {
  contract: Contract | null;
  /** E15: results of installs and checks on the base; null before they ran. */
  baseline: Baseline | null;
  /** Installations and checks that a user goes on without. */
  waivedChecks: string[];
  readingMs?: number;
  agentDiscovery: { added: number; refused: number } | null;
  /** Reason why a user must see the plan first; null when none is needed, or it was seen. */
  escalation: PlanEscalation | null;
  /** What a user said yes to; the same is not asked again. */
  acceptedPlan?: PlanEscalation;
  /** Bans that an approver calls rules about something else. */
  overruledBans: readonly OverruledRule[];
  /** The issue of the order, as it was when it was read; null when the order names none. */
  issue: IssueFacts | null;
  mergedPull?: MergedPull;
  base: { ref: string; sha: string; repoId: string } | null;
  /** Current `owner/name`, when it differs from the ordered one. */
  renamedTo?: string;
  /** F12: retargeted, and `commitSha` is not compared yet; the workspace is at `workspaceSha`. */
  pendingBaseChange?: { from: string; to: string; commitSha: string; workspaceSha: string } | null;
  /** O10: the last part of the repository that could not be read; absent when all could. */
  readFailure?: ReaderLimitReached;
  /** Push target; null for the repository itself. */
  fork: PushFork | null;
  commitTrailers: readonly string[];
  competingPulls: readonly CompetingPull[];
  /** What pull requests of others met there lately; absent where too few say anything. */
  pullForecast?: PullForecast;
  requiresSignedCommits: boolean;
  requirementAnswers: readonly RecordedAnswer[];
};

/** E21: what a card showed before a person asked for changes to it. */
export type EarlierCard = {
  commit: Commit;
  /** The head of our branch then. */
  pushedSha: string | null;
  commitTrailers: readonly string[];
  agent: Pick<
    RunAgent,
    | 'summary'
    | 'wholeSummary'
    | 'claims'
    | 'agentReports'
    | 'fixSummaries'
    | 'additionSummaries'
    | 'planStepReports'
  >;
};

type RunChange = {
  commit: Commit | null;
  cleanRevert?: true;
  /** The newest last. */
  earlierCards?: readonly EarlierCard[];
  evaluation: CommitEvaluation | null;
  pushedHead: { branch: string; sha: string } | null;
  /** First publication (epoch ms); null while nothing is public. */
  publicSince: number | null;
  /** Every commit that we pushed or tried to push; any other head of our branch is foreign. */
  ownCommits: string[];
  /** A foreign head, its content once read, and the user who wants to adopt it. */
  foreignHead: { sha: string; head: ForeignHead | null; epoch: number; adoptedBy: string | null } | null;
  /** The state that a foreign head interrupted in this epoch, and whether a user was called about it. */
  beforeForeign?: {
    epoch: number;
    state: RunState;
    reason: Reason;
    resumeState: RunState | null;
    called: boolean;
  };
  adoptedHead: { sha: string; author: string; by: string } | null;
  pendingMerge: BaseMerge | null;
  mergedBase: MergedBase | null;
  /** The workspace is reset to this commit before the next agent round. */
  resetTo: string | null;
  /** When that was asked for (epoch ms): edits of a later round stay. Absent in older records. */
  resetAskedAt?: number;
  /** What our branch has, with the summaries of its fixes; absent before the first push. */
  pushed?: { commit: Commit; fixSummaries: readonly string[] };
};

/** G11: `by` is the person's id in the chat, which no receipt says. */
export type SignedByKey = { by: string; signature: OwnKeySignature };

export type ConsumedApproval = {
  id: string;
  digest: string;
  kind: ApprovalKind;
  by: string;
  /** G7: present when one of them chose a public name. */
  signers?: { name: string; publicName?: string }[];
  /** G11: of those who signed with a key of their own. */
  ownKeys?: SignedByKey[];
  /** G10: the opening looks again at who they are; absent in older records. */
  signedBy?: { id: string; name: string }[];
  /** G10: the admin who lets it be opened outside its hours. */
  openNow?: string;
  epoch: number;
  at?: number;
  fields: SealFields;
};

export type RunGate = {
  /** The push or opening that the governor denied, until something else is judged. */
  deniedAction: AssessedPublication | null;
  proposal: Proposal | null;
  approval: LiveApproval | null;
  editedPrText: EditedPullText | null;
  consumedApproval: ConsumedApproval | null;
};

export type RunUpstream = {
  /** The id as its code host writes it (`#12`, `group/project!12`), and our last description. */
  pullRequest: {
    id: string;
    url: string;
    body?: string;
    /** F13: what was signed to be set once it is open, and what of it was done. */
    setup?: PullSetup;
    setUp?: { fields?: true; ready?: true };
    /** F5: who let its link be posted where the order came from, and what became of it. */
    comment?: { by: string; outcome: 'asked' | 'posted' | 'refused' | 'unclear' };
  } | null;
  observed: ObservedFacts;
  survival?: readonly SurvivalObserved[];
  ciComparison: CheckComparison | null;
};

type RunReview = {
  triage: ReviewTriage | null;
  /** Remarks chosen to be fixed or answered, until the answers are posted. */
  chosenRemarks: TriageItem[];
  pendingReplies: PendingReplies | null;
  postedReplies: PostedAnswers | null;
  remarks?: RemarkRecord;
};

/** E21: `chat` is where it was asked, null elsewhere; `outcome` is null while it is open. */
export type PersonQuestion = {
  id: string;
  text: string;
  by: string;
  chat: string | null;
  askedAt: number;
  outcome: QuestionOutcome | null;
};

export type RepeatedCall = { call: string; times: number; of: number };

export type RunAgent = {
  advice: string[];
  session: AgentSession | null;
  summary: string;
  /** F11: summary of the whole change; a fix has its own. */
  wholeSummary?: string;
  claims: AgentClaims;
  /** E19: it heard once that its tests pass without its change. */
  greenTestsReported?: true;
  agentReports: ReportedChange;
  fixSummaries: string[];
  /** F11: what people had added before the pull request, oldest first. */
  additionSummaries?: string[];
  orderedFixesDone?: readonly { title: string; changed: boolean; report?: ReportedChange }[];
  /** Reports of plan steps that changed something; absent before the first. */
  planStepReports?: readonly StepReport[];
  containment: ContainmentLevel | null;
  exposedCredentials: ExposedCredential | null;
  plan: { plan: AgentPlan; violations: number } | null;
  round: AgentRound;
  /** F5: what was said of a campaign's change, oldest first; outlives the rounds that heard it. */
  lessons?: readonly HeardLesson[];
  permissions?: RunPermissions;
  /** E21: what operators told it while it worked, oldest first; absent before the first. */
  operatorWords?: readonly OperatorWords[];
  /** E21: the newest last; only that one may be open. */
  personQuestions?: readonly PersonQuestion[];
  /** C4: what people were told of in this round; empty once another begins. */
  repeatedCalls?: readonly (RepeatedCall & { slot: string })[];
  /** Absent until the second of several engines begins. */
  proposerRotation?: ProposerRotation;
  /** Edits of the last round that were lost: the next round is told. */
  discardedEdits: DiscardedEdits | null;
};

export type Run = {
  /** Both are constant after creation. */
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

export const RUN_RECORDS = [
  'order', 'lifecycle', 'target', 'change', 'gate', 'upstream', 'review', 'agent',
] as const satisfies (keyof Run)[]; // oxfmt-ignore
export type RunRecordName = (typeof RUN_RECORDS)[number];

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

/** Copies two levels, so that records can be written to while the given run stays unchanged. */
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

/** E15: reasons not to start an agent; empty when there are none, or a user waived them. */
export const unwaivedBaselineStops = (run: Run, baseline: Baseline): BaselineStop[] =>
  findBaselineStops(baseline, { ordered: hasOrderedChecks(run), without: run.target.waivedChecks });
export const hasPassingBaseline = (run: Run): boolean =>
  run.target.baseline !== null && unwaivedBaselineStops(run, run.target.baseline).length === 0;

export const digestFor = (
  { gate: { proposal }, review: { pendingReplies: replying } }: Run,
  kind: ApprovalKind,
): string | null => (kind === 'reply' ? replying?.proposal.digest : proposal?.digest) ?? null;

export const lastAssessedPublication = ({
  gate: { deniedAction: denied, proposal },
  change: { evaluation },
}: Run): AssessedPublication | null => {
  if (denied) return denied;
  const fields = proposal?.fields;
  if (fields && (!evaluation || fields.headSha === evaluation.commitSha))
    return { action: fields.action, assessment: fields.assessment };
  return evaluation && { action: 'push', assessment: evaluation.assessment };
};

export const repositoryOf = ({
  target: { renamedTo: repository },
  order,
}: Pick<Run, 'order'> & { target: Pick<RunTarget, 'renamedTo'> }): string => repository ?? order.repo;

export const runLabel = (run: Run): string => `${repositoryOf(run)} · ${run.id}`;

/** A slot of `max_parallel_runs` is taken by a working process, not by a waiting run. */
export const isHoldingSlot = (run: Run): boolean => {
  // guard: F5-turn-no-slot
  if (run.lifecycle.reason.kind === 'write_slot_wait') return false;
  return (
    isWorking(run.lifecycle.state) &&
    run.gate.approval === null &&
    !(run.lifecycle.state === 'PLAN_READY' && run.target.escalation !== null)
  );
};

/** E8: set by the order or by the repository; never with several fixes or several engines. */
export const hasPlanLoop = ({
  order,
  target: { contract },
}: Pick<Run, 'order'> & { target: Pick<RunTarget, 'contract'> }): boolean =>
  !order.fixes && enginesInTurn(order).length === 0 && (order.flow === 'plan' || contract?.flow === 'plan');

/** E6: states in which agents and checks use up budgets; DISCOVERY checks the base. */
export const isSpendingState = (state: RunState): boolean => isSpending(state) || state === 'DISCOVERY';

export const isResolving = (run: { change: Pick<RunChange, 'pendingMerge' | 'commit'> }): boolean =>
  !!run.change.pendingMerge && run.change.commit?.base !== run.change.pendingMerge.sha;

/** E17: last known commit of the workspace; any difference is an agent's uncommitted work. */
export const workspaceShaOf = (run: {
  change: Pick<RunChange, 'commit' | 'pendingMerge'>;
  target: Pick<RunTarget, 'base'>;
}): string | null => {
  const { commit, pendingMerge: merging } = run.change;
  const { base } = run.target;
  if (merging && isResolving(run)) return merging.workspaceSha;
  return commit && commit.base === base?.sha ? commit.sha : (base?.sha ?? null);
};

export const isBaseUpdateDue = ({ agent: { round }, change: { pendingMerge: merging } }: Run): boolean =>
  round.kind === 'update_from_base' && !merging;

/** A fix that nothing has rejected yet continues with its checks, not with the agent. */
export const isFixAwaitingChecks = ({
  change: { commit, pushedHead: pushed, evaluation },
  agent: { round },
}: Run): boolean => {
  if (commit?.sha === pushed?.sha) return false;
  if (['person_advice', 'update_from_base', 'kept_edits'].includes(round.kind)) return false;
  return evaluation?.commitSha !== commit?.sha || (evaluation?.passed === true && round.kind === 'implement');
};

export const findOpenQuestion = ({
  agent: { personQuestions = [] },
}: Pick<Run, 'agent'>): PersonQuestion | null =>
  personQuestions.find(({ outcome }) => outcome === null) ?? null;
