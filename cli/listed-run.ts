/** What `agentpr run list --json` says of a run: fields that stay the same from version to version. */
import { riskOfCard, findWaitingKind } from '#views';
import { lastAssessedPublication, repositoryOf, type Run } from '#run';
import { roleNeededFor } from '#commands';
import type { UserRole } from '#model/settings';
import type { RunState } from '#model/run';

/** `approver` and `operator`: people of this installation with at least that role. */
type WaitedFor = Exclude<UserRole, 'viewer'> | 'slot' | 'provider' | 'ci' | 'maintainer';

export type ListedRun = {
  id: string;
  repository: string;
  goal: string;
  state: RunState;
  /** What the run cannot go on without; null while it works and when it is over. */
  waitsFor: WaitedFor | null;
  /** The pull request as its code host writes it (`#12`), and its address. */
  pullRequest: string | null;
  link: string | null;
  risk: 'low' | 'medium' | 'high' | null;
  /** US dollars; null where an agent worked and its engine tells no cost. */
  costUsd: number | null;
  inputTokens: number;
  outputTokens: number;
  engine: string;
  requestedBy: string;
  campaign: string | null;
  createdAt: string;
  /** When the run entered its state. */
  since: string;
};

const ANSWER_ROLES = {
  approval: roleNeededFor('approve'),
  question: roleNeededFor('approve'),
  human: roleNeededFor('retry'),
  plan: roleNeededFor('start'),
  paused: roleNeededFor('resume'),
} as const;

const findWaitTarget = (run: Run): WaitedFor | null => {
  const { state, reason, providerWait } = run.lifecycle;
  const sort = findWaitingKind(run);
  if (sort !== null) return ANSWER_ROLES[sort] as WaitedFor;
  if (providerWait !== null) return 'provider';
  if (state === 'QUEUED' || reason.kind === 'slot_wait' || reason.kind === 'write_slot_wait') return 'slot';
  if (state === 'CI_WAIT') return 'ci';
  return state === 'REVIEW_WAIT' ? 'maintainer' : null;
};

const isoDate = (at: number): string => new Date(at).toISOString();

export const toListedRun = (run: Run): ListedRun => {
  const { usage } = run.lifecycle;
  const hasUnknownCost = usage.costUsd === 0 && usage.inputTokens + usage.outputTokens > 0;
  return {
    id: run.id,
    repository: repositoryOf(run),
    goal: run.order.goal,
    state: run.lifecycle.state,
    waitsFor: findWaitTarget(run),
    pullRequest: run.upstream.pullRequest?.id ?? null,
    link: run.upstream.pullRequest?.url ?? null,
    risk: run.gate.approval ? riskOfCard(run) : (lastAssessedPublication(run)?.assessment.risk ?? null),
    costUsd: hasUnknownCost ? null : usage.costUsd,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    engine: run.order.engine,
    requestedBy: run.order.requester.name,
    campaign: run.order.campaign ?? null,
    createdAt: isoDate(run.lifecycle.createdAt),
    since: isoDate(run.lifecycle.stateEnteredAt),
  };
};
