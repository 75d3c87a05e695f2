/** E6, L6: when what a process used, and the session it works in, become part of the run. */
import { expect, it } from 'vitest';
import { createSpendingMeter } from '../../orchestrator/limits/spending-meter.ts';
import type { ClaimedEffect } from '#ports/steps';
import { at } from '../support/core.ts';

it('L6: a session is noted as soon as it has a name, once, and before the result', async () => {
  const told: unknown[] = [];
  const parts = {
    clock: { now: () => 1_000, after: () => ({ cancel: () => {} }) },
    log: console,
    submit: (offer: { input: unknown }) => {
      told.push(offer.input);
      return Promise.resolve({ kind: 'refused' });
    },
  } as unknown as Parameters<typeof createSpendingMeter>[0];
  const claim = { id: 'e', leaseEpoch: 1, epoch: 1 } as ClaimedEffect;
  const meter = createSpendingMeter(parts)(at('IMPLEMENTING').run, claim, 'agent');
  meter.begin();
  const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const session = { id: 's', usage };
  meter.used({ usage, session: null, outputBytes: 0 });
  await meter.told();
  expect(told).toEqual([]);
  meter.used({ usage, session, outputBytes: 0 });
  meter.used({ usage, session, outputBytes: 0 });
  await meter.told();
  expect(told).toMatchObject([{ type: 'worker.usage.reported', session: { id: 's' } }]);
});

it.each([
  ['the warning', 0.8, 16_000],
  ['the end', null, 20_000],
])('E6: %s of the time budget is told in time by a timer that fires too early', async (_, warnAt, due) => {
  const early = 3;
  let now = 0;
  let next: { at: number; call: () => void } | null = null;
  const told: { at: number; ms: number }[] = [];
  const { run: first } = at('IMPLEMENTING');
  const bounds = { ...first.order.bounds, runMs: 20_000, warnAt };
  let run = { ...first, order: { ...first.order, bounds } };
  const parts = {
    clock: {
      now: () => now,
      after: (ms: number, call: () => void) => {
        next = { at: now + Math.max(0, ms - early), call };
        return { cancel: () => void (next = null) };
      },
    },
    log: console,
    submit: ({ input }: { input: { ms: number } }) => {
      run = { ...run, lifecycle: { ...run.lifecycle, workedMs: run.lifecycle.workedMs + input.ms } };
      told.push({ at: now, ms: run.lifecycle.workedMs });
      now += 10; // As long as the ledger takes to write it.
      return Promise.resolve({ kind: 'written', run });
    },
  } as unknown as Parameters<typeof createSpendingMeter>[0];
  const meter = createSpendingMeter(parts)(
    run,
    { id: 'e', leaseEpoch: 1, epoch: 1 } as ClaimedEffect,
    'agent',
  );
  meter.begin();
  while (!told.some(({ ms }) => ms >= due)) {
    const { at: then, call } = next as unknown as { at: number; call: () => void };
    now = Math.max(now, then);
    call();
    await new Promise(setImmediate);
  }
  expect(told.at(-1)?.at).toBeLessThan(due + 100);
});
