/** A limit that an admin raised, for its own day, month or campaign alone; it holds at once (P7). */
import { z } from 'zod';
import { spendingLimitKey, type SpendingLimit } from '#model/spending';
import type { Person } from '#model/order';
import type { Ledger } from '#ports/ledger';

const Amounts = z.object({ costUsd: z.number().nullable(), tokens: z.number().nullable() });
/** `of` is the limit as it was set when it was raised first. */
const Raised = Amounts.extend({ of: Amounts });

/** `set` is the limit as it was set, where a raise holds in its place. */
export type LimitInForce = SpendingLimit & { set?: z.infer<typeof Amounts> };

/** A limit that was set anew since holds as it was set. */
export const applyRaise = (limit: SpendingLimit, stored: string | null): LimitInForce => {
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
    set: of,
  };
};

/** Null when somebody raised it since it was read. */
export const raiseSpending = async (
  { ledger }: { ledger: Pick<Ledger, 'changeSetting'> },
  /** The limit in force, and the stored raise that it rests on. */
  { limit: { set, ...limit }, raised }: { limit: LimitInForce; raised: string | null },
  by: Person,
): Promise<SpendingLimit | null> => {
  const { costUsd, tokens } = limit;
  const more = {
    costUsd: costUsd === null ? null : Math.ceil(costUsd * 150) / 100,
    tokens: tokens === null ? null : Math.ceil(tokens * 1.5),
  };
  return ledger.changeSetting(
    spendingLimitKey(limit),
    (stored) => {
      // guard: P7-raised-at-once
      if (stored !== raised) return { to: null, answer: null };
      return {
        to: JSON.stringify({ ...more, of: set ?? { costUsd, tokens } }),
        answer: { ...limit, ...more },
      };
    },
    by,
  );
};
