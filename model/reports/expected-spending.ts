/** Range that a run may be expected to take, and the budgets that would be too small for it (O4). */
import type { BudgetKind } from '#model/limits';
import { MINUTE } from '#model/values';

export type SpendingRange = { low: number; high: number };
/** `costUsd` is null where engines do not say what they cost; the limits are the order's. */
export type ExpectedSpending = { runs: number; ms: SpendingRange; costUsd: SpendingRange | null };
export type OrderExpectation = ExpectedSpending & { limitMs: number; limitUsd: number | null };

const ROOM = 1.5;
const roundUp = (amount: number, step: number): number => Math.ceil(amount / step) * step;

/** What to raise where the highest of past runs is above the limit, with room. */
export const findTooLowBudgets = ({
  ms,
  costUsd,
  limitMs,
  limitUsd,
}: OrderExpectation): { budget: BudgetKind; amount: number }[] => [
  ...(ms.high > limitMs ? [{ budget: 'time' as const, amount: roundUp((ms.high * ROOM) / MINUTE, 10) }] : []),
  ...(costUsd && limitUsd !== null && costUsd.high > limitUsd
    ? [{ budget: 'cost' as const, amount: roundUp(costUsd.high * ROOM * 100, 10) / 100 }]
    : []),
];
