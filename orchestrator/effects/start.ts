/** start: waits for a free slot, then starts the run (E6: `max_parallel_runs`, `max_runs_per_day`). */
import type { Handler } from '../dispatch.ts';
import { runOf, type EffectParts } from './parts.ts';

const DAY = 86_400_000;
/** How long a queued run sleeps before it looks for a slot again, in ms. */
const LOOK_AGAIN = 1_000;

export const createStart = (
  parts: Pick<EffectParts, 'ledger' | 'submit' | 'clock' | 'settings'>,
): Handler => {
  const { ledger, submit, clock, settings } = parts;
  // Looking and taking must not interleave between two runs, or both take the last slot.
  let turn: Promise<unknown> = Promise.resolve();
  return (claim) => {
    const mine = turn.then(async () => {
      const run = await runOf(parts, claim.runId);
      const now = clock.now();
      const load = await ledger.query.load(now - DAY);
      if (load.busy >= settings.maxParallelRuns) {
        const reason = `${load.busy} of ${settings.maxParallelRuns} runs are at work; this one is next when a slot is free`;
        return { kind: 'later', at: now + LOOK_AGAIN, reason, counts: false } as const;
      }
      if (load.started >= settings.maxRunsPerDay) {
        const reason = `${load.started} of ${settings.maxRunsPerDay} runs were started in the last 24 hours`;
        return { kind: 'later', at: now + LOOK_AGAIN * 60, reason, counts: false } as const;
      }
      await submit({
        runId: run.id,
        input: { type: 'command.start.discovery' },
        key: `effect:${claim.id}:${claim.leaseEpoch}`,
        cause: { kind: 'effect', n: claim.n, leaseEpoch: claim.leaseEpoch },
      });
      return { kind: 'settled' } as const;
    });
    turn = mine.catch(() => undefined);
    return mine;
  };
};
