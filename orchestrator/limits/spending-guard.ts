/**
 * Keeps what agents spend within the limits above their runs: everything, a person, a campaign,
 * repositories (P7).
 */
import {
  addSpending,
  admitSpending,
  findExhaustedSpending,
  findNearedSpending,
  spendingLimitKey,
  spendingLimitsFor,
  startOfDay,
  type ExhaustedSpending,
  type Spender,
  type SpendingAmount,
  type SpendingBudgets,
  type SpendingLimit,
} from '#model/spending';
import type { ModelUsage } from '#model/reports';
import { SECOND } from '#model/values';
import { matchesGlob } from '#text-safety';
import { engineOf } from '../kernel/run/proposer-rotation.ts';
import { repositoryOf, type Run } from '../kernel/run/run.ts';
import type { Ledger, SpendingEntry, SpendingGuard } from '#ports/ledger';
import type { SystemClock, TimerPort } from '#ports/processes';
import type { WriteHold } from '#ports/forge';
import { applyRaise, type LimitInForce } from './raise-spending.ts';

const WAIT_MS = 200;
/** A raise in another process is seen by then (ms). */
const LOOK_AGAIN_MS = 15 * SECOND;
export const SPENDING_PLACES = {
  matches: (repo: string, pattern: string): boolean => matchesGlob(repo, [pattern]),
};

const amountOf = ({ inputTokens, outputTokens, costUsd }: ModelUsage): SpendingAmount => ({
  costUsd,
  tokens: inputTokens + outputTokens,
});
const beyond = (most: SpendingAmount, used: SpendingAmount): SpendingAmount => ({
  costUsd: Math.max(0, most.costUsd - used.costUsd),
  tokens: Math.max(0, most.tokens - used.tokens),
});

const payerOf = (run: Run): Omit<Spender, 'budget'> => ({
  person: run.order.requester.id ?? run.order.requester.name,
  campaign: run.order.campaign ?? null,
  repo: repositoryOf(run),
});
const spenderOf = (run: Run): Spender => ({
  ...payerOf(run),
  ...(run.order.campaignBudget ? { budget: run.order.campaignBudget } : {}),
});

type Parts = {
  ledger: Pick<Ledger, 'spending' | 'receive'> & {
    query: Pick<Ledger['query'], 'run' | 'setting' | 'spent'>;
  };
  clock: SystemClock;
  timers: TimerPort;
  budgets: () => Promise<SpendingBudgets>;
  /** Chats of admins by the configuration; a worker reads them in the ledger. */
  admins?: () => Promise<readonly string[]>;
  /** A note was stored, which the inbox has to read. */
  onNote?: () => void;
};

export const limitsInForce = async (
  { ledger, budgets }: Pick<Parts, 'budgets'> & { ledger: { query: Pick<Ledger['query'], 'setting'> } },
  spender: Spender,
  at: number,
): Promise<LimitInForce[]> =>
  Promise.all(
    spendingLimitsFor(await budgets(), spender, at, SPENDING_PLACES).map(async (limit) =>
      applyRaise(limit, await ledger.query.setting(spendingLimitKey(limit))),
    ),
  );

const sinceOf = (limits: readonly SpendingLimit[], now: number): number =>
  Math.min(startOfDay(now), ...limits.filter(({ until }) => until !== null).map(({ since }) => since));

const COSTLESS_ENGINE = 'script';

type Guard = SpendingGuard & {
  /** Whether an agent of this run waits before it starts, and until when. */
  findHold: (run: Run) => Promise<WriteHold | null>;
};

export const createSpendingGuard = (parts: Parts): Guard => {
  const { ledger, clock, timers } = parts;

  /** Once for each limit and share, as the key of the note says. */
  const tell = async (
    what: 'warned' | 'used_up',
    { limit, unit, used }: ExhaustedSpending,
  ): Promise<void> => {
    const amount = { costUsd: 0, tokens: 0, [unit]: used };
    const admins = (await parts.admins?.()) ?? [];
    const note = { type: 'spending', what, limit, used: amount, admins };
    const key = `${spendingLimitKey(limit)}:${what}:${unit}:${limit[unit] ?? 0}`;
    await ledger.receive([{ source: 'note', key, body: note }], clock.now());
    parts.onNote?.();
  };

  const warn = async (limits: readonly SpendingLimit[], run: Run): Promise<void> => {
    if (limits.length === 0) return;
    const { campaign } = spenderOf(run);
    const { warnAt } = await parts.budgets();
    const rows = await ledger.query.spent({ since: sinceOf(limits, clock.now()), campaign });
    for (const near of findNearedSpending(limits, rows, warnAt, SPENDING_PLACES)) await tell('warned', near);
  };

  return {
    async findHold(run) {
      if (engineOf(run) === COSTLESS_ENGINE) return null;
      const now = clock.now();
      const limits = await limitsInForce(parts, spenderOf(run), now);
      if (limits.length === 0) return null;
      const { campaign } = spenderOf(run);
      const rows = await ledger.query.spent({ since: sinceOf(limits, now), campaign });
      const over = findExhaustedSpending(limits, rows, SPENDING_PLACES);
      // guard: P7-no-new-turn
      if (!over) return null;
      await tell('used_up', over);
      const readyAt = over.limit.until ?? 0;
      const turn = { action: 'implement', why: 'spending', readyAt, position: 1 } as const;
      return { at: Math.min(readyAt || Infinity, now + LOOK_AGAIN_MS), turn };
    },

    open(run, attempt) {
      const entryOf = (used: SpendingAmount, pending: SpendingAmount): SpendingEntry => ({
        attempt,
        runId: run.id,
        at: clock.now(),
        ...payerOf(run),
        personName: run.order.requester.name,
        engine: engineOf(run),
        used,
        pending,
      });
      const write = async (most: ModelUsage, used: ModelUsage): Promise<void> => {
        const spent = amountOf(used);
        await ledger.spending.charge(entryOf(spent, beyond(amountOf(most), spent)), null);
        await warn(await limitsInForce(parts, spenderOf(run), clock.now()), run);
      };
      return {
        async reserve({ most, underWay, used, signal }) {
          const need = amountOf(most);
          while (!signal.aborted) {
            const now = clock.now();
            const limits = await limitsInForce(parts, spenderOf(run), now);
            const pending = addSpending(amountOf(underWay()), need);
            const admission = await ledger.spending.charge(entryOf(amountOf(used()), pending), {
              since: sinceOf(limits, now),
              admits: (rows) => admitSpending(limits, rows, need, SPENDING_PLACES),
            });
            if (admission === 'go') return null;
            if (admission !== 'wait') {
              await tell('used_up', admission);
              return { says: 'A budget above this run is used up.' };
            }
            // Others are asking, and what is left may not do for all of them.
            await new Promise<void>((resolve) => void timers.after(WAIT_MS, resolve));
          }
          return null;
        },
        settled: write,
        async note(used) {
          await write(used, used);
          const now = clock.now();
          const limits = await limitsInForce(parts, spenderOf(run), now);
          if (limits.length === 0) return false;
          const { campaign } = spenderOf(run);
          const rows = await ledger.query.spent({ since: sinceOf(limits, now), campaign });
          const over = findExhaustedSpending(limits, rows, SPENDING_PLACES);
          if (over) await tell('used_up', over);
          return over !== null;
        },
        end: (used) => write(used, used),
      };
    },
  };
};
