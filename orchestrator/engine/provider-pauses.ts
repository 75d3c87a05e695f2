/**
 * E18: no agent is started while the provider of its model takes nothing. Waiting is no work: it
 * holds no place, uses up no time, and goes on after a restart.
 */
import { engineOf } from '../core/machine/proposer-rotation.ts';
import { MINUTE, SECOND } from '../core/units.ts';
import type { WriteSlotWait } from '../core/write-slots.ts';
import type { ClaimedEffect, SystemClock, EngineExecutor, Ledger } from '../ports.ts';

/** Somebody may pay, or raise a quota, at any time: it is looked at again after so long (ms). */
const LOOK_AGAIN_MS = 5 * MINUTE;

export type ProviderPauses = {
  /** When to come back with an agent's round; null: go on now. */
  holds(claim: ClaimedEffect): Promise<{ at: number; turn: WriteSlotWait } | null>;
};

export const createProviderPauses = (parts: {
  ledger: { query: Pick<Ledger['query'], 'run'> };
  clock: SystemClock;
  executors: Readonly<Record<string, Pick<EngineExecutor, 'provider'>>>;
  /** For how long nobody asks a provider (ms); 0 is now. */
  left: (provider: string) => Promise<number>;
}): ProviderPauses => {
  const { ledger, clock, executors, left } = parts;
  return {
    async holds({ runId, do: { kind } }) {
      if (runId === null || kind !== 'implement') return null;
      const run = await ledger.query.run(runId);
      if (!run) return null;
      const engine = engineOf(run);
      const args = engine === run.order.engine ? run.order.engineArgs : [];
      const provider = executors[engine]?.provider?.(args) ?? null;
      const ms = provider === null ? 0 : await left(provider);
      // guard: E18-closed-not-begun
      if (ms <= 0) return null;
      // To the second, because the clocks of several processes differ: said once, not at each look.
      const at = Math.ceil((clock.now() + ms) / SECOND) * SECOND;
      const turn = { action: 'implement', why: 'provider', readyAt: at, position: 1 } as const;
      return { at: Math.min(at, clock.now() + LOOK_AGAIN_MS), turn };
    },
  };
};
