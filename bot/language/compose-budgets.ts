/** Says amounts, ranges and limits of budgets. */
import type { CostCaution } from '#model/targets';
import type { OrderExpectation, SpendingRange } from '#model/reports';
import { MINUTE } from '#model/values';
import { extendSentences } from './extend-sentences.ts';
import type { SentenceTree } from './sentence-tree.ts';

const joinRange = (low: string, high: string): string => (low === high ? low : `${low}–${high}`);
const minuteRange = ({ low, high }: SpendingRange): string => {
  const formatMinutes = (ms: number): string => (ms < MINUTE ? '<1' : String(Math.round(ms / MINUTE)));
  return joinRange(formatMinutes(low), formatMinutes(high));
};
const dollarRange = ({ low, high }: SpendingRange): string => {
  const formatDollars = (usd: number): string => (usd < 0.01 ? '<0.01' : usd.toFixed(2));
  return `$${joinRange(formatDollars(low), formatDollars(high))}`;
};

export const composeBudgets = ({ budgets }: SentenceTree) => {
  const amounts = extendSentences(budgets.amounts, {
    time: (n: number) => budgets.amounts.time(Math.round(n * 10) / 10),
    cost: (n: number) => budgets.amounts.cost(n.toFixed(2)),
  });
  return extendSentences(budgets, {
    amounts,
    expected: ({ runs, ms, costUsd, limitMs, limitUsd }: OrderExpectation) =>
      budgets.expected(
        runs,
        costUsd ? dollarRange(costUsd) : null,
        minuteRange(ms),
        limitUsd === null ? null : amounts.cost(limitUsd),
        amounts.time(limitMs / MINUTE),
      ),
    caution: (found: CostCaution, limit: string) =>
      found.kind === 'no_price'
        ? budgets.cautionNoPrice(limit, found.model, found.engine, found.usualOf ?? null)
        : budgets.cautionUntold(limit, found.engine),
  });
};
