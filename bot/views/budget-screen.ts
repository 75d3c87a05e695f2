/** Renders what a run used of its budgets. */
import { type BudgetKind, BUDGET_KINDS } from '#model/limits';
import { accountOf } from '#kernel';
import type { Run } from '#run';
import type { LanguageTexts } from '#language';
import { fitLines, escapeLine } from '../text/telegram-html.ts';
import { formatBudgetAmount, formatUsage } from './reason-messages.ts';
import { runName } from './run-lines.ts';

export const renderBudget = (run: Run, words: LanguageTexts, listOfPrices?: string): string => {
  const { budgets, budget } = words;
  const { names } = budgets;
  const {
    lifecycle: { counts, usage },
  } = run;
  // Tokens without a cost mean that the model's price is unknown.
  const isUntold = usage.costUsd === 0 && usage.inputTokens + usage.outputTokens > 0;
  const formatAmount = (one: BudgetKind, amount: number): string => formatBudgetAmount(one, amount, words);
  const lines = BUDGET_KINDS.map((one) => {
    const { used, limit, left } = accountOf(run, one);
    return limit === null || left === null
      ? budgets.open(
          names[one],
          one === 'cost' && isUntold ? budgets.untold : formatUsage(run, one, used, words),
        )
      : budgets.line(
          names[one],
          formatUsage(run, one, used, words),
          formatAmount(one, limit),
          formatAmount(one, left),
        );
  });
  return fitLines([
    `<b>${runName(run)}</b>`,
    budgets.title,
    ...lines.map((line) => escapeLine(line)),
    ...(listOfPrices === undefined ? [] : [escapeLine(budgets.pricesOf(listOfPrices))]),
    escapeLine(budgets.split(usage.inputTokens, usage.outputTokens)),
    ...(run.lifecycle.usageIsBound === true ? [escapeLine(budgets.bound)] : []),
    budget.retries(counts.retries, run.order.bounds.maxStepRetries),
    escapeLine(budgets.raiseWith(`/budget ${run.id} ${BUDGET_KINDS.join('|')} +…`)),
  ]);
};
