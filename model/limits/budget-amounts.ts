/** Amounts of budgets, as orders grant them and people write them. */
import { BUDGET_KINDS, RunBounds, type BudgetKind, type RaisedBounds } from './run-bounds.ts';
import { MB, MINUTE } from '#model/values';

/** `bound` names the limit of runs with or without a plan; `unit` is what people count in. */
export const BUDGET_BOUNDS: Record<
  BudgetKind,
  { bound: (plans: boolean) => keyof RaisedBounds; unit: number }
> = {
  time: { bound: () => 'runMs', unit: MINUTE },
  tokens: { bound: () => 'maxTokens', unit: 1 },
  cost: { bound: () => 'maxCostUsd', unit: 1 },
  output: { bound: () => 'maxOutputBytes', unit: MB },
  iterations: { bound: () => 'maxIterations', unit: 1 },
  fixes: { bound: (plans) => (plans ? 'maxStepFixes' : 'maxReflections'), unit: 1 },
};

export const mayBeUnlimited = (budget: BudgetKind): boolean =>
  RunBounds.shape[BUDGET_BOUNDS[budget].bound(false)].safeParse(null).success;

export const toShownAmount = (budget: BudgetKind, amount: number): number =>
  Math.round((amount / BUDGET_BOUNDS[budget].unit) * 100) / 100;
export const toStoredAmount = (budget: BudgetKind, amount: number): number =>
  budget === 'cost' ? amount : Math.ceil(amount * BUDGET_BOUNDS[budget].unit);

/** Amount in minutes, tokens, dollars, MB or times; `more` adds to the present limit. */
type BudgetAmount = { amount: number; more: boolean };
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000, h: 60 };

/** Parses `30`, `2h`, `200k`, `$1.50` or `+10`; null when it is no valid amount of that budget. */
export const readAmount = (budget: BudgetKind, text: string): BudgetAmount | null => {
  const [, sign, digits, factor = ''] = /^(\+?)\$?(\d{1,12}(?:\.\d{1,4})?)([kmh]?)$/i.exec(text) ?? [];
  const unit = factor.toLowerCase();
  const fits = unit === '' || (unit === 'h' ? budget === 'time' : budget === 'tokens');
  const amount = Number(digits) * (FACTORS[unit] ?? 1);
  if (digits === undefined || !fits || amount === 0) return null;
  const bound = RunBounds.shape[BUDGET_BOUNDS[budget].bound(false)].safeParse(toStoredAmount(budget, amount));
  return bound.success ? { amount, more: sign === '+' } : null;
};

export type GrantedBudget = { budget: BudgetKind; amount: number };
/** Parses a budget of one order, such as `cost:2`. */
export const parseGrantedBudget = (
  text: string,
): GrantedBudget | { problem: 'budget' | 'amount'; text: string } => {
  const [, name = '', value = ''] = /^([^:=]*)[:=]?(.*)$/s.exec(text.toLowerCase()) ?? [];
  const budget = BUDGET_KINDS.find((one) => one === name);
  if (!budget) return { problem: 'budget', text: name };
  const read = readAmount(budget, value);
  return read && !read.more ? { budget, amount: read.amount } : { problem: 'amount', text: value };
};

export const withGrantedBudgets = (
  bounds: RunBounds,
  { flow }: { flow: 'direct' | 'plan' },
  granted: readonly GrantedBudget[],
): RunBounds => ({
  ...bounds,
  ...Object.fromEntries(
    granted.map(({ budget, amount }) => [
      BUDGET_BOUNDS[budget].bound(flow === 'plan'),
      toStoredAmount(budget, amount),
    ]),
  ),
});

/** Lists budgets above the defaults; only an approver may grant those. */
export const budgetsBeyond = (bounds: RunBounds, wider: RunBounds): BudgetKind[] =>
  BUDGET_KINDS.filter((budget) =>
    [true, false].some((plans) => {
      const key = BUDGET_BOUNDS[budget].bound(plans);
      return (wider[key] ?? Infinity) > (bounds[key] ?? Infinity);
    }),
  );
