/** F5: what would send strangers too much, or goes nowhere now, waits; nothing of that is a failure. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { Run } from '#run';
import { describe, expect, it } from 'vitest';
import type { PushFork } from '#model/pull';
import { DAY, HOUR, MINUTE, SECOND } from '#model/values';
import { ThirdPartySettings } from '../../orchestrator/limits/stranger-allowance.ts';
import { createEffectRunner } from '../../orchestrator/kernel/runtime/effect-runner.ts';
import { createThirdPartyLimiter } from '../../orchestrator/limits/limit-third-party-pulls.ts';
import { createWriteScheduler } from '../../orchestrator/limits/write-limiter.ts';
import { OutsideFailure } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import { at } from '../support/core.ts';
import { openInMemory, write } from '../support/ledger.ts';
import { createClock } from '../support/timers.ts';

const FORK: PushFork = { repo: 'bot/app', id: '7' };
const OPEN = { kind: 'open_pr', approvalId: 'a', digest: 'd' } as const;
const PUSH = { kind: 'push', commitSha: 'c', expectedHead: null, approvalId: null } as const;
const claimOf = (runId: string, work: ClaimedEffect['do'] = OPEN): ClaimedEffect => ({
  n: 1,
  id: `${runId}:1:0`,
  runId,
  epoch: 0,
  leaseEpoch: 1,
  tries: 1,
  do: work,
});

describe('what goes to strangers', () => {
  const clock = createClock();
  const ordered = at('PUSHED').run;
  const of = (id: string, owner: string, change: RunPatch = {}): Run =>
    patchRun(
      ordered,
      {
        id,
        target: { fork: FORK },
        change: { publicSince: clock.now() - HOUR },
        order: { ...ordered.order, repo: `${owner}/app` },
      },
      change,
    );
  const withPull = (id: string, owner: string): Run =>
    of(id, owner, {
      upstream: { pullRequest: { id: '#1', url: 'u' } },
      change: { publicSince: clock.now() - 9 * DAY },
    });
  const installation = (runs: Run[], settings: Partial<ThirdPartySettings> = {}, isAlone = true) => {
    const all = new Map(runs.map((run) => [run.id, run]));
    const events: string[] = [];
    const reads: string[] = [];
    const reputation = createThirdPartyLimiter({
      clock,
      settings: ThirdPartySettings.parse(settings),
      isAlone,
      ledger: {
        query: {
          run: async (id) => all.get(reads[reads.push(id) - 1] ?? '') ?? null,
          runs: async () => [...all.values()].filter(({ id }) => reads.push(id) > 0),
          newestEvent: async () => events.length,
          moved: async ({ after }) =>
            events.slice(after).map((runId, i) => ({ event: after + i + 1, runId, seq: 1, kept: null })),
        },
      },
    });
    return {
      reputation,
      /** As another process writes it. */
      isWritten: (run: Run): void => void (all.set(run.id, run) && events.push(run.id)),
      reads: () => reads.splice(0),
      becomes: (run: Run): void => {
        all.set(run.id, run);
        reputation.note(run);
      },
    };
  };

  it('F5: waits while as many are open as there may be, says of how many, and goes when one is merged', async () => {
    const open = ['a', 'b'].map((id) => withPull(id, id));
    const { reputation, becomes } = installation([...open, of('me', 'a')], { openPulls: 2 });
    expect(await reputation.holds(claimOf('me'))).toEqual({
      at: clock.now() + 5 * MINUTE,
      turn: { action: 'open_pr', why: 'third_party', readyAt: 0, position: 1, queueLength: 2 },
    });
    const [first] = open;
    if (!first) throw new Error('none');
    becomes({
      ...first,
      upstream: {
        ...first.upstream,
        observed: {
          ...first.upstream.observed,
          pull: { id: '#1', state: 'closed', merged: true, headSha: '', by: null },
        },
      },
    });
    expect(await reputation.holds(claimOf('me'))).toBeNull();
  });

  it('F5: among several processes, what another one saw merged or hidden counts here half a minute later', async () => {
    const open = withPull('a', 'a');
    const shared = installation([open, of('me', 'b')], { openPulls: 1 }, false);
    expect(await shared.reputation.holds(claimOf('me'))).toMatchObject({ turn: { why: 'third_party' } });
    const merged = { id: '#1', state: 'closed', merged: true, headSha: '', by: null } as const;
    shared.isWritten(patchRun(open, { upstream: { observed: { ...open.upstream.observed, pull: merged } } }));
    shared.reads();
    await clock.pass(31 * SECOND);
    expect(await shared.reputation.holds(claimOf('me'))).toBeNull();
    expect(shared.reads()).toEqual(['me', 'a']);
  });

  it('F5: of two that ask at once only one takes the last place, and one that comes back has it still', async () => {
    const { reputation } = installation([of('one', 'a'), of('two', 'a')], { openPulls: 1 });
    const asked = await Promise.all([reputation.holds(claimOf('one')), reputation.holds(claimOf('two'))]);
    expect(asked.map((held) => held?.turn.why ?? 'goes')).toEqual(['goes', 'third_party']);
    expect(await reputation.holds(claimOf('one'))).toBeNull();
    // Whoever was let go and never went gives its place back.
    await clock.pass(11 * MINUTE);
    expect(await reputation.holds(claimOf('two'))).toBeNull();
  });

  it('F5: the first push to a new owner waits for tomorrow; what stays at home never waits', async () => {
    const fresh = { change: { publicSince: null } };
    const runs = [
      of('one', 'a'),
      of('two', 'b', fresh),
      of('home', 'c', { ...fresh, target: { fork: null } }),
    ];
    const { reputation } = installation(runs, { newOwnersPerDay: 1 });
    expect(await reputation.holds(claimOf('two', PUSH))).toMatchObject({
      turn: {
        action: 'push',
        why: 'new_owners',
        readyAt: (runs[0]?.change.publicSince ?? 0) + DAY,
        queueLength: 1,
      },
    });
    expect(await reputation.holds(claimOf('home', PUSH))).toBeNull();
    expect(await reputation.holds(claimOf('two', { kind: 'remove_workspace' }))).toBeNull();
    await clock.pass(DAY);
    expect(await reputation.holds(claimOf('two', PUSH))).toBeNull();
  });
});

describe('an identity that is suspended', () => {
  it('F5: nobody writes as it; one tries after a while, and its success ends it', async () => {
    const { ledger, close } = await openInMemory();
    const clock = createClock();
    const writers = createWriteScheduler({
      books: ledger.writers,
      clock,
      timers: clock,
      identity: async () => 'me',
    });
    const until = await writers.limiter.suspended('me');
    expect(until - clock.now()).toBeGreaterThan(10 * MINUTE);
    await expect(writers.limiter.write('me', async () => 'sent')).rejects.toMatchObject({ at: until });
    expect(await writers.comesBack(claimOf('r'))).toMatchObject({ turn: { why: 'suspended', readyAt: 0 } });
    await clock.pass(until - clock.now() + 3 * SECOND);
    expect(await writers.limiter.write('me', async () => 'sent')).toBe('sent');
    expect((await ledger.writers.of('me')).suspended).toBeUndefined();
    await close();
  });
});

describe('a code host that takes nothing of ours now', () => {
  it.each([
    ['pull_limit', 'slot'],
    ['account_suspended', 'suspended'],
  ] as const)(
    'F5: %s has the opening wait for as long as it takes, and the run say why',
    async (failure, why) => {
      const { ledger, close } = await openInMemory();
      const clock = createClock();
      const told: unknown[] = [];
      const handlers = new Proxy({} as never, {
        get: () => () => Promise.reject(new OutsideFailure(failure, 'no')),
      });
      const perform = createEffectRunner({
        ledger,
        clock,
        handlers,
        report: async () => undefined,
        log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
        submit: async ({ input }) => {
          told.push(input);
          return { kind: 'ignored', reason: 'nothing to do in this state' };
        },
      });
      await write(ledger, 'r', { effects: [{ do: OPEN, dueAt: 0 }] });
      for (let i = 0; i < 9; i += 1) {
        const [claim] = await ledger.claim({ now: clock.now(), leaseMs: MINUTE, limit: 1 });
        expect(claim?.tries).toBe(1);
        if (claim) await perform(claim, new AbortController().signal);
        await clock.pass(30 * MINUTE + SECOND);
      }
      const [row] = await ledger.query.effects({ runId: 'r', kind: 'open_pr' });
      expect(row).toMatchObject({ state: 'pending', tries: 0 });
      expect(told).toHaveLength(9);
      expect(told[0]).toEqual({
        type: 'worker.slot.awaited',
        action: 'open_pr',
        why,
        readyAt: 0,
        position: 1,
      });
      await close();
    },
  );
});
