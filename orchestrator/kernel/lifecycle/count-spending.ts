/** Counts what a step used against budgets, and warns people of those that are nearly used up. */
import type { BudgetKind } from '#model/limits';
import type { AgentSession, ModelUsage } from '#model/reports';
import { listNearBudgets, accountOf } from './run-budget.ts';
import { type StepDraft, addMessage } from './step-draft.ts';

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
