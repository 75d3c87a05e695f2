/** Limits of money and tokens above a run, and what of them is used (P7). Pure. */
import { z } from 'zod';
import { addUsage, type ModelUsage } from '#model/reports';
import { messageOfRule } from '#model/settings';
import { DAY } from '#model/values';

const SPENDING_PERIODS = ['day', 'month'] as const;
const SPENDING_SCOPES = ['all', 'person', 'campaign', 'repository'] as const;
type SpendingScope = (typeof SPENDING_SCOPES)[number];
/** `ever` is a campaign’s whole life. */
type SpendingPeriod = (typeof SPENDING_PERIODS)[number] | 'ever';

const dollars = z.number().positive();
/** A number alone is dollars. */
export const BudgetAmount = z.union(
  [
    dollars.transform((costUsd) => ({ costUsd })),
    z
      .strictObject({ costUsd: dollars, tokens: z.int().min(1) })
      .partial()
      .refine((amount) => Object.keys(amount).length > 0, 'must name costUsd or tokens'),
  ],
  messageOfRule('budget'),
);
const Periods = z.strictObject({ day: BudgetAmount, month: BudgetAmount }).partial();

const match = z
  .string()
  .max(200)
  .regex(/^[^/\s]+(?:\/[^/\s]+)+$/, 'must be owner/name; `*` and `?` may stand in each part');

/** Days and months are those of UTC. */
export const SpendingBudgets = z.strictObject({
  ...Periods.shape,
  /** For each person who asks for changes. */
  person: Periods.optional(),
  /** For the whole life of each campaign. */
  campaign: BudgetAmount.optional(),
  repositories: z
    .array(z.strictObject({ match, ...Periods.shape }))
    .max(100)
    .default([]),
  warnAt: z.number().min(0.1).max(1).default(0.8),
});
export type SpendingBudgets = z.infer<typeof SpendingBudgets>;

/** Whether dollars are limited for anybody: then a model without a price would pass every limit. */
export const hasCostLimit = ({ day, month, person, campaign, repositories }: SpendingBudgets): boolean =>
  [
    day,
    month,
    person?.day,
    person?.month,
    campaign,
    ...repositories.flatMap((one) => [one.day, one.month]),
  ].some((amount) => amount?.costUsd !== undefined);

/** `of` is null for everything; `until` (epoch ms) is null where it never begins anew. */
export type SpendingLimit = {
  scope: SpendingScope;
  of: string | null;
  period: SpendingPeriod;
  since: number;
  until: number | null;
  costUsd: number | null;
  tokens: number | null;
};

type SpendingUnit = 'costUsd' | 'tokens';
export type SpendingAmount = { costUsd: number; tokens: number };

/** What was used on one day (its start, epoch ms); `pending` may still come, at most. */
export type SpendingTotal = {
  day: number;
  person: string;
  personName: string;
  campaign: string | null;
  repo: string;
  engine: string;
  used: SpendingAmount;
  pending: SpendingAmount;
};

/** `budget` is the campaign's own, beside that of each campaign. */
export type Spender = { person: string; campaign: string | null; repo: string; budget?: BudgetAmount };

const unitOf = (amount: BudgetAmount | undefined, unit: SpendingUnit): number | null =>
  (amount as Partial<SpendingAmount> | undefined)?.[unit] ?? null;

/** The lower of both holds, for each unit. */
export const stricterBudget = (
  one: BudgetAmount | undefined,
  other: BudgetAmount | undefined,
): BudgetAmount | undefined => {
  if (!one || !other) return one ?? other;
  const lower = (unit: SpendingUnit): Partial<SpendingAmount> => {
    const set = [unitOf(one, unit), unitOf(other, unit)].filter((amount) => amount !== null);
    return set.length > 0 ? { [unit]: Math.min(...set) } : {};
  };
  return { ...lower('costUsd'), ...lower('tokens') };
};

export const startOfDay = (at: number): number => Math.floor(at / DAY) * DAY;
export const startOfMonth = (at: number, months = 0): number => {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1);
};

const spanOf = (period: SpendingPeriod, at: number): Pick<SpendingLimit, 'period' | 'since' | 'until'> => {
  if (period === 'ever') return { period, since: 0, until: null };
  if (period === 'month') return { period, since: startOfMonth(at), until: startOfMonth(at, 1) };
  return { period, since: startOfDay(at), until: startOfDay(at) + DAY };
};

/** A raise holds for this span alone. */
export const spendingLimitKey = ({
  scope,
  of,
  period,
  since,
}: Omit<SpendingLimit, 'costUsd' | 'tokens'>): string =>
  `spending:${[scope, of ?? '', period, since].join(':')}`;

export type BudgetAmount = z.infer<typeof BudgetAmount>;
type Places = { matches: (repo: string, pattern: string) => boolean };

/** All limits that hold for a spender at a time. */
export const spendingLimitsFor = (
  budgets: SpendingBudgets,
  { person, campaign, repo, budget }: Spender,
  at: number,
  { matches }: Places,
): SpendingLimit[] => {
  const limit = (
    scope: SpendingScope,
    of: string | null,
    period: SpendingPeriod,
    amount: BudgetAmount | undefined,
  ): SpendingLimit[] =>
    amount
      ? [
          {
            scope,
            of,
            ...spanOf(period, at),
            costUsd: unitOf(amount, 'costUsd'),
            tokens: unitOf(amount, 'tokens'),
          },
        ]
      : [];
  const both = (
    scope: SpendingScope,
    of: string | null,
    periods: { day?: BudgetAmount | undefined; month?: BudgetAmount | undefined } = {},
  ): SpendingLimit[] => SPENDING_PERIODS.flatMap((period) => limit(scope, of, period, periods[period]));
  // guard: P7-own-budget
  const ofCampaign = stricterBudget(budgets.campaign, budget);
  return [
    ...both('all', null, budgets),
    ...both('person', person, budgets.person),
    ...(campaign === null ? [] : limit('campaign', campaign, 'ever', ofCampaign)),
    ...budgets.repositories
      .filter(({ match: pattern }) => matches(repo, pattern))
      .flatMap(({ match: pattern, ...periods }) => both('repository', pattern, periods)),
  ];
};

export const addSpending = (a: SpendingAmount, b: SpendingAmount): SpendingAmount => ({
  costUsd: a.costUsd + b.costUsd,
  tokens: a.tokens + b.tokens,
});
const NO_SPENDING: SpendingAmount = { costUsd: 0, tokens: 0 };

const isWithin = (
  { scope, of, since, until }: SpendingLimit,
  row: SpendingTotal,
  { matches }: Places,
): boolean => {
  if (row.day < since || (until !== null && row.day >= until)) return false;
  if (scope === 'person') return row.person === of;
  if (scope === 'campaign') return row.campaign === of;
  return scope === 'all' || matches(row.repo, of ?? '');
};

export const selectSpending = (
  limit: SpendingLimit,
  rows: readonly SpendingTotal[],
  places: Places,
): SpendingTotal[] => rows.filter((row) => isWithin(limit, row, places));

type SpendingAccount = { used: SpendingAmount; pending: SpendingAmount };
export const spendingAccountOf = (
  limit: SpendingLimit,
  rows: readonly SpendingTotal[],
  places: Places,
): SpendingAccount =>
  selectSpending(limit, rows, places).reduce<SpendingAccount>(
    (all, row) => ({
      used: addSpending(all.used, row.used),
      pending: addSpending(all.pending, row.pending),
    }),
    { used: NO_SPENDING, pending: NO_SPENDING },
  );

const UNITS: readonly SpendingUnit[] = ['costUsd', 'tokens'];
/** Sums of dollars are rounded where they are compared. */
const isReached = (used: number, limit: number): boolean => used >= limit - 1e-9;

export type ExhaustedSpending = { limit: SpendingLimit; unit: SpendingUnit; used: number };
/** The first limit that is used up; null when work may go on. */
export const findExhaustedSpending = (
  limits: readonly SpendingLimit[],
  rows: readonly SpendingTotal[],
  places: Places,
): ExhaustedSpending | null => {
  for (const limit of limits) {
    const { used } = spendingAccountOf(limit, rows, places);
    for (const unit of UNITS) {
      const { [unit]: most } = limit;
      if (most !== null && isReached(used[unit], most)) return { limit, unit, used: used[unit] };
    }
  }
  return null;
};

/** Those past the share from which people are warned. */
export const findNearedSpending = (
  limits: readonly SpendingLimit[],
  rows: readonly SpendingTotal[],
  warnAt: number,
  places: Places,
): ExhaustedSpending[] =>
  limits.flatMap((limit) => {
    const { used } = spendingAccountOf(limit, rows, places);
    return UNITS.flatMap((unit) => {
      const { [unit]: most } = limit;
      return most !== null && used[unit] > 0 && isReached(used[unit], most * warnAt)
        ? [{ limit, unit, used: used[unit] }]
        : [];
    });
  });

export type SpendingAdmission = 'go' | 'wait' | ExhaustedSpending;
/**
 * One request may go over a limit, and only when nothing else is on its way: so all together overrun
 * it by what one request may cost.
 */
export const admitSpending = (
  limits: readonly SpendingLimit[],
  rows: readonly SpendingTotal[],
  need: SpendingAmount,
  places: Places,
): SpendingAdmission => {
  // guard: P7-limit-before-request
  const over = findExhaustedSpending(limits, rows, places);
  if (over) return over;
  for (const limit of limits) {
    const { used, pending } = spendingAccountOf(limit, rows, places);
    for (const unit of UNITS) {
      const { [unit]: most } = limit;
      if (most === null || pending[unit] <= 0) continue;
      // guard: P7-one-goes-over
      if (used[unit] + pending[unit] + need[unit] > most) return 'wait';
    }
  }
  return 'go';
};

/** P7: a limit above the run is used up; `says` is for the agent. */
export type SpendingStop = { says: string };

/** P7: one request that may cost `most`, beside those of its attempt that were let through before. */
export type SpendingRequest = {
  most: ModelUsage;
  underWay: () => ModelUsage;
  used: () => ModelUsage;
  /** Whoever asks is gone: nothing is sent any more. */
  signal: AbortSignal;
};

/** The most that may be billed of an attempt once this request is sent. */
export const maxCommitment = ({ most, underWay, used }: SpendingRequest): ModelUsage =>
  addUsage(addUsage(used(), underWay()), most);
