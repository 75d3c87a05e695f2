/** Permits a round while budgets and bounds last, and stops a run without them. */
import type { BudgetKind, BudgetWorker } from '#model/limits';
import { feedbackSummary, type Feedback } from '#model/feedback';
import {
  accountOf,
  boundsOf,
  isUsageBound,
  nextBudgetLimit,
  remainingRunMs,
  findExhaustedBudget,
} from './run-budget.ts';
import { enterState } from './enter-state.ts';
import { type StepDraft } from './step-draft.ts';
import type { Reason, ReasonOf } from '../run/reasons.ts';
import { nextRoundFor, type AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';

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
