/** E18: delays agents while their model provider refuses requests; no slot, no time budget. */
import { engineOf } from '../kernel/run/proposer-rotation.ts';
import { MINUTE, SECOND } from '#model/values';
import type { WriteSlotWait } from '#model/limits';
import type { ClaimedEffect } from '#ports/steps';
import type { SystemClock, EngineExecutor } from '#ports/processes';
import type { Ledger } from '#ports/ledger';

/** A person may raise the quota at any time, so check again after this time (ms). */
const LOOK_AGAIN_MS = 5 * MINUTE;

export type ProviderPauses = {
  /** Time to retry an agent's round; null to go on. */
  holds(claim: ClaimedEffect): Promise<{ at: number; turn: WriteSlotWait } | null>;
};

export const createProviderPauses = (parts: {
  ledger: { query: Pick<Ledger['query'], 'run'> };
  clock: SystemClock;
  executors: Readonly<Record<string, Pick<EngineExecutor, 'provider'>>>;
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
      // Rounded, as clocks of processes differ: one message per pause.
      const at = Math.ceil((clock.now() + ms) / SECOND) * SECOND;
      const turn = { action: 'implement', why: 'provider', readyAt: at, position: 1 } as const;
      return { at: Math.min(at, clock.now() + LOOK_AGAIN_MS), turn };
    },
  };
};
