/** A limit that an admin raised, for its own day, month or campaign alone; it holds at once (P7). */
import { z } from 'zod';
import { spendingLimitKey, type SpendingLimit } from '#model/spending';
import type { Person } from '#model/order';
import type { Ledger } from '#ports/ledger';

const Amounts = z.object({ costUsd: z.number().nullable(), tokens: z.number().nullable() });
/** `of` is the limit as it was set when it was raised first. */
const Raised = Amounts.extend({ of: Amounts });

/** A limit that was set anew since holds as it was set. */
export const applyRaise = (limit: SpendingLimit, stored: string | null): SpendingLimit => {
  if (stored === null) return limit;
  const { of, ...amounts } = Raised.parse(JSON.parse(stored));
  // guard: P7-set-after-raise
  if (of.costUsd !== limit.costUsd || of.tokens !== limit.tokens) return limit;
  const higher = (set: number | null, raised: number | null): number | null =>
    set === null ? null : Math.max(set, raised ?? 0);
  return {
    ...limit,
    costUsd: higher(limit.costUsd, amounts.costUsd),
    tokens: higher(limit.tokens, amounts.tokens),
  };
};

export const raiseSpending = async (
  { ledger }: { ledger: Pick<Ledger, 'changeSetting'> },
  /** As it is in force. */
  limit: SpendingLimit,
  by: Person,
): Promise<SpendingLimit> => {
  const { costUsd, tokens } = limit;
  const more = {
    costUsd: costUsd === null ? null : Math.ceil(costUsd * 150) / 100,
    tokens: tokens === null ? null : Math.ceil(tokens * 1.5),
  };
  return ledger.changeSetting(
    spendingLimitKey(limit),
    (stored) => {
      const before = stored === null ? null : Raised.parse(JSON.parse(stored));
      const isRaised = before !== null && before.costUsd === costUsd && before.tokens === tokens;
      const of = isRaised ? before.of : { costUsd, tokens };
      return { to: JSON.stringify({ ...more, of }), answer: { ...limit, ...more } };
    },
    by,
  );
};
