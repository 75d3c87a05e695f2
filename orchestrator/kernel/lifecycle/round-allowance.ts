/** Counts what a step uses against budgets, warns people, and stops rounds that exceed them. */
import type { BudgetKind, BudgetWorker } from '#model/limits';
import type { AgentSession, ModelUsage } from '#model/reports';
import { feedbackSummary, type Feedback } from '#model/feedback';
import {
  accountOf,
  boundsOf,
  isUsageBound,
  nextBudgetLimit,
  listNearBudgets,
  remainingRunMs,
  findExhaustedBudget,
} from './run-budget.ts';
import { enterState } from './enter-state.ts';
import { addMessage, type StepDraft } from './step-draft.ts';
import type { Reason, ReasonOf } from '../run/reasons.ts';
import { nextRoundFor, type AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';

export type RoundSpent = {
  session: AgentSession | null;
  usage: ModelUsage;
  ms: number;
  outputBytes?: number;
};

export const countSpending = (draft: StepDraft, spent: RoundSpent): void => {
  const { run } = draft;
  run.agent.session = spent.session ?? run.agent.session;
  if (spent.outputBytes) run.lifecycle.outputBytes += spent.outputBytes;
  run.lifecycle.workedMs += spent.ms;
  run.lifecycle.usage = {
    inputTokens: run.lifecycle.usage.inputTokens + spent.usage.inputTokens,
    outputTokens: run.lifecycle.usage.outputTokens + spent.usage.outputTokens,
    costUsd: run.lifecycle.usage.costUsd + spent.usage.costUsd,
  };
  warnOfBudgets(draft);
};

/** One message for each limit: it is drawn anew, and loses its button, when the limit is raised. */
export const warnOfBudget = (
  draft: StepDraft,
  of: { budget: BudgetKind; used: number; limit: number },
  how: { urgent?: true; sound?: true },
): void =>
  addMessage(
    draft,
    { view: 'budget', ...of },
    { slot: `budget:${draft.run.id}:${of.budget}:${of.limit}`, ...how },
  );

/** E6: warns once per limit. */
export const warnOfBudgets = (draft: StepDraft): void => {
  const { run } = draft;
  const told = run.lifecycle.warnedBudgets;
  const fresh = listNearBudgets(run).filter((budget) => !told.includes(budget));
  if (fresh.length === 0) return;
  run.lifecycle.warnedBudgets = [...told, ...fresh];
  for (const budget of fresh) {
    const { used, limit } = accountOf(run, budget);
    if (limit === null) continue;
    warnOfBudget(draft, { budget, used, limit }, { sound: true });
  }
};

export const toBudgetReason = (
  run: Run,
  budget: BudgetKind,
  about: Feedback | null = null,
): ReasonOf<'budget_exhausted'> => {
  const { used, limit } = accountOf(run, budget);
  const raise = nextBudgetLimit(run, budget);
  const bound = isUsageBound(run, budget) ? ({ atMost: true } as const) : {};
  return { kind: 'budget_exhausted', run: run.id, budget, used, ...bound, limit: limit ?? 0, raise, about };
};

export const stopForBudget = (draft: StepDraft, budget: BudgetKind): void =>
  enterState(draft, 'NEEDS_HUMAN_REVIEW', toBudgetReason(draft.run, budget));

/** Returns the wanted round when its bound and the budgets allow it, else the reason. */
export const permitRound = (
  run: Run,
  wanted: AgentRound,
  by: BudgetWorker = 'agent',
): { round: AgentRound; counts: Run['lifecycle']['counts'] } | { stop: Reason } => {
  const spent = findExhaustedBudget(run, by);
  if (spent) return { stop: toBudgetReason(run, spent) };
  const found = nextRoundFor(wanted, {
    counts: run.lifecycle.counts,
    bounds: boundsOf(run),
    msLeft: remainingRunMs(run),
  });
  if ('round' in found) return found;
  const { stop } = found;
  return {
    stop: typeof stop === 'string' ? toBudgetReason(run, stop, feedbackSummary(wanted.feedback)) : stop,
  };
};
