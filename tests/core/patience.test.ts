/**
 * E17: a provider that is busy or away is waited for in patience; work that did not stay is told.
 */
import { describe, expect, it } from 'vitest';
import type { Effect, MessageView } from '#effects';
import { FailureClass, shouldWaitForProvider } from '#model/failure';
import { toDiscardedEdits } from '../../orchestrator/kernel/rounds/record-discarded-edits.ts';
import { finding } from '../support/actions.ts';
import {
  at,
  budgeted,
  failed,
  implemented,
  later,
  pause,
  resume,
  retry,
  review,
  timer,
  type Story,
} from '../support/core.ts';

const MINUTE = 60_000;
const told = <V extends MessageView['view']>(effects: readonly Effect[], view: V) =>
  effects.flatMap((e) =>
    e.do.kind === 'chat_message' && e.do.content.view === view
      ? [{ ...(e.do.content as Extract<MessageView, { view: V }>), sound: e.do.sound }]
      : [],
  );
const dueIn = (story: Story): number =>
  (story.effects.find((e) => e.do.kind === 'offer_input')?.dueAt ?? 0) - story.now;
const again = (story: Story): Story => story.when(later(dueIn(story), timer('timer.retry')));
const working = (change = {}): Story => at('IMPLEMENTING', budgeted(change));

const PATIENT = [
  ...(['rate_limited', 'model_unavailable'] as const),
  // Of the code host.
  ...(['pull_limit', 'merge_queue', 'account_suspended'] as const),
] as const satisfies readonly FailureClass[];

describe('a provider', () => {
  it('E17: is waited for when it is busy or away, and for no other failure', () => {
    expect(FailureClass.options.filter(shouldWaitForProvider)).toEqual(PATIENT);
  });

  it.each(PATIENT)('E17: that is %s uses up no try, in any state in which an agent works', (failure) => {
    for (const state of ['IMPLEMENTING', 'ITERATING'] as const) {
      let story = at(state, budgeted({}));
      for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
        story = story.when(failed(failure));
        expect(story.run).toMatchObject({
          lifecycle: { state: 'FAILED_RETRYABLE', resumeState: state, counts: { retries: 0 } },
        });
        expect(dueIn(story)).toBe(wait * MINUTE);
        story = again(story);
        expect(story.run.lifecycle.state).toBe(state);
      }
    }
  });

  it('E17: that stays away wakes a person when its bound is reached, and not before', () => {
    let story = working({ maxRateWaits: 4 });
    for (let i = 0; i < 6; i += 1) story = again(story.when(failed('model_unavailable')));
    expect(story.run.lifecycle.counts.retries).toBe(2);
    expect(story.when(failed('model_unavailable')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('E17: is told of once when the wait is long in all, with when it goes on', () => {
    let story = working();
    const since = story.now + 1;
    const tells: { view: 'provider_wait'; since: number; until: number; sound: boolean }[] = [];
    for (let i = 0; i < 9; i += 1) {
      story = story.when(failed(i % 2 ? 'rate_limited' : 'model_unavailable'));
      tells.push(...told(story.effects, 'provider_wait'));
      story = again(story);
    }
    expect(tells).toHaveLength(1);
    // 1, 2, 4, 8 and 16 minutes make 31.
    expect(tells[0]).toMatchObject({ since, until: since + 31 * MINUTE + 4, sound: true });
  });

  it('E17: that says to come back in hours is told of at once; one that says seconds is not', () => {
    const story = working();
    const at_ = (ms: number) => story.when(failed('rate_limited', { retryAt: story.now + ms })).effects;
    expect(told(at_(5 * 60 * MINUTE), 'provider_wait')).toHaveLength(1);
    expect(told(at_(50_000), 'provider_wait')).toHaveLength(0);
  });

  it('E17: is told of anew after a success, and after a person said to go on', () => {
    const long = { retryAt: Number.MAX_SAFE_INTEGER };
    const waits = (story: Story) =>
      told(story.when(failed('rate_limited', long)).effects, 'provider_wait').length;
    const before = working().when(failed('rate_limited', long));
    expect(waits(before.when(timer('timer.retry')))).toBe(0);
    expect(waits(before.when(retry()))).toBe(1);
    expect(waits(before.when(timer('timer.retry'), pause, resume()))).toBe(1);
  });

  it('S7: a crash in between still counts as a try', () => {
    const story = again(working().when(failed('model_unavailable'))).when(failed('crashed'));
    expect(story.run.lifecycle.counts).toMatchObject({ retries: 1, providerWaits: 1 });
  });
});

describe('edits that did not stay', () => {
  const guard = toDiscardedEdits('guard', ['~ a', '~ b']);

  it('E17: are told on the phone, and kept for the agent until its next round has ended', () => {
    const story = at('IMPLEMENTING').when(implemented('a', 1, { discardedEdits: guard }));
    expect(told(story.effects, 'discarded_edits')).toMatchObject([{ discardedEdits: guard, sound: false }]);
    expect(story.run.agent.discardedEdits).toEqual(guard);
    const crashed = at('ITERATING').when(failed('crashed', { discardedEdits: toDiscardedEdits('disk', []) }));
    expect(told(crashed.effects, 'discarded_edits')).toMatchObject([
      { discardedEdits: { why: 'disk' }, sound: true },
    ]);
    const tried = again(crashed).when(failed('crashed'));
    expect(tried.run.agent.discardedEdits).toMatchObject({ why: 'disk' });
    expect(again(tried).when(implemented('b')).run.agent.discardedEdits).toBeNull();
  });

  it('E17: are listed twenty at most, and the others counted', () => {
    const many = toDiscardedEdits(
      'fresh_workspace',
      Array.from({ length: 33 }, (_, i) => `f${i}`),
    );
    expect([many.files.length, many.more]).toEqual([20, 13]);
  });
});

describe('“The agent changed nothing”', () => {
  it('S10: offers to run checks again only where one is red', () => {
    const mayRun = (story: Story): unknown =>
      (story.when(implemented(null)).run.lifecycle.reason as { checksMayRun?: boolean }).checksMayRun;
    const asked = at('REVIEW_WAIT').when(review());
    expect(asked.run.lifecycle.state).toBe('ITERATING');
    expect(mayRun(asked)).toBe(false);
    expect(mayRun(at('ITERATING'))).toBe(true);
  });

  it('E17: is not said when all that it changed was left out', () => {
    const leftOut = [
      { ...finding('hard_link'), path: 'data', note: { kind: 'linked_from_outside' } as const },
    ];
    const { run } = at('IMPLEMENTING').when(implemented(null, 1, { skippedFiles: leftOut }));
    const said = [{ path: 'data', note: { kind: 'linked_from_outside' } as const }];
    expect(run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'nothing_committable', skippedFiles: said } },
    });
    expect(at('IMPLEMENTING').when(implemented(null)).run.lifecycle.reason).toMatchObject({
      kind: 'no_changes',
    });
    const ignored = ['dist/a.js', 'b.log'];
    expect(at('IMPLEMENTING').when(implemented(null, 1, { ignored })).run.lifecycle.reason).toMatchObject({
      kind: 'no_changes',
      ignored,
    });
  });
});
