/** P7: a limit that an admin raised, for its own day, month or campaign alone; it holds at once. */
import { z } from 'zod';
import { spendingLimitKey, type SpendingLimit } from '#model/spending';
import type { Person } from '#model/order';
import type { Ledger } from '#ports/ledger';

const Raised = z.object({ costUsd: z.number().positive(), tokens: z.number().positive() }).partial();

/** A raise never lowers a limit that the host’s file sets higher since. */
export const applyRaise = (limit: SpendingLimit, stored: string | null): SpendingLimit => {
  if (stored === null) return limit;
  const { costUsd = 0, tokens = 0 } = Raised.parse(JSON.parse(stored));
  return {
    ...limit,
    costUsd: limit.costUsd === null ? null : Math.max(limit.costUsd, costUsd),
    tokens: limit.tokens === null ? null : Math.max(limit.tokens, tokens),
  };
};

export const raiseSpending = async (
  { ledger }: { ledger: Pick<Ledger, 'setSetting'> & { query: Pick<Ledger['query'], 'setting'> } },
  limit: SpendingLimit,
  by: Person,
): Promise<SpendingLimit> => {
  const { costUsd, tokens } = applyRaise(limit, await ledger.query.setting(spendingLimitKey(limit)));
  const more = {
    ...(costUsd === null ? {} : { costUsd: Math.ceil(costUsd * 150) / 100 }),
    ...(tokens === null ? {} : { tokens: Math.ceil(tokens * 1.5) }),
  };
  await ledger.setSetting(spendingLimitKey(limit), JSON.stringify(more), by);
  return { ...limit, ...more };
};
