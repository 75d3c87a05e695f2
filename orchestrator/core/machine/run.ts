/** The run: the fold of its events. Everything here can be rebuilt from the log. */
import type {
  Assessment,
  CheckResult,
  Commit,
  Containment,
  Contract,
  Escalation,
  Head,
  Merging,
  Judges,
  Session,
  Undone,
  Usage,
  Grade,
} from '../facts.ts';
import type { Claims } from '../govern/grade.ts';
import type { Proposal, SealFields } from '../seal.ts';
import type { Order } from '../order.ts';
import type { Budget, Raised } from '../bounds.ts';
import type { Plan } from '../plan.ts';
import type { Reason } from './reasons.ts';
import type { Counts, Round } from './rounds.ts';
import { isSpending, isWorking, type State } from '../states.ts';
import type { Blind } from './sight.ts';
import type { CiFacts } from './verdict.ts';
import type { Reworded } from './words.ts';
import type { InputOf, ResultType } from './inputs.ts';

export type ApprovalKind = 'push' | 'open_pr';

/** A card that waits for a signature. There is at most one for a run; consuming or voiding it ends it for good. */
export type Approval = {
  id: string;
  kind: ApprovalKind;
  digest: string;
  /** Epoch ms. */
  expiresAt: number;
  needed: number;
  signatures: { id: number | null; name: string; at: number }[];
};

export type Review = {
  state: 'approved' | 'changes_requested' | 'commented' | 'dismissed';
  access: 'write' | 'read' | 'unknown';
  commitSha: string;
  body: string;
  at: number;
  /** The change it asks for has been given to the agent or to a person. */
  handled: boolean;
};

/** The base has all that we build upon; it moved on; it moved on and conflicts. */
export type Standing = 'level' | 'behind' | 'conflicts';

/** Forge facts, whatever their order. The state is settled from them. */
export type Seen = {
  pull: {
    number: number;
    state: 'open' | 'closed';
    merged: boolean;
    headSha: string;
    by: string | null;
    /** How its base stands to it, when the forge last knew. */
    standing?: Standing;
  } | null;
  /** Head of our branch on the forge; null when never seen or deleted. */
  head: string | null;
  ci: Record<string, CiFacts>;
  /** Newest opinion of each reviewer. */
  reviews: Record<string, Review>;
  /** The newest remark of each reviewer that was told, by its number. */
  heard: Record<string, number>;
  /** Addresses of the newest comments: each is told once. */
  comments: string[];
  /** Why looks fail now; null when they do not. */
  blind: Blind | null;
};

export type Evaluation = {
  commitSha: string;
  passed: boolean;
  checks: CheckResult[];
  assessment: Assessment;
  /** Null when nobody graded it. */
  grade: Grade | null;
  /** What judges the change and is part of it; absent when nothing is. */
  judges?: Judges;
};

/** What the governor last said of publishing. */
export type Judged = { action: 'push' | 'open_pr'; assessment: Assessment };

export type Run = {
  id: string;
  order: Order;
  state: State;
  /** Number of events; the compare-and-set value of every step. */
  version: number;
  /** The version at which the state was last entered: effects and timers of an older epoch are void. */
  epoch: number;
  /** Epoch ms. */
  createdAt: number;
  since: number;
  updatedAt: number;
  /** Why it stands where it stands. */
  reason: Reason;
  /** Where PAUSED, FAILED_RETRYABLE or NEEDS_HUMAN_REVIEW came from. */
  back: State | null;
  /** The epoch that a pause interrupted; null when not paused. */
  pausedEpoch: number | null;
  contract: Contract | null;
  /** Why a person must see the plan first; null when nobody must, or somebody did. */
  escalation: Escalation | null;
  base: { ref: string; sha: string; repoId: number } | null;
  commit: Commit | null;
  evaluation: Evaluation | null;
  /** The push or opening that the governor denied, until something else is judged. */
  denied: Judged | null;
  /** What we last pushed and read back. */
  pushed: { branch: string; sha: string } | null;
  /** Every commit that we pushed or asked to push; any other head of our branch is somebody else's. */
  ours: string[];
  /** A head that is not ours, what it is once that was read, and who wants to go on from it. */
  foreign: { sha: string; head: Head | null; epoch: number; takenBy: string | null } | null;
  /** Somebody else's head that we went on from last. */
  taken: { sha: string; author: string; by: string } | null;
  merging: Merging | null;
  /** What of the base was merged last and is pushed. */
  merged: Pick<Merging, 'ref' | 'sha' | 'commits'> | null;
  /** The commit that the workspace has to be brought to before an agent works in it again. */
  lay: string | null;
  proposal: Proposal | null;
  approval: Approval | null;
  /** What people said to the agent when they let it go on, oldest first. */
  advice: string[];
  /** Words of a person for the pull request. */
  words: Reworded | null;
  /** The approval that was last used up, for what, and in which epoch. */
  consumed: {
    id: string;
    digest: string;
    kind: ApprovalKind;
    by: string;
    epoch: number;
    fields: SealFields;
  } | null;
  pr: { number: number; url: string } | null;
  seen: Seen;
  session: Session | null;
  summary: string;
  /** What the agent claims besides. */
  claims: Claims;
  containment: Containment | null;
  /** The plan of a run that keeps one, as we last accepted it, and how often its guards were broken. */
  plan: { plan: Plan; violations: number } | null;
  /** What the next round of the agent is about. */
  round: Round;
  counts: Counts & {
    retries: number;
    failedOutside: number;
    reminders: number;
    /** Times that a provider was waited for since the last success. */
    rateWaits: number;
  };
  /** Since when (epoch ms) a provider is waited for, and whether people were told that it takes long. */
  waiting: { since: number; told: boolean } | null;
  /** Edits of the last round that did not stay: the next one is told. */
  undone: Undone | null;
  /** Agent and check time so far, in ms. */
  workedMs: number;
  usage: Usage;
  /** What agents and checks printed so far, in bytes. */
  outputBytes: number;
  /** Limits that people raised, and the budgets whose present limit was warned of. */
  raised: Raised;
  warned: Budget[];
  /** A result that arrived while paused and is used on resume. */
  kept: { input: InputOf<ResultType>; effectEpoch: number } | null;
};

/** P3: the newest word of the governor on this run, which answers “which policy stopped this?”. */
export const lastJudged = ({ denied, proposal, evaluation }: Run): Judged | null => {
  if (denied) return denied;
  const fields = proposal?.fields;
  if (fields && (!evaluation || fields.headSha === evaluation.commitSha))
    return { action: fields.action, assessment: fields.assessment };
  return evaluation && { action: 'push', assessment: evaluation.assessment };
};

/** `owner/name` and id: how a person finds a run. */
export const label = (run: Run): string => `${run.order.repo} · ${run.id}`;

/** Whether the run holds a slot of `max_parallel_runs`: a process of ours works for it, and no person is waited for. */
export const holdsSlot = (run: Run): boolean =>
  isWorking(run.state) && run.approval === null && !(run.state === 'PLAN_READY' && run.escalation !== null);

/** E8: by the order, or because the repository asks for it. */
export const keepsPlan = ({ order, contract }: Pick<Run, 'order' | 'contract'>): boolean =>
  order.flow === 'plan' || contract?.flow === 'plan';

/** E6: states in which agents and checks use up budgets; an agent that reads first does so, too. */
export const spendsIn = ({ order }: Pick<Run, 'order'>, state: State): boolean =>
  isSpending(state) || (state === 'DISCOVERY' && order.discovery === 'agent');

/** An agent was asked to resolve conflicts, and has not been heard of since. */
export const isResolving = ({ merging, commit }: Pick<Run, 'merging' | 'commit'>): boolean =>
  !!merging && commit?.base !== merging.sha;

/** E17: the commit that the workspace was last known to be; what is different there is an agent's, and not committed yet. */
export const workspaceAt = (run: Pick<Run, 'commit' | 'base' | 'merging'>): string | null => {
  const { commit, base, merging } = run;
  if (merging && isResolving(run)) return merging.laid;
  return commit && commit.base === base?.sha ? commit.sha : (base?.sha ?? null);
};

/** The base was not merged yet; what conflicts is the agent's. */
export const isToUpdate = ({ round, merging }: Run): boolean => round.kind === 'merge_base' && !merging;

/** A fix was made that nobody has found wanting yet: it goes on with its checks, not with the agent. */
export const fixWaits = ({ commit, pushed, evaluation, round }: Run): boolean => {
  if (commit?.sha === pushed?.sha) return false;
  if (round.kind === 'advised' || round.kind === 'merge_base') return false;
  return evaluation?.commitSha !== commit?.sha || (evaluation?.passed === true && round.kind === 'implement');
};
