/** G10: what was approved waits for its hours, its cool-down and a free place, and is not used up. */
import { describe, expect, it } from 'vitest';
import { createOpeningHolds, OpeningCapSettings, OpeningSettings } from '#limits';
import { patchRun, type Run } from '../../orchestrator/kernel/run/run.ts';
import type { ClaimedEffect } from '#ports/steps';
import { isTerminal } from '#model/run';
import { DAY, HOUR, MINUTE } from '#model/values';
import { assessment, at, confirm } from '../support/core.ts';
import { openInMemory } from '../support/ledger.ts';
import { createClock } from '../support/timers.ts';

const OPENED = { pullRequest: { id: '#1', url: 'u' } };
const claimOf = (run: Run, kind: 'open_pr' | 'push' = 'open_pr'): ClaimedEffect => {
  const approvalId = run.gate.consumedApproval?.id ?? '';
  const work =
    kind === 'open_pr'
      ? ({ kind, approvalId, digest: 'd' } as const)
      : ({ kind, approvalId, commitSha: 'c', expectedHead: null } as const);
  return { n: 1, id: `${run.id}:1:0`, runId: run.id, epoch: 0, leaseEpoch: 1, tries: 1, do: work };
};

const signed = at('PUSHED').when(confirm()).run;
type Given = {
  windows?: unknown;
  caps?: unknown;
  campaigns?: Record<string, unknown>;
  /** More runs live than are read. */
  unread?: boolean;
};

const installation = async ({ windows = {}, caps = {}, campaigns = {}, unread = false }: Given = {}) => {
  const { ledger } = await openInMemory();
  const clock = createClock();
  const runs = new Map<string, Run>();
  const approved = (id: string, repo: string, change: Parameters<typeof patchRun>[1] = {}): Run => {
    const approval = signed.gate.consumedApproval;
    if (!approval) throw new Error('nothing was signed');
    const consumedApproval = { ...approval, id: `approval-${id}`, at: clock.now() };
    const run = patchRun(
      signed,
      { id, order: { ...signed.order, repo }, gate: { consumedApproval } },
      change,
    );
    runs.set(id, run);
    return run;
  };
  const becomes = (id: string, change: Parameters<typeof patchRun>[1]): Run => {
    const run = runs.get(id);
    if (!run) throw new Error(`there is no run ${id}`);
    const next = patchRun(run, change);
    runs.set(id, next);
    return next;
  };
  const ends = (id: string): Run => becomes(id, { upstream: OPENED, lifecycle: { state: 'DONE' } });
  /** A person ends the run and leaves its pull request open. */
  const isLeft = (id: string): Run => {
    const reason = { kind: 'ended_by_person', how: 'cancelled', by: 'Ana', note: '', pull: '#1' } as const;
    return becomes(id, { upstream: OPENED, lifecycle: { state: 'FAILED_TERMINAL', reason } });
  };
  const query = {
    run: async (id: string) => runs.get(id) ?? null,
    runPage: async ({ filter: { owner = '' } }: { filter: { owner?: string } }) =>
      [...runs.values()].filter(
        ({ order, lifecycle }) =>
          !unread && order.repo.toLowerCase().startsWith(`${owner}/`) && !isTerminal(lifecycle.state),
      ),
    campaign: async (id: string) =>
      campaigns[id] === undefined ? null : { campaign: {}, order: campaigns[id] },
  };
  const worker = () =>
    createOpeningHolds({
      ledger: { writers: ledger.writers, query: query as never },
      clock,
      windows: () => OpeningSettings.parse(windows),
      caps: () => OpeningCapSettings.parse(caps),
    });
  const first = worker();
  const asks = async (run: Run, by = first, kind: 'open_pr' | 'push' = 'open_pr') =>
    (await by.holds(claimOf(run, kind)))?.turn.why ?? 'goes';
  const holds = (claim: ClaimedEffect) => first.holds(claim);
  return { clock, approved, becomes, ends, isLeft, holds, first, asks, worker };
};

describe('hours', () => {
  const never = { hours: 'mon 09:00-17:00 Europe/Berlin' };

  it('G10: outside of them an approved opening waits, and says until when', async () => {
    const w = await installation({ windows: never });
    const run = w.approved('a', 'acme/app');
    const held = await w.holds(claimOf(run));
    expect(held?.turn).toMatchObject({ action: 'open_pr', why: 'opening_hours', position: 1 });
    const { readyAt = 0 } = held?.turn ?? {};
    expect(readyAt).toBeGreaterThan(w.clock.now());
    await w.clock.pass(readyAt - w.clock.now());
    expect(await w.asks(run)).toBe('goes');
  });

  it('G10: looks again within minutes, because settings and clocks change', async () => {
    const w = await installation({ windows: never });
    const held = await w.holds(claimOf(w.approved('a', 'acme/app')));
    expect(held?.at).toBe(w.clock.now() + 5 * MINUTE);
  });

  it('G10: a push that the same approval opens waits as well; a fix of what is open does not', async () => {
    const w = await installation({ windows: never });
    const run = w.approved('a', 'acme/app');
    expect(await w.asks(run, w.first, 'push')).toBe('opening_hours');
    const approval = run.gate.consumedApproval;
    const fix = w.becomes('a', { gate: { consumedApproval: approval && { ...approval, kind: 'push' } } });
    expect(await w.asks(fix, w.first, 'push')).toBe('goes');
  });

  it('G10: an admin lets it be opened now', async () => {
    const w = await installation({ windows: never });
    const run = w.approved('a', 'acme/app');
    const approval = run.gate.consumedApproval;
    const hurried = w.becomes('a', {
      gate: { consumedApproval: approval && { ...approval, openNow: 'Ana' } },
    });
    expect(await w.asks(hurried)).toBe('goes');
  });

  it('G10: a campaign has hours of its own within those of everything', async () => {
    const campaigns = { 'c-aaaaaa': { openings: never }, 'c-bbbbbb': {} };
    const w = await installation({ campaigns });
    const order = (campaign: string) => ({ order: { ...signed.order, repo: 'acme/app', campaign } });
    expect(await w.asks(w.approved('a', 'acme/app', order('c-aaaaaa')))).toBe('opening_hours');
    expect(await w.asks(w.approved('b', 'acme/app', order('c-bbbbbb')))).toBe('goes');
  });
});

describe('a cool-down', () => {
  const cooling = assessment({
    reasons: [
      {
        policy: 'custom:slow',
        verdict: 'escalate',
        reason: { kind: 'custom_policy', says: 'Wait', at: [], more: 0, asks: { afterMs: 2 * HOUR } },
      },
    ],
  });

  it('G10: counts from the last approval, for a push and an opening, and nobody opens it now', async () => {
    const w = await installation();
    const run = w.approved('a', 'acme/app');
    const approval = run.gate.consumedApproval;
    if (!approval) throw new Error('nothing was signed');
    const fields = { ...approval.fields, assessment: cooling };
    const cools = w.becomes('a', { gate: { consumedApproval: { ...approval, fields, openNow: 'Ana' } } });
    expect(await w.asks(cools)).toBe('cool_down');
    expect(await w.asks(cools, w.first, 'push')).toBe('cool_down');
    await w.clock.pass(2 * HOUR - 1);
    expect(await w.asks(cools)).toBe('cool_down');
    await w.clock.pass(1);
    expect(await w.asks(cools)).toBe('goes');
  });
});

describe('caps', () => {
  it('G10: as many are open with an owner as may be, and one more goes when one is merged', async () => {
    const w = await installation({ caps: { openPerOwner: 2 } });
    const [a, b, c] = ['a', 'b', 'c'].map((id) => w.approved(id, `acme/${id}`));
    if (!a || !b || !c) throw new Error('three were approved');
    expect([await w.asks(a), await w.asks(b)]).toEqual(['goes', 'goes']);
    for (const id of ['a', 'b']) w.becomes(id, { upstream: OPENED });
    expect((await w.holds(claimOf(c)))?.turn).toEqual({
      action: 'open_pr',
      why: 'owner_open',
      readyAt: 0,
      position: 1,
      queueLength: 2,
    });
    expect(await w.asks(w.approved('d', 'other/app'))).toBe('goes');
    await w.clock.pass(3 * DAY);
    expect(await w.asks(c)).toBe('owner_open');
    w.ends('a');
    expect(await w.asks(c)).toBe('goes');
  });

  it.each([false, true])(
    'G10: of twenty that ask two workers at once, no more go than there are places',
    async (unread) => {
      const w = await installation({ caps: { openPerOwner: 5 }, unread });
      const [one, two] = [w.worker(), w.worker()];
      const all = Array.from({ length: 20 }, (_, no) => w.approved(`r${no}`, `acme/app-${no}`));
      const asked = await Promise.all(all.map((run, no) => w.asks(run, no % 2 === 0 ? one : two)));
      expect(asked.filter((why) => why === 'goes')).toHaveLength(5);
      expect(new Set(asked)).toEqual(new Set(['goes', 'owner_open']));
    },
  );

  it('G10: an opening that was let through and begins again, after a crash too, keeps its place', async () => {
    const w = await installation({ caps: { openPerOwner: 1, perDay: 1 } });
    const run = w.approved('a', 'acme/app');
    expect(await w.asks(run)).toBe('goes');
    expect(await w.asks(run, w.worker())).toBe('goes');
    expect(await w.asks(w.approved('b', 'acme/app'), w.worker())).toBe('owner_open');
  });

  it('G10: what was never opened gives its place back', async () => {
    const w = await installation({ caps: { openPerRepository: 1 } });
    expect(await w.asks(w.approved('a', 'acme/app'))).toBe('goes');
    const next = w.approved('b', 'Acme/App');
    expect(await w.asks(next)).toBe('repository_open');
    await w.clock.pass(11 * MINUTE);
    // It may still be on its way.
    expect(await w.asks(next)).toBe('repository_open');
    w.becomes('a', { gate: { consumedApproval: null }, lifecycle: { state: 'NEEDS_HUMAN_REVIEW' } });
    expect(await w.asks(next)).toBe('goes');
  });

  it('G10: what was let through a moment ago has its place, whatever became of its run', async () => {
    const w = await installation({ caps: { openPerRepository: 1 } });
    expect(await w.asks(w.approved('a', 'acme/app'))).toBe('goes');
    w.becomes('a', { gate: { consumedApproval: null }, lifecycle: { state: 'NEEDS_HUMAN_REVIEW' } });
    expect(await w.asks(w.approved('b', 'acme/app'))).toBe('repository_open');
  });

  it('G10: what was open before anything was counted, and what a person left open, has its place for days', async () => {
    const w = await installation({ caps: { openPerOwner: 3 } });
    w.approved('old', 'acme/old', { upstream: OPENED });
    expect(await w.asks(w.approved('left', 'acme/left'))).toBe('goes');
    w.isLeft('left');
    await w.clock.pass(2 * DAY);
    expect(await w.asks(w.approved('b', 'acme/b'))).toBe('goes');
    expect(await w.asks(w.approved('c', 'acme/c'))).toBe('owner_open');
    w.ends('old');
    expect(await w.asks(w.approved('c', 'acme/c'))).toBe('goes');
  });

  it('G10: a card that comes anew takes the place of the one before, and gives it its time', async () => {
    const w = await installation({ caps: { openPerOwner: 1, perDay: 1 } });
    expect(await w.asks(w.approved('a', 'acme/app'))).toBe('goes');
    const approval = w.approved('a', 'acme/app').gate.consumedApproval;
    const anew = w.becomes('a', { gate: { consumedApproval: approval && { ...approval, id: 'anew' } } });
    expect(await w.asks(anew)).toBe('goes');
    await w.clock.pass(HOUR);
    expect(await w.asks(anew)).toBe('goes');
    const other = w.approved('b', 'other/app');
    expect((await w.holds(claimOf(other)))?.turn.readyAt).toBe(w.clock.now() - HOUR + DAY);
  });

  it('G10: a day counts what is merged by now, and what a clock that was put back calls later', async () => {
    const w = await installation({ caps: { perDay: 2 } });
    for (const id of ['a', 'b']) {
      expect(await w.asks(w.approved(id, `acme/${id}`))).toBe('goes');
      w.ends(id);
    }
    expect(await w.asks(w.approved('c', 'acme/c'))).toBe('day_full');
    await w.clock.pass(-HOUR);
    expect(await w.asks(w.approved('c', 'acme/c'))).toBe('day_full');
  });

  it('G10: an hour and a day take so many, whoever asks, and say when there is room', async () => {
    const w = await installation({ caps: { perHour: 2, perDay: 3 } });
    const first = w.clock.now();
    for (const id of ['a', 'b']) expect(await w.asks(w.approved(id, `${id}/app`))).toBe('goes');
    const c = w.approved('c', 'c/app');
    expect((await w.holds(claimOf(c)))?.turn).toMatchObject({
      why: 'hour_full',
      readyAt: first + HOUR,
      queueLength: 2,
    });
    await w.clock.pass(HOUR);
    expect(await w.asks(c)).toBe('goes');
    expect((await w.holds(claimOf(w.approved('d', 'd/app'))))?.turn).toMatchObject({
      why: 'day_full',
      readyAt: first + DAY,
    });
  });

  it('G10: strangers have lower ones, which count what goes to strangers alone', async () => {
    const w = await installation({ caps: { strangers: { openPerOwner: 1 } } });
    const fork = { target: { fork: { repo: 'bot/app', id: '7' } } };
    expect(await w.asks(w.approved('a', 'acme/a', { upstream: OPENED }))).toBe('goes');
    expect(await w.asks(w.approved('b', 'acme/b', fork))).toBe('goes');
    expect(await w.asks(w.approved('c', 'acme/c', fork))).toBe('owner_open');
    expect(await w.asks(w.approved('d', 'acme/d'))).toBe('goes');
  });
});
