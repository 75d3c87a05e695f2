/**
 * E18: no agent is started while the provider of its model takes nothing; a real ledger, the real
 * dispatcher's work on one effect, and the books that all processes share.
 */
import { expect, it } from 'vitest';
import { createProviderBudget } from '#limits';
import { tellStory } from '../../bench/story.ts';
import { createEffectRunner } from '../../orchestrator/kernel/runtime/effect-runner.ts';
import { type EffectHandlers, createSubmitInput } from '#runtime';
import { isHoldingSlot } from '#run';
import type { EffectContext } from '#kernel';
import { createImplementHandler } from '../../orchestrator/kernel/rounds/implement.effect.ts';
import { createProviderPauses } from '../../orchestrator/limits/provider-pauses.ts';
import { createSpendingMeter } from '../../orchestrator/limits/spending-meter.ts';
import { createWriteScheduler } from '../../orchestrator/limits/write-limiter.ts';
import { HOUR, MINUTE } from '#model/values';
import type { Ledger } from '#ports/ledger';
import * as acts from '../support/core-acts.ts';
import { reasonOf } from '../support/english.ts';
import { openOnDisk } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

const FROM = 1_700_000_000_000;
const { ledger, restart } = useLedger(openOnDisk);
const quiet = (): void => undefined;
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** One process; `started` names the runs whose agents it began. */
const createWorker = (of: Ledger, clock: { now: () => number }, provider: string | null) => {
  const started: string[] = [];
  const submit = createSubmitInput({
    ledger: of,
    clock,
    ids: { runId: () => 'x', nonce: () => `n${Math.random()}` },
  });
  const budget = createProviderBudget({ books: of.writers, clock, log: LOG });
  const engines = { script: { provider: () => provider } };
  const pauses = createProviderPauses({ clock, engines, left: (name) => budget.left(name) });
  const writers = createWriteScheduler({
    books: of.writers,
    clock,
    timers: { after: () => ({ cancel: quiet }) },
    identity: async () => 'account',
  });
  const implement = createImplementHandler({
    ledger: of,
    submit,
    clock,
    agents: { engines, findHold: pauses.findHold },
    spending: {
      createMeter: createSpendingMeter({
        submit,
        clock: { ...clock, after: () => ({ cancel: quiet }) },
        log: LOG,
      }),
    },
    workspaces: {
      // As far as an agent of this run would get.
      exists: async (runId: string) => {
        started.push(runId);
        throw new Error('enough is known');
      },
    },
  } as unknown as EffectContext);
  const handlers = { implement } as unknown as EffectHandlers;
  const perform = createEffectRunner({
    ledger: of,
    submit,
    clock,
    handlers,
    report: async () => {},
    log: LOG,
    writers,
  });
  return {
    started,
    budget,
    submit,
    work: async (): Promise<void> => {
      const claims = await of.claim({ now: clock.now(), leaseMs: HOUR, limit: 5, kinds: ['implement'] });
      for (const claim of claims) await perform(claim, new AbortController().signal);
    },
  };
};

it('E18: waits without a place and without work until its provider takes requests, also through a restart', async () => {
  const now = { at: FROM };
  const clock = { now: () => now.at };
  const story = [acts.startDiscovery, acts.discovered(), acts.baseChecked(), acts.startWork()];
  await tellStory({ ledger: ledger(), from: FROM }, 'r1', story);
  now.at += MINUTE;
  const first = createWorker(ledger(), clock, 'api.openai.com');
  await first.budget.refused('api.openai.com', HOUR);
  const until = now.at + HOUR;
  await first.work();
  expect(first.started).toEqual([]);
  const waiting = await ledger().query.run('r1');
  expect(waiting).toMatchObject({
    lifecycle: {
      state: 'IMPLEMENTING',
      workedMs: 0,
      reason: { kind: 'write_slot_wait', action: 'implement', why: 'provider', readyAt: until },
    },
  });
  expect(waiting && isHoldingSlot(waiting)).toBe(false);
  expect(waiting && reasonOf(waiting)).toMatch(/Starts the agent at .*provider/);
  const { length } = await ledger().query.events('r1');
  const again = await restart();
  await again.recover(now.at);
  const second = createWorker(again, clock, 'api.openai.com');
  for (; now.at < until; now.at += 2 * MINUTE) await second.work();
  expect(second.started).toEqual([]);
  // Said once, and not at each look.
  expect(await again.query.events('r1')).toHaveLength(length);
  now.at = until + MINUTE;
  await second.work();
  expect(second.started).toEqual(['r1']);
  const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0 };
  const run = await again.query.run('r1');
  await second.submit({
    runId: 'r1',
    input: { type: 'worker.usage.reported', by: 'agent', session: null, usage, ms: 1, outputBytes: 0 },
    key: 'spent',
    cause: { kind: 'none' },
    effectEpoch: run?.lifecycle.epoch ?? 0,
  });
  expect((await again.query.run('r1'))?.lifecycle.reason).toEqual({ kind: 'retrying' });
});

it.each([
  ['another provider', 'api.anthropic.com'],
  ['no provider that we know', null],
])('E18: an engine with %s is started meanwhile', async (_what, provider) => {
  const clock = { now: () => FROM + MINUTE };
  const story = [acts.startDiscovery, acts.discovered(), acts.baseChecked(), acts.startWork()];
  await tellStory({ ledger: ledger(), from: FROM }, 'r1', story);
  const worker = createWorker(ledger(), clock, provider);
  await worker.budget.refused('api.openai.com', HOUR);
  await worker.work();
  expect(worker.started).toEqual(['r1']);
});
