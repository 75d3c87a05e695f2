/** E6, L6: when what a process used, and the session it works in, become part of the run. */
import { expect, it } from 'vitest';
import { createMeter } from '../../orchestrator/effects/meter.ts';
import type { Claim } from '../../orchestrator/ports.ts';
import { at } from '../support/core.ts';

it('L6: a session is noted as soon as it has a name, once, and before the result', async () => {
  const told: unknown[] = [];
  const parts = {
    clock: { now: () => 1_000 },
    timers: { after: () => ({ cancel: () => {} }) },
    log: console,
    submit: (offer: { input: unknown }) => {
      told.push(offer.input);
      return Promise.resolve({ kind: 'refused' });
    },
  } as unknown as Parameters<typeof createMeter>[0];
  const claim = { id: 'e', leaseEpoch: 1, epoch: 1 } as Claim;
  const meter = createMeter(parts, at('IMPLEMENTING').run, claim, 'agent');
  meter.begin();
  const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const session = { id: 's', spent: usage };
  meter.used({ usage, session: null, outputBytes: 0 });
  await meter.told();
  expect(told).toEqual([]);
  meter.used({ usage, session, outputBytes: 0 });
  meter.used({ usage, session, outputBytes: 0 });
  await meter.told();
  expect(told).toMatchObject([{ type: 'worker.spent', session: { id: 's' } }]);
});
