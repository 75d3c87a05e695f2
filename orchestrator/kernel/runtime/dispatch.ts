/** Claims due effects while there is capacity. */
import { selectEffectKinds, type EffectTraits } from '../effects/effect-traits.ts';
import type { EffectKind } from '../effects/effect-types.ts';
import type { Run } from '../run/run.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { TimerPort } from '#ports/processes';
import { LEASE_MS } from './effect-handler.ts';
import type { EffectRunnerParts } from './effect-runner.ts';
import { MAX_PAUSE_MS } from './effect-retry.ts';
import { createRunningEffects, LIGHT_CAP } from './running-effects.ts';

type DispatchParts = EffectRunnerParts & {
  timers: TimerPort;
  heavyCap: number;
  kinds?: (kind: EffectKind) => boolean;
};

const POOLS = (['quick', 'outside', 'polls', 'heavy'] as const satisfies readonly EffectTraits['pool'][]).map(
  (name) => ({ name, kinds: selectEffectKinds(({ pool }) => pool === name) }),
);

export type EffectDispatcher = {
  /** Cheap; call it after every commit. */
  wake(): void;
  onWritten(run: Run, before: Run | null): void;
  /** Stops claiming, aborts and waits; interrupted work runs again after the next start. */
  stop(): Promise<void>;
};

export const createDispatch = (parts: DispatchParts): EffectDispatcher => {
  const { ledger, clock, timers, heavyCap, log, kinds } = parts;
  const pools = POOLS.map(({ name, kinds: all }) => ({ name, kinds: all.filter(kinds ?? (() => true)) }));
  const work = createRunningEffects(parts);
  let stopped = false;
  let pumping = false;
  let again = false;
  let alarm: { cancel(): void } | null = null;

  /** No timer after a stop, as it would keep the process alive. */
  const wakeIn = (ms: number | null): void => {
    alarm?.cancel();
    alarm = ms === null || stopped ? null : timers.after(ms, wake);
  };

  const beginWork = (claim: ClaimedEffect): void => void work.begin(claim).finally(wake);

  const countPlaces = ({ name, kinds: ofPool }: (typeof pools)[number]): number => {
    const cap = name === 'heavy' ? heavyCap : LIGHT_CAP;
    // guard: E6-cap
    return ofPool.length === 0 ? 0 : cap - work.count(ofPool);
  };

  const pumpPools = async (): Promise<void> => {
    const begunAt = clock.now();
    for (const pool of pools) {
      const limit = countPlaces(pool);
      if (limit <= 0 || stopped) continue;
      const claims = await ledger.claim({ now: clock.now(), leaseMs: LEASE_MS, limit, kinds: pool.kinds });
      for (const claim of claims) beginWork(claim);
    }
    // A full pool needs a free place first, and freeing one wakes us.
    // guard: L8-room-elsewhere
    const open = pools.filter((pool) => countPlaces(pool) > 0).flatMap((pool) => pool.kinds);
    const due = open.length > 0 ? await ledger.nextDue(open) : null;
    // guard: L8-due-meanwhile
    if (due !== null && due > begunAt) wakeIn(Math.min(Math.max(due - clock.now(), 1), MAX_PAUSE_MS));
    else wakeIn(due !== null && work.isIdle() ? 50 : null);
  };

  const wake = (): void => {
    if (stopped) return;
    if (pumping) {
      again = true;
      return;
    }
    pumping = true;
    pumpPools()
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
