/** P7: what this day and month cost, by whom and for what, beside its limits; and how an admin raises one. */
import {
  spendingAccountOf,
  spendingLimitKey,
  startOfDay,
  startOfMonth,
  type SpendingAmount,
  type SpendingBudgets,
  type SpendingLimit,
  type SpendingTotal,
} from '#model/spending';
import { isOver } from '#model/campaign';
import type { Person } from '#model/order';
import type { Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';
import { matchesGlob } from '#text-safety';
import { raiseSpending } from './raise-spending.ts';
import { limitsInForce } from './spending-guard.ts';

const SPENDING_GROUPS = ['person', 'campaign', 'repository', 'engine'] as const;
type SpendingGroup = (typeof SPENDING_GROUPS)[number];
type SpendingShare = SpendingAmount & { name: string };
export type SpendingReport = {
  /** Begin of the month (epoch ms). */
  since: number;
  day: SpendingAmount;
  month: SpendingAmount;
  groups: { by: SpendingGroup; shares: SpendingShare[] }[];
  limits: { limit: SpendingLimit; used: SpendingAmount }[];
};

const PLACES = { matches: (repo: string, pattern: string): boolean => matchesGlob(repo, [pattern]) };
const sumOf = (rows: readonly SpendingTotal[]): SpendingAmount =>
  rows.reduce(
    (all, { used }) => ({ costUsd: all.costUsd + used.costUsd, tokens: all.tokens + used.tokens }),
    { costUsd: 0, tokens: 0 },
  );
const nameIn = (row: SpendingTotal, by: SpendingGroup): string | null =>
  by === 'person'
    ? row.personName
    : by === 'campaign'
      ? row.campaign
      : by === 'engine'
        ? row.engine
        : row.repo;

export const shareSpending = (rows: readonly SpendingTotal[], by: SpendingGroup): SpendingShare[] =>
  [...Map.groupBy(rows, (row) => nameIn(row, by))]
    .flatMap(([name, own]) => (name === null ? [] : [{ name, ...sumOf(own) }]))
    .toSorted((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);

type Parts = {
  ledger: { query: Pick<Ledger['query'], 'setting' | 'spent' | 'campaigns'> };
  clock: SystemClock;
  budgets: () => Promise<SpendingBudgets>;
};

const limitsOf = async (
  parts: Parts,
  rows: readonly SpendingTotal[],
  now: number,
): Promise<SpendingReport['limits']> => {
  const { query } = parts.ledger;
  const nobody = { person: '', campaign: null, repo: '' };
  // A campaign outlives the month in which it spent.
  const campaigns = (await parts.budgets()).campaign
    ? (await query.campaigns()).filter((one) => !isOver(one)).map(({ id }) => id)
    : [];
  const spenders = [nobody, ...campaigns.map((campaign) => ({ ...nobody, campaign })), ...rows];
  const all = await Promise.all(spenders.map((row) => limitsInForce(parts, row, now)));
  const byKey = new Map(
    all
      .flat()
      .filter(({ scope, of }) => scope !== 'person' || of !== nobody.person)
      .map((limit) => [spendingLimitKey(limit), limit]),
  );
  const accounts = await Promise.all(
    [...byKey.values()].map(async (limit) => {
      const own = limit.scope === 'campaign' ? await query.spent({ since: now, campaign: limit.of }) : rows;
      return { limit, used: spendingAccountOf(limit, own, PLACES).used };
    }),
  );
  const usedShare = ({ limit, used }: SpendingReport['limits'][number]): number =>
    Math.max(used.costUsd / (limit.costUsd ?? Infinity), used.tokens / (limit.tokens ?? Infinity));
  // Screens cut the list.
  return accounts.toSorted((a, b) => usedShare(b) - usedShare(a));
};

export const readSpending = async (parts: Parts): Promise<SpendingReport> => {
  const now = parts.clock.now();
  const since = startOfMonth(now);
  const rows = await parts.ledger.query.spent({ since });
  return {
    since,
    day: sumOf(rows.filter(({ day }) => day >= startOfDay(now))),
    month: sumOf(rows),
    groups: SPENDING_GROUPS.map((by) => ({ by, shares: shareSpending(rows, by) })),
    limits: await limitsOf(parts, rows, now),
  };
};

/** `key` is `day`, `month`, or that of a limit in the report; null when there is none. */
export const raiseSpendingByKey = async (
  parts: Parts & { ledger: Pick<Ledger, 'setSetting'> },
  key: string,
  by: Person,
): Promise<SpendingLimit | null> => {
  const limits = (await readSpending(parts)).limits.map(({ limit }) => limit);
  const wanted = limits.find(
    (limit) =>
      spendingRaiseKey(limit) === key || (limit.scope === 'all' && limit.period === key.toLowerCase()),
  );
  if (wanted) return raiseSpending(parts, wanted, by);
  return limits.find((limit) => key.startsWith(`${shortKey(limit)}:`)) ?? null;
};

const shortKey = (limit: SpendingLimit): string => spendingLimitKey(limit).slice('spending:'.length);
/** Names the amount, too, so that the button of an older message raises nothing twice. */
export const spendingRaiseKey = (limit: SpendingLimit): string =>
  `${shortKey(limit)}:${limit.costUsd ?? ''}:${limit.tokens ?? ''}`;
