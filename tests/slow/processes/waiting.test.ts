/**
 * E6, E5 on the real ledger and a virtual clock: queued runs and providers are waited for, over
 * midnight, restarts and a clock put back.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { codexCli } from '../../../executors/engines/codex/codex.ts';
import type { AgentDeps } from '../../../executors/engines/shared/agent-cli.ts';
import { createAgentExecutor } from '../../../executors/engines/shared/run-engine.ts';
import { RunBounds } from '#model/limits';
import type { Input } from '#inputs';
import { toStepFailure } from '../../../orchestrator/kernel/runtime/effect-handler.ts';
import { type EffectHandlers, createSubmitInput } from '#runtime';
import { createEffectRunner } from '../../../orchestrator/kernel/runtime/effect-runner.ts';
import { createStartRunHandler } from '../../../orchestrator/kernel/lifecycle/start-run.effect.ts';
import { createStage } from '../../support/agent-contract.ts';
import { anOrder } from '../../support/ledger.ts';
import { recording } from '../../support/replay-agent.ts';

const HOUR = 3_600_000;
const EVENING = Date.UTC(2026, 0, 5, 23, 30);

const createWorld = async (places: { maxParallelRuns: number; maxRunsPerDay: number }, at = EVENING) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'agentpr-waiting-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  let now = at;
  let counter = 0;
  const clock = { now: () => now };
  let ledger = await openLedger({ dataDir, now: clock.now });
  await ledger.recover(now);
  onTestFinished(() => ledger.close());
  const ids = { runId: () => 'x', nonce: () => `nonce-${(counter += 1)}` };
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const world = {
    get ledger() {
      return ledger;
    },
    /** By so many ms, or back. */
    passes: (ms: number) => void (now += ms),
    now: () => now,
    offer: async (runId: string, input: Input, effectEpoch: number | null = null) => {
      const submit = createSubmitInput({ ledger, clock, ids });
      const key = `cli:${(counter += 1)}`;
      return submit({ runId, input, key, cause: { kind: 'none' }, effectEpoch });
    },
    orders: async (...runs: [string, string][]) => {
      for (const [runId, repo] of runs) {
        const order = { ...anOrder(), repo, bounds: RunBounds.parse({}) };
        await world.offer(runId, { type: 'command.run.create', runId, order });
      }
    },
    /** The clock may be another one afterwards. */
    restart: async (by = 0) => {
      await ledger.close();
      now += by;
      ledger = await openLedger({ dataDir, now: clock.now });
      await ledger.recover(now);
    },
    /** Performs what is due of the queue, once; says who was started. */
    look: async (): Promise<string[]> => {
      const submit = createSubmitInput({ ledger, clock, ids });
      const start = createStartRunHandler({ ledger, submit, clock, settings: places as never });
      const handlers = { start_run: start } as unknown as EffectHandlers;
      const perform = createEffectRunner({
        ledger,
        submit,
        clock,
        handlers,
        report: async () => undefined,
        log,
      });
      const claims = await ledger.claim({ now, leaseMs: 60_000, limit: 50, kinds: ['start_run'] });
      await Promise.all(claims.map((claim) => perform(claim, new AbortController().signal)));
      const runs = await ledger.query.runs({ live: true, limit: 99 });
      return runs
        .filter((run) => run.lifecycle.state === 'DISCOVERY')
        .map((run) => run.id)
        .sort();
    },
    run: async (id: string) => {
      const run = await ledger.query.run(id);
      if (!run) throw new Error(`there is no run ${id}`);
      return run;
    },
  };
  return world;
};

const ends = (by = { id: '1', name: 'Ana' }): Input => ({ type: 'command.cancel', by, reason: '' });

describe('E6: the queue of runs', () => {
  it('serves repositories in turn, and says on the run what it waits for', async () => {
    const w = await createWorld({ maxParallelRuns: 2, maxRunsPerDay: 50 });
    await w.orders(['a1', 'ana/a'], ['a2', 'ana/a'], ['a3', 'ana/a'], ['b1', 'ana/b']);
    expect(await w.look()).toEqual(['a1', 'b1']);
    expect((await w.run('a2')).lifecycle.reason).toMatchObject({
      kind: 'slot_wait',
      waitsFor: 'slot',
      used: 2,
      of: 2,
      at: null,
    });
    await w.offer('b1', ends());
    w.passes(5_000);
    expect(await w.look()).toEqual(['a1', 'a2']);
    w.passes(HOUR);
    const {
      lifecycle: { version },
    } = await w.run('a3');
    await w.look();
    expect((await w.run('a3')).lifecycle.version).toBe(version);
  });

  it('counts starts of 24 hours, whatever the hour is, and over a restart', async () => {
    const w = await createWorld({ maxParallelRuns: 9, maxRunsPerDay: 2 });
    await w.orders(['a1', 'ana/a'], ['a2', 'ana/a'], ['a3', 'ana/a']);
    expect(await w.look()).toEqual(['a1', 'a2']);
    expect((await w.run('a3')).lifecycle.reason).toMatchObject({
      waitsFor: 'day',
      used: 2,
      of: 2,
      at: EVENING + 24 * HOUR,
    });
    for (const hours of [1, 12, 10]) {
      w.passes(hours * HOUR);
      await w.restart();
      expect(await w.look()).toEqual(['a1', 'a2']);
    }
    w.passes(HOUR);
    expect(await w.look()).toEqual(['a1', 'a2', 'a3']);
  });

  it('lets nobody go early when the clock is put back, and nobody wait for more than a day', async () => {
    const w = await createWorld({ maxParallelRuns: 9, maxRunsPerDay: 1 });
    await w.orders(['a1', 'ana/a'], ['a2', 'ana/a']);
    expect(await w.look()).toEqual(['a1']);
    await w.restart(-6 * HOUR);
    w.passes(61_000);
    expect(await w.look()).toEqual(['a1']);
    expect((await w.run('a2')).lifecycle.reason).toMatchObject({
      waitsFor: 'day',
      at: w.now() + 24 * HOUR,
    });
    await w.restart(-40 * HOUR);
    w.passes(61_000);
    expect(await w.look()).toEqual(['a1', 'a2']);
  });
});

describe('E5: a provider that asks for patience', () => {
  it('is waited for as long as it said, by a real program’s words, also over a restart, and no try is used up', async () => {
    const said = recording('codex-rate').replaceAll(
      '429 Too Many Requests',
      '429 Too Many Requests, try again in 3600s',
    );
    const kind = { name: 'codex', create: (deps: AgentDeps) => createAgentExecutor(codexCli, deps) };
    const { run } = await createStage(
      kind,
      `fs.writeSync(1, ${JSON.stringify(said)}); process.exitCode = 1;`,
    );
    const { failure, session, usage, end } = await run();
    expect(failure).toMatchObject({ class: 'rate_limited' });
    if (!failure?.retryAt) throw new Error('no time was read');

    const w = await createWorld({ maxParallelRuns: 1, maxRunsPerDay: 9 }, failure.retryAt - HOUR);
    await w.orders(['a1', 'ana/a']);
    await w.look();
    const {
      lifecycle: { epoch },
    } = await w.run('a1');
    const spent = { session, usage, ms: end.ms };
    const { input } = toStepFailure('agent', failure.class, failure.message, {
      retryAt: failure.retryAt,
      usageSoFar: spent,
    });
    await w.offer('a1', input, epoch);
    const waits = await w.run('a1');
    expect(waits).toMatchObject({
      lifecycle: { state: 'FAILED_RETRYABLE', counts: { retries: 0, providerWaits: 1 } },
    });
    expect(waits.lifecycle.reason).toMatchObject({ class: 'rate_limited', retryAt: failure.retryAt });

    const due = () => w.ledger.claim({ now: w.now(), leaseMs: 1_000, limit: 9, kinds: ['offer_input'] });
    w.passes(HOUR - 1_000);
    await w.restart();
    expect(await due()).toEqual([]);
    w.passes(1_000);
    expect(await due()).toMatchObject([{ runId: 'a1', do: { input: { type: 'timer.retry' } } }]);
  });
});
