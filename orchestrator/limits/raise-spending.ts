/** A limit that an admin raised, for its own day, month or campaign alone; it holds at once (P7). */
import { z } from 'zod';
import { spendingLimitKey, type SpendingLimit } from '#model/spending';
import type { Person } from '#model/order';
import type { Ledger } from '#ports/ledger';

const Amounts = z.object({ costUsd: z.number().nullable(), tokens: z.number().nullable() });
/** `of` is the limit as it was set when it was raised first; `causes` are the messages that raised it. */
const Raised = Amounts.extend({ of: Amounts, causes: z.array(z.string()).default([]) });

/** `set` is the limit as it was set, where a raise holds in its place. */
export type LimitInForce = SpendingLimit & { set?: z.infer<typeof Amounts> };
export type RaiseOutcome = { limit: SpendingLimit; isRaised: boolean };

const readRaise = (stored: string | null): z.infer<typeof Raised> | null =>
  stored === null ? null : Raised.parse(JSON.parse(stored));

/** A limit that was set anew since holds as it was set. */
export const applyRaise = (limit: SpendingLimit, stored: string | null): LimitInForce => {
  const raise = readRaise(stored);
  if (raise === null) return limit;
  const { of } = raise;
  // guard: P7-set-after-raise
  if (of.costUsd !== limit.costUsd || of.tokens !== limit.tokens) return limit;
  const higher = (set: number | null, raised: number | null): number | null =>
    set === null ? null : Math.max(set, raised ?? 0);
  return {
    ...limit,
    costUsd: higher(limit.costUsd, raise.costUsd),
    tokens: higher(limit.tokens, raise.tokens),
    set: of,
  };
};

export const spendingKeyPrefix = (limit: SpendingLimit): string =>
  `${spendingLimitKey(limit).slice('spending:'.length)}:`;
/** Names the amounts, too, so that the button of an older message raises nothing twice. */
export const spendingRaiseKey = (limit: SpendingLimit): string =>
  `${spendingKeyPrefix(limit)}${limit.costUsd ?? ''}:${limit.tokens ?? ''}`;

/** `key` names the amounts that `by` saw; `cause` is the message that raises it. */
export type RaiseRequest = { key: string; by: Person; cause: string };

export const raiseSpending = async (
  { ledger }: { ledger: Pick<Ledger, 'changeSetting'> },
  { set, ...limit }: LimitInForce,
  { key, by, cause }: RaiseRequest,
): Promise<RaiseOutcome> => {
  const asSet: SpendingLimit = { ...limit, ...set };
  return ledger.changeSetting<RaiseOutcome>(
    spendingLimitKey(limit),
    (stored) => {
      const { set: _, ...inForce } = applyRaise(asSet, stored);
      const causes = readRaise(stored)?.causes ?? [];
      // guard: P7-raised-once-a-message
      if (causes.includes(cause)) return { to: null, answer: { limit: inForce, isRaised: true } };
      // guard: P7-raised-at-once
      if (spendingRaiseKey(inForce) !== key) return { to: null, answer: { limit: inForce, isRaised: false } };
      const { costUsd, tokens } = inForce;
      const more = {
        costUsd: costUsd === null ? null : Math.ceil(costUsd * 150) / 100,
        tokens: tokens === null ? null : Math.ceil(tokens * 1.5),
      };
      const of = { costUsd: asSet.costUsd, tokens: asSet.tokens };
      return {
        to: JSON.stringify({ ...more, of, causes: [...causes, cause] }),
        answer: { limit: { ...inForce, ...more }, isRaised: true },
      };
    },
    by,
  );
};
