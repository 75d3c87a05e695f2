/** E6: limits what a run may use over its whole life, including restarts and resumes. */
import {
  RunBounds,
  BUDGET_KINDS,
  BUDGET_WORKERS,
  type BudgetKind,
  type RaisedBounds,
  type BudgetWorker,
} from '../../model/run-bounds.ts';
import { keepsPlan, type Run } from '../run/run.ts';
import { MB, MINUTE } from '../../model/units.ts';

type Row = {
  bound: (plans: boolean) => keyof RaisedBounds;
  used: (run: Run) => number;
  /** Workers that stop when nothing is left; the others only begin nothing new. */
  stops: readonly BudgetWorker[];
  unit: number;
};

const rows: Record<BudgetKind, Row> = {
  time: { bound: () => 'runMs', used: (run) => run.lifecycle.workedMs, stops: BUDGET_WORKERS, unit: MINUTE },
  tokens: {
    bound: () => 'maxTokens',
    used: ({ lifecycle: { usage } }) => usage.inputTokens + usage.outputTokens,
    stops: ['agent'],
    unit: 1,
  },
  cost: {
    bound: () => 'maxCostUsd',
    used: ({ lifecycle: { usage } }) => usage.costUsd,
    stops: ['agent'],
    unit: 1,
  },
  output: {
    bound: () => 'maxOutputBytes',
    used: (run) => run.lifecycle.outputBytes,
    stops: BUDGET_WORKERS,
    unit: MB,
  },
  iterations: {
    bound: () => 'maxIterations',
    used: ({ lifecycle: { counts } }) => counts.iterations,
    stops: [],
    unit: 1,
  },
  fixes: {
    bound: (plans) => (plans ? 'maxStepFixes' : 'maxReflections'),
    used: (run) => (keepsPlan(run) ? run.lifecycle.counts.planStepFixes : run.lifecycle.counts.reflections),
    stops: [],
    unit: 1,
  },
};

export const boundsOf = (run: Run): RunBounds => ({ ...run.order.bounds, ...run.lifecycle.raisedLimits });

export type BudgetAccount = { used: number; limit: number | null; left: number | null };
export const accountOf = (run: Run, budget: BudgetKind): BudgetAccount => {
  const { bound, used: usedBy } = rows[budget];
  const used = usedBy(run);
  const limit = boundsOf(run)[bound(keepsPlan(run))];
  return { used, limit, left: limit === null ? null : Math.max(0, limit - used) };
};

/** Returns the first exhausted budget, or null when work may go on. */
export const usedUp = (run: Run, by: BudgetWorker = 'agent'): BudgetKind | null =>
  BUDGET_KINDS.find((budget) => rows[budget].stops.includes(by) && accountOf(run, budget).left === 0) ?? null;

/** Lists budgets past their warning share; budgets of a single step never warn. */
export const nearedBudgets = (run: Run): BudgetKind[] => {
  const { warnAt } = boundsOf(run);
  if (warnAt === null) return [];
  return BUDGET_KINDS.filter((budget) => {
    const { used, limit } = accountOf(run, budget);
    return budget !== 'fixes' && limit !== null && used > 0 && used >= limit * warnAt;
  });
};

export const mayBeUnlimited = (budget: BudgetKind): boolean =>
  RunBounds.shape[rows[budget].bound(false)].safeParse(null).success;

/** E18: a run with a cost limit and an unpriced model would stop again at once. */
export const lacksPrice = (run: Run): boolean =>
  run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' &&
  run.lifecycle.reason.kind === 'price_unknown' &&
  accountOf(run, 'cost').limit !== null;

export const withLimit = (run: Run, budget: BudgetKind, limit: number | null): RaisedBounds => ({
  ...run.lifecycle.raisedLimits,
  [rows[budget].bound(keepsPlan(run))]: limit,
});

export const inUnits = (budget: BudgetKind, amount: number): number =>
  Math.round((amount / rows[budget].unit) * 100) / 100;
export const fromUnits = (budget: BudgetKind, amount: number): number =>
  budget === 'cost' ? amount : Math.ceil(amount * rows[budget].unit);

/** Amount in minutes, tokens, dollars, MB or times; `more` adds to the present limit. */
export type BudgetAmount = { amount: number; more: boolean };
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000, h: 60 };

/** Parses `30`, `2h`, `200k`, `$1.50` or `+10`; null when it is no valid amount of that budget. */
export const readAmount = (budget: BudgetKind, text: string): BudgetAmount | null => {
  const [, sign, digits, factor = ''] = /^(\+?)\$?(\d{1,12}(?:\.\d{1,4})?)([kmh]?)$/i.exec(text) ?? [];
  const unit = factor.toLowerCase();
  const fits = unit === '' || (unit === 'h' ? budget === 'time' : budget === 'tokens');
  const amount = Number(digits) * (FACTORS[unit] ?? 1);
  if (digits === undefined || !fits || amount === 0) return null;
  const bound = RunBounds.shape[rows[budget].bound(false)].safeParse(fromUnits(budget, amount));
  return bound.success ? { amount, more: sign === '+' } : null;
};

export type GrantedBudget = { budget: BudgetKind; amount: number };
/** Parses a budget of one order, such as `cost:2`. */
export const readGranted = (text: string): GrantedBudget | { problem: 'budget' | 'amount'; text: string } => {
  const [, name = '', value = ''] = /^([^:=]*)[:=]?(.*)$/s.exec(text.toLowerCase()) ?? [];
  const budget = BUDGET_KINDS.find((one) => one === name);
  if (!budget) return { problem: 'budget', text: name };
  const read = readAmount(budget, value);
  return read && !read.more ? { budget, amount: read.amount } : { problem: 'amount', text: value };
};

export const boundsWith = (
  bounds: RunBounds,
  { flow }: { flow: 'direct' | 'plan' },
  granted: readonly GrantedBudget[],
): RunBounds => ({
  ...bounds,
  ...Object.fromEntries(
    granted.map(({ budget, amount }) => [rows[budget].bound(flow === 'plan'), fromUnits(budget, amount)]),
  ),
});

/** Lists budgets above the defaults; only an approver may grant those. */
export const budgetsBeyond = (bounds: RunBounds, wider: RunBounds): BudgetKind[] =>
  BUDGET_KINDS.filter((budget) =>
    [true, false].some((plans) => {
      const key = rows[budget].bound(plans);
      return (wider[key] ?? Infinity) > (bounds[key] ?? Infinity);
    }),
  );

export const moreThan = (run: Run, budget: BudgetKind): number => {
  const { used, limit } = accountOf(run, budget);
  const { unit } = rows[budget];
  const next = Math.max(limit ?? 0, used) * 1.5;
  if (budget === 'cost') return Math.ceil(next * 100) / 100;
  return Math.max(Math.ceil(next / unit), Math.floor((limit ?? 0) / unit) + 1) * unit;
};

export const remainingRunMs = (run: Run): number => Math.max(0, boundsOf(run).runMs - run.lifecycle.workedMs);
