/** Limits what a run may use over its whole life, including restarts and resumes (E6). */
import {
  RunBounds,
  BUDGET_KINDS,
  BUDGET_WORKERS,
  type BudgetKind,
  type RaisedBounds,
  type BudgetWorker,
  BUDGET_BOUNDS,
} from '#model/limits';
import { hasPlanLoop, type Run } from '../run/run.ts';

type Row = {
  used: (run: Run) => number;
  /** Workers that stop when nothing is left; the others only begin nothing new. */
  stops: readonly BudgetWorker[];
};

const rows: Record<BudgetKind, Row> = {
  time: { used: (run) => run.lifecycle.workedMs, stops: BUDGET_WORKERS },
  tokens: { used: ({ lifecycle: { usage } }) => usage.inputTokens + usage.outputTokens, stops: ['agent'] },
  cost: { used: ({ lifecycle: { usage } }) => usage.costUsd, stops: ['agent'] },
  output: { used: (run) => run.lifecycle.outputBytes, stops: BUDGET_WORKERS },
  iterations: { used: ({ lifecycle: { counts } }) => counts.iterations, stops: [] },
  fixes: {
    used: (run) => (hasPlanLoop(run) ? run.lifecycle.counts.planStepFixes : run.lifecycle.counts.reflections),
    stops: [],
  },
};

export const boundsOf = (run: Run): RunBounds => ({ ...run.order.bounds, ...run.lifecycle.raisedLimits });

type BudgetAccount = { used: number; limit: number | null; left: number | null };
export const accountOf = (run: Run, budget: BudgetKind): BudgetAccount => {
  const used = rows[budget].used(run);
  const limit = boundsOf(run)[BUDGET_BOUNDS[budget].bound(hasPlanLoop(run))];
  return { used, limit, left: limit === null ? null : Math.max(0, limit - used) };
};

/** E18: what was used is said as “at most”. */
export const isUsageBound = (run: Run, budget: BudgetKind): boolean =>
  run.lifecycle.usageIsBound === true && (budget === 'tokens' || budget === 'cost');

/** Returns the first exhausted budget, or null when work may go on. */
export const findExhaustedBudget = (run: Run, by: BudgetWorker = 'agent'): BudgetKind | null =>
  BUDGET_KINDS.find((budget) => rows[budget].stops.includes(by) && accountOf(run, budget).left === 0) ?? null;

/** Lists budgets past their warning share; budgets of a single step never warn. */
export const listNearBudgets = (run: Run): BudgetKind[] => {
  const { warnAt } = boundsOf(run);
  if (warnAt === null) return [];
  return BUDGET_KINDS.filter((budget) => {
    const { used, limit } = accountOf(run, budget);
    return budget !== 'fixes' && limit !== null && used > 0 && used >= limit * warnAt;
  });
};

/** E18: a run with a cost limit and an unpriced model would stop again at once. */
export const isStoppedForPrice = (run: Run): boolean =>
  run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' &&
  run.lifecycle.reason.kind === 'price_unknown' &&
  accountOf(run, 'cost').limit !== null;

export const withRaisedLimit = (run: Run, budget: BudgetKind, limit: number | null): RaisedBounds => ({
  ...run.lifecycle.raisedLimits,
  [BUDGET_BOUNDS[budget].bound(hasPlanLoop(run))]: limit,
});

export const nextBudgetLimit = (run: Run, budget: BudgetKind): number => {
  const { used, limit } = accountOf(run, budget);
  const { unit } = BUDGET_BOUNDS[budget];
  const next = Math.max(limit ?? 0, used) * 1.5;
  if (budget === 'cost') return Math.ceil(next * 100) / 100;
  return Math.max(Math.ceil(next / unit), Math.floor((limit ?? 0) / unit) + 1) * unit;
};

export const remainingRunMs = (run: Run): number => Math.max(0, boundsOf(run).runMs - run.lifecycle.workedMs);
