/** F5: how much goes to people who do not know us, and what is told when it is too much. */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { isHoldingSlot, type Run } from '#run';
import { describe, expect, it } from 'vitest';
import {
  strangerAllowance,
  thirdPartyPullOf,
  ThirdPartySettings,
  thirdPartyTurn,
  type ThirdPartyPull,
} from '../../orchestrator/limits/stranger-allowance.ts';
import { DAY, HOUR } from '#model/values';
import {
  at,
  cancel,
  exposed,
  given,
  later,
  notes,
  pull,
  pushed,
  timer,
  turn,
  validated,
  wakes,
  ways,
} from '../support/core.ts';
import { reasonOf } from '../support/english.ts';

const usual = ThirdPartySettings.parse({});
const NOW = 100 * DAY;
const out = (n: number, more: Partial<ThirdPartyPull> = {}): ThirdPartyPull => ({
  run: `r${n}`,
  owner: `owner-${n}`,
  at: NOW - 3 * DAY,
  state: 'open',
  hidden: false,
  ended: null,
  ...more,
});
const many = (n: number, more: Partial<ThirdPartyPull> = {}): ThirdPartyPull[] =>
  Array.from({ length: n }, (_, i) => out(i, more));
const asks = (what: 'push' | 'open_pr', owner = 'somebody-new') => ({ run: 'me', owner, what, now: NOW });

describe('F5: how much may go to strangers', () => {
  it.each([
    ['nothing was decided yet', [], { openPulls: 5, newOwners: 3 }],
    ['all were turned down', many(9, { state: 'closed' }), { openPulls: 5, newOwners: 3 }],
    ['all six were merged', many(6, { state: 'merged' }), { openPulls: 11, newOwners: 5 }],
    [
      'half of twelve were merged',
      [...many(6, { state: 'merged' }), ...many(6, { state: 'closed' })],
      { openPulls: 8, newOwners: 4 },
    ],
    ['very many were merged', many(500, { state: 'merged' }), { openPulls: 50, newOwners: 20 }],
    ['nobody has decided about them', many(40, { state: 'over' }), { openPulls: 5, newOwners: 3 }],
  ])('when %s', (_, outings, expected) => {
    expect(strangerAllowance(outings, usual)).toEqual(expected);
  });

  it('a pull request waits while as many are open as there may be, and goes when one of them is decided', () => {
    const five = many(5);
    expect(thirdPartyTurn(five, asks('open_pr', 'owner-1'), usual)).toEqual({
      kind: 'wait',
      why: 'third_party',
      readyAt: 0,
      queueLength: 5,
    });
    const [first, ...others] = five;
    const decided = [{ ...(first as ThirdPartyPull), state: 'closed' as const }, ...others];
    expect(thirdPartyTurn(decided, asks('open_pr', 'owner-1'), usual)).toEqual({ kind: 'go' });
    // Branches take no place, and what is ours already takes none twice.
    expect(thirdPartyTurn(many(9, { state: 'branch' }), asks('open_pr', 'owner-1'), usual).kind).toBe('go');
    expect(thirdPartyTurn([...many(4), out(9, { run: 'me' })], asks('open_pr'), usual).kind).toBe('go');
  });

  it('the fourth new owner of a day waits until the first of them is a day ago', () => {
    const today = many(3).map((one, i) => ({ ...one, at: NOW - (i + 1) * HOUR }));
    expect(thirdPartyTurn(today, asks('push'), usual)).toEqual({
      kind: 'wait',
      why: 'new_owners',
      readyAt: NOW - 3 * HOUR + DAY,
      queueLength: 3,
    });
    expect(thirdPartyTurn(today, asks('push', 'OWNER-2'), usual)).toEqual({ kind: 'go' });
    expect(thirdPartyTurn(today.slice(1), asks('push'), usual)).toEqual({ kind: 'go' });
    // An owner whom we have known for longer is not new because of something else today.
    const known = [...today, out(2, { run: 'old', at: NOW - 9 * DAY })];
    expect(thirdPartyTurn(known, asks('push'), usual)).toEqual({ kind: 'go' });
    // What a clock dated ahead before it was put back keeps nobody waiting for longer than a day.
    const ahead = many(3, { at: NOW + 40 * DAY });
    expect(thirdPartyTurn(ahead, asks('push'), usual)).toMatchObject({ readyAt: NOW + DAY });
  });

  it('nothing goes while nobody else can see what is open', () => {
    for (const what of ['push', 'open_pr'] as const)
      expect(thirdPartyTurn([out(1, { hidden: true })], asks(what, 'owner-1'), usual)).toMatchObject({
        kind: 'wait',
        why: 'pulls_hidden',
      });
  });
});

describe('F5: what went out', () => {
  const FORK = { repo: 'bot/app', id: '7' };
  const abroad = (run: Run): Run => ({ ...run, target: { ...run.target, fork: FORK } });

  it('is what left from a fork, since its first push', () => {
    const { run } = at('CI_WAIT');
    expect(thirdPartyPullOf(run)).toBeNull();
    expect(thirdPartyPullOf(abroad(at('LOCAL_VALIDATING').run))).toBeNull();
    // Where we may push anyway, a fork is our choice.
    expect(
      thirdPartyPullOf(patchRun(at('PUSHED').run, { target: { fork: { ...FORK, atHome: true } } })),
    ).toBeNull();
    expect(thirdPartyPullOf(abroad(at('PUSHED').run))).toMatchObject({ state: 'branch' });
    const pushedAt = at('PUSHED').run.change.publicSince;
    expect(pushedAt).toBeGreaterThan(0);
    expect(thirdPartyPullOf(abroad(run))).toMatchObject({ owner: 'ana', at: pushedAt, state: 'open' });
    expect(
      thirdPartyPullOf(abroad(at('CI_WAIT').when(pull({ merged: true, closed: true })).run)),
    ).toMatchObject({
      state: 'merged',
    });
  });

  it('counts as open for two weeks after its run has ended', () => {
    const run = abroad(at('CI_WAIT').when(cancel).run);
    const left = thirdPartyPullOf(run);
    expect(left).toMatchObject({ state: 'open', ended: run.lifecycle.updatedAt });
    const settings = { ...usual, openPulls: 1 };
    const after = (days: number) => ({
      ...asks('open_pr', 'ana'),
      now: run.lifecycle.updatedAt + days * DAY,
    });
    expect(thirdPartyTurn(left ? [left] : [], after(13), settings).kind).toBe('wait');
    expect(thirdPartyTurn(left ? [left] : [], after(15), settings).kind).toBe('go');
    expect(thirdPartyPullOf(abroad(at('PUSHED').when(cancel).run))).toMatchObject({ state: 'over' });
  });
});

describe('F5: a pull request that nobody else sees', () => {
  it('is told once, with what to do, and once more when it can be seen again', () => {
    const hidden = at('CI_WAIT').when(exposed(true));
    expect(notes(hidden.effects)).toEqual([expect.stringMatching(/Nobody but us can see #7.*support/)]);
    expect(notes(hidden.when(exposed(true)).effects)).toEqual([]);
    expect(notes(hidden.when(exposed(null)).effects)).toEqual([]);
    expect(notes(hidden.when(exposed(false)).effects)).toEqual([
      expect.stringMatching(/can be seen by everybody again/),
    ]);
    expect(
      thirdPartyPullOf({ ...hidden.run, target: { ...hidden.run.target, fork: { repo: 'b/a', id: '7' } } }),
    ).toMatchObject({ hidden: true });
  });

  it('says nothing of one that all can see, or that nobody can tell of', () => {
    for (const known of [false, null]) expect(notes(at('CI_WAIT').when(exposed(known)).effects)).toEqual([]);
    expect(given({}, ...ways.PUSHED).when(exposed(true)).step.kind).toBe('ignored');
  });
});

describe('F5: a push that waits for tomorrow', () => {
  const waits = at('LOCAL_VALIDATING').when(
    validated(),
    turn({ action: 'push', why: 'new_owners', readyAt: NOW, position: 1, queueLength: 3 }),
  );

  it('says how many there may be, runs into no limit of time, and keeps nobody else waiting', () => {
    expect(reasonOf(waits.run)).toMatch(/at most 3 new owners a day/);
    expect(isHoldingSlot(at('LOCAL_VALIDATING').when(validated()).run)).toBe(true);
    expect(isHoldingSlot(waits.run)).toBe(false);
    const over = waits.when(later(5 * HOUR, timer('timer.timeout')));
    expect([over.run.lifecycle.state, over.run.lifecycle.reason.kind, wakes(over.effects)]).toEqual([
      ...['LOCAL_VALIDATING', 'write_slot_wait', ['timer.timeout']],
    ]);
    expect(over.when(pushed()).run.lifecycle.state).toBe('PUSHED');
  });
});
