/** Reports the cost of this day and month beside its limits; an admin raises one here (P7). */
import {
  spendingAccountOf,
  spendingLimitKey,
  startOfDay,
  startOfMonth,
  type Spender,
  type SpendingAmount,
  type SpendingBudgets,
  type SpendingLimit,
  type SpendingTotal,
} from '#model/spending';
import { isCampaignOver } from '#model/campaign';
import type { Ledger, UserRow } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import {
  type LimitInForce,
  raiseSpending,
  type RaiseOutcome,
  type RaiseRequest,
  spendingKeyPrefix,
  spendingRaiseKey,
} from './raise-spending.ts';
import { limitsInForce, SPENDING_PLACES } from './spending-guard.ts';

const SPENDING_GROUPS = ['person', 'campaign', 'repository', 'engine'] as const;
type SpendingGroup = (typeof SPENDING_GROUPS)[number];
/** A person without a name has an empty one. */
type SpendingShare = SpendingAmount & { name: string };
export type SpendingReport = {
  /** Begin of the month (epoch ms). */
  since: number;
  day: SpendingAmount;
  month: SpendingAmount;
  groups: { by: SpendingGroup; shares: SpendingShare[] }[];
  /** `person` is the name of whom the limit is for. */
  limits: { limit: LimitInForce; used: SpendingAmount; person?: string }[];
};

const sumOf = (rows: readonly SpendingTotal[]): SpendingAmount =>
  rows.reduce(
    (all, { used }) => ({ costUsd: all.costUsd + used.costUsd, tokens: all.tokens + used.tokens }),
    { costUsd: 0, tokens: 0 },
  );
const keyIn = (row: SpendingTotal, by: SpendingGroup): string | null =>
  by === 'repository' ? row.repo : row[by];

/** As the newest of their orders has it, else as an admin knows them; empty when nobody does. */
export const personNameOf = (
  id: string | null,
  rows: readonly SpendingTotal[],
  users: readonly Pick<UserRow, 'id' | 'name'>[],
): string => {
  const names = rows.filter(({ person }) => person === id).toSorted((a, b) => b.day - a.day);
  const said = [...names.map(({ personName }) => personName), users.find((one) => one.id === id)?.name ?? ''];
  return said.find((name) => name.trim() !== '') ?? '';
};

export const groupSpending = (
  rows: readonly SpendingTotal[],
  by: SpendingGroup,
  users: readonly UserRow[],
): SpendingShare[] =>
  [...Map.groupBy(rows, (row) => keyIn(row, by))]
    .flatMap(([key, own]) =>
      key === null ? [] : [{ name: by === 'person' ? personNameOf(key, own, users) : key, ...sumOf(own) }],
    )
    .toSorted((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);

type Parts = {
  ledger: { query: Pick<Ledger['query'], 'setting' | 'spent' | 'campaign' | 'campaigns' | 'users'> };
  clock: SystemClock;
  budgets: () => Promise<SpendingBudgets>;
};

const limitsOf = async (
  parts: Parts,
  { rows, users }: { rows: readonly SpendingTotal[]; users: readonly UserRow[] },
  now: number,
): Promise<SpendingReport['limits']> => {
  const { query } = parts.ledger;
  const nobody = { person: '', campaign: null, repo: '' };
  // A campaign outlives the month in which it spent.
  const open = (await query.campaigns()).filter((one) => !isCampaignOver(one)).map(({ id }) => id);
  const known = new Set([...open, ...rows.flatMap(({ campaign }) => campaign ?? [])]);
  const campaigns = await Promise.all(
    [...known].map(async (campaign): Promise<Spender> => {
      const budget = (await query.campaign(campaign))?.order.run.campaignBudget;
      return { ...nobody, campaign, ...(budget ? { budget } : {}) };
    }),
  );
  const spenders = [nobody, ...campaigns, ...rows.map((row) => ({ ...row, campaign: null }))];
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
      const { used } = spendingAccountOf(limit, own, SPENDING_PLACES);
      return {
        limit,
        used,
        ...(limit.scope === 'person' ? { person: personNameOf(limit.of, rows, users) } : {}),
      };
    }),
  );
  const shareOfLimit = ({ limit, used }: SpendingReport['limits'][number]): number =>
    Math.max(used.costUsd / (limit.costUsd ?? Infinity), used.tokens / (limit.tokens ?? Infinity));
  // Screens cut the list.
  return accounts.toSorted((a, b) => shareOfLimit(b) - shareOfLimit(a));
};

export const readSpending = async (parts: Parts): Promise<SpendingReport> => {
  const now = parts.clock.now();
  const since = startOfMonth(now);
  const { query } = parts.ledger;
  const [rows, users] = await Promise.all([query.spent({ since }), query.users()]);
  return {
    since,
    day: sumOf(rows.filter(({ day }) => day >= startOfDay(now))),
    month: sumOf(rows),
    groups: SPENDING_GROUPS.map((by) => ({ by, shares: groupSpending(rows, by, users) })),
    limits: await limitsOf(parts, { rows, users }, now),
  };
};

/**
 * `key` is `day`, `month`, or that of a limit in the report; null when there is none. The calls
 * about the limit are redrawn.
 */
export const raiseSpendingByKey = async (
  parts: Parts & {
    ledger: Pick<Ledger, 'changeSetting'>;
    receive: (items: readonly IncomingItem[]) => Promise<unknown>;
  },
  { key, by, cause }: RaiseRequest,
): Promise<RaiseOutcome | null> => {
  const limits = (await readSpending(parts)).limits.map(({ limit }) => limit);
  const isTyped = ({ scope, period }: SpendingLimit): boolean =>
    scope === 'all' && period === key.toLowerCase();
  const wanted = limits.find((limit) => isTyped(limit) || key.startsWith(spendingKeyPrefix(limit)));
  if (!wanted) return null;
  const seen = isTyped(wanted) ? spendingRaiseKey(wanted) : key;
  const outcome = await raiseSpending(parts, wanted, { key: seen, by, cause });
  if (outcome.isRaised) {
    const body = { type: 'spending', what: 'changed', limit: outcome.limit, by: by.name };
    const noteKey = `${spendingLimitKey(wanted)}:raised:${cause}`;
    await parts.receive([{ source: 'note', key: noteKey, body }]);
  }
  return outcome;
};
