/**
 * Dispatch: claims due effects as far as there are places, keeps their leases, and stops what works
 * for a state that is left.
 */
import { kindsThat, type EffectTraits } from '../core/machine/effect-traits.ts';
import type { EffectKind } from '../core/machine/effect-types.ts';
import type { Run } from '../core/machine/run.ts';
import type { ClaimedEffect, TimerPort } from '../ports.ts';
import { LEASE_MS } from './effect-handler.ts';
import { MAX_PAUSE_MS, type PerformParts } from './effect-runner.ts';
import { createAtWork, LIGHT_CAP } from './running-effects.ts';

export type DispatchParts = PerformParts & {
  timers: TimerPort;
  /** How many effects of the heavy kinds (agents, checks, workspaces) may run at once. */
  heavyCap: number;
  /** Which kinds are done here; all of them where nothing is said. */
  kinds?: (kind: EffectKind) => boolean;
};

/** Light work first. */
const POOLS = (['quick', 'outside', 'looks', 'heavy'] as const satisfies readonly EffectTraits['pool'][]).map(
  (name) => ({ name, kinds: kindsThat(({ pool }) => pool === name) }),
);

export type EffectDispatcher = {
  /** Looks for due effects now. Cheap; call it after every commit. */
  wake(): void;
  /** Stops what works for an epoch that is over. */
  onWritten(run: Run, before: Run | null): void;
  /**
   * Stops claiming, stops processes, waits for them. What was going on is done again after the next
   * start.
   */
  stop(): Promise<void>;
};

export const createDispatch = (parts: DispatchParts): EffectDispatcher => {
  const { ledger, clock, timers, heavyCap, log, kinds } = parts;
  const pools = POOLS.map(({ name, kinds: all }) => ({ name, kinds: all.filter(kinds ?? (() => true)) }));
  const work = createAtWork(parts);
  let stopped = false;
  let pumping = false;
  let again = false;
  let alarm: { cancel(): void } | null = null;

  /** One alarm at a time, and none once it is stopped: one that is left keeps the process alive. */
  const wakeIn = (ms: number | null): void => {
    alarm?.cancel();
    alarm = ms === null || stopped ? null : timers.after(ms, wake);
  };

  const begin = (claim: ClaimedEffect): void => void work.begin(claim).finally(wake);

  const pump = async (): Promise<void> => {
    for (const { name, kinds: ofPool } of pools) {
      if (ofPool.length === 0) continue;
      const cap = name === 'heavy' ? heavyCap : LIGHT_CAP;
      // guard: E6-cap
      const limit = cap - work.count(ofPool);
      if (limit <= 0 || stopped) continue;
      const claims = await ledger.claim({ now: clock.now(), leaseMs: LEASE_MS, limit, kinds: ofPool });
      for (const claim of claims) begin(claim);
    }
    const due = await (kinds ? ledger.nextDue(pools.flatMap((pool) => pool.kinds)) : ledger.nextDue());
    // What is due but was not claimed waits for a place; whoever frees it wakes us.
    const wait = due === null ? null : due - clock.now();
    if (wait !== null && wait > 0) wakeIn(Math.min(wait, MAX_PAUSE_MS));
    else wakeIn(wait !== null && work.isIdle() ? 50 : null);
  };

  const wake = (): void => {
    if (stopped) return;
    if (pumping) {
      again = true;
      return;
    }
    pumping = true;
    pump()
      .catch((error: unknown) => {
        log.error({ err: error }, 'effects could not be claimed');
        wakeIn(1_000);
      })
      .finally(() => {
        pumping = false;
        if (again) {
          again = false;
          wake();
        }
      });
  };

  return {
    wake,
    onWritten(run) {
      work.onWritten(run);
      wake();
    },
    async stop() {
      stopped = true;
      wakeIn(null);
      await work.stop();
    },
  };
};
