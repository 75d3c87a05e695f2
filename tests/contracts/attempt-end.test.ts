/** P7, L6: an attempt whose engine throws ends: its row, what it used, and what it had reserved. */
import { expect, it } from 'vitest';
import type { EffectContext } from '#kernel';
import { createSpendingGuard } from '#limits';
import { SpendingBudgets } from '#model/spending';
import { OutsideFailure } from '#ports/forge';
import type { EngineRound, ExecutorDone } from '#ports/processes';
import { createSubmitInput } from '#runtime';
import { tellStory } from '../../bench/story.ts';
import { runTurn } from '../../orchestrator/kernel/rounds/run-turn.io.ts';
import { createSpendingMeter } from '../../orchestrator/limits/spending-meter.ts';
import * as acts from '../support/core-acts.ts';
import { claimOf, never } from '../support/doors.ts';
import { openOnDisk } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';
import { asks, soon, usd } from './ledger-spending.ts';

const FROM = Date.UTC(2026, 10, 29, 12);
const { ledger } = useLedger(openOnDisk);
const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** An engine that does this and throws. */
const turnOf = async (engine: (round: EngineRound) => Promise<ExecutorDone>) => {
  const story = [acts.startDiscovery, acts.discovered(), acts.baseChecked(), acts.startWork()];
  const run = await tellStory({ ledger: ledger(), from: FROM }, 'r1', story);
  const clock = { now: () => FROM + 60_000, ...soon };
  const ids = { runId: () => 'x', nonce: () => 'n' };
  const submit = createSubmitInput({ ledger: ledger(), clock, ids });
  const budgets = async () => SpendingBudgets.parse({ month: 10 });
  const parts = {
    ledger: ledger(),
    submit,
    clock,
    log,
    agents: {
      engines: { script: { run: engine } },
      notes: { write: async () => {} },
      brief: async () => ({ prompt: 'Fix it.', picture: null }),
    },
    spending: { guard: createSpendingGuard({ ledger: ledger(), clock, timers: soon, budgets }) },
    workspaces: { places: () => ({ workspace: '/w', home: '/h' }) },
  } as unknown as EffectContext;
  const { round } = run.agent;
  const createMeter = createSpendingMeter({ submit, clock, log });
  const meter = createMeter(run, claimOf(run, { kind: 'implement' as const, round }), 'agent');
  const ground = { past: [], left: { files: [], unfit: [] }, undone: null, lost: null, conflicts: null };
  const turn = { run, round, ground, meter, asking: null, repeats: null, words: null };
  return runTurn(parts, turn, never);
};
const reservedNow = async (): Promise<number[]> =>
  (await ledger().query.spent({ since: 0 })).map(({ pending }) => pending.costUsd);

it('P7: an attempt ends, and reserves nothing any more, where its engine throws in the middle', async () => {
  const turn = turnOf(async (round) => {
    round.onEvent({ type: 'started', pid: 42, pidStart: 'since' });
    expect(await round.reserve?.(asks(1.5, 0))).toBeNull();
    expect(await reservedNow()).toEqual([1.5]);
    round.onEvent({ type: 'used', usage: usd(0.4), session: null, outputBytes: 7 });
    throw new OutsideFailure('env_missing', 'the way to the model is gone');
  });
  await expect(turn).rejects.toThrow('the way to the model is gone');
  const [attempt] = await ledger().query.attempts('r1');
  expect(attempt).toMatchObject({ outcome: 'env_missing' });
  expect(await reservedNow()).toEqual([0]);
  expect((await ledger().query.spent({ since: 0 }))[0]?.used.costUsd).toBe(0.4);
  expect((await ledger().query.run('r1'))?.lifecycle.usage.costUsd).toBe(0.4);
});

it('L6: an attempt ends where its engine does not even begin', async () => {
  await expect(turnOf(async () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  expect((await ledger().query.attempts('r1')).map(({ outcome }) => outcome)).toEqual(['crashed']);
});
