/** E6: what a run may use up over its life: counted, warned of, stopped, raised. */
import { describe, expect, it } from 'vitest';
import { nextBudgetLimit } from '#kernel';
import { toStoredAmount, toShownAmount, parseGrantedBudget } from '#model/limits';
import type { Effect } from '#effects';
import { isHoldingSlot, type Run } from '#run';
import { LANGUAGE_TEXTS } from '#language';
import { renderBudgetWarning } from '../../bot/views/reason-messages.ts';
import {
  ciCompared,
  at,
  budgeted,
  baseChecked,
  discovered,
  failed,
  given,
  implemented,
  later,
  ofEpoch,
  pause,
  raise,
  red,
  resume,
  retry,
  rings,
  spent,
  startDiscovery,
  timer,
  validated,
  why,
  works,
  type Story,
} from '../support/core.ts';
import { reasonOf } from '../support/english.ts';

const warnings = (effects: readonly Effect[]): string[] =>
  effects.flatMap((e) =>
    e.do.kind === 'chat_message' && e.do.content.view === 'budget' && e.do.sound
      ? [`${e.do.content.budget} ${e.do.content.limit}`]
      : [],
  );
const working = (change = {}): Story => at('IMPLEMENTING', budgeted(change));

describe('E6: budgets', () => {
  it.each([
    ['tokens', {}, { tokens: 100 }],
    ['cost', { maxCostUsd: 0.5 }, { costUsd: 0.5 }],
    ['output', { maxOutputBytes: 1_000 }, { outputBytes: 1_000 }],
    ['time', { runMs: 60_000 }, { ms: 60_000 }],
  ] as const)('stop a run whose agent goes past %s, and a person is asked once', (budget, change, use) => {
    const { run, all, effects } = working(change).when(spent(use));
    expect(run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(run.lifecycle.reason).toMatchObject({ kind: 'budget_exhausted', budget });
    expect(reasonOf(run)).toContain(`/budget r1 ${budget}`);
    expect(rings(all)).toBe(1);
    expect(warnings(effects)).toEqual([]);
  });

  it('count over restarts, pauses and new sessions, also what was stopped', () => {
    const begun = working();
    const story = begun.when(
      spent({ tokens: 30 }),
      pause,
      ofEpoch(begun.run.lifecycle.epoch, spent({ tokens: 20 })),
      resume(),
      failed('crashed', {
        usageSoFar: { session: null, usage: { inputTokens: 20, outputTokens: 5, costUsd: 0 }, ms: 1 },
      }),
      timer('timer.retry'),
    );
    expect(story.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', usage: { inputTokens: 70, outputTokens: 5 } },
    });
    expect(story.when(spent({ tokens: 25 })).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('stop a retry that would find nothing left, even while it waits', () => {
    const begun = working();
    const waits = begun.when(failed('crashed'));
    const late = waits.when(ofEpoch(begun.run.lifecycle.epoch, spent({ tokens: 100 })));
    expect(late.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', resumeState: 'IMPLEMENTING' },
    });
    const elsewhere = at('CI_WAIT', budgeted()).when(ofEpoch(1, spent({ tokens: 500 })));
    expect(elsewhere.run).toMatchObject({ lifecycle: { state: 'CI_WAIT', usage: { inputTokens: 501 } } });
  });

  it('warn at 80 %, once for each limit', () => {
    const near = working().when(spent({ tokens: 79 }));
    expect(warnings(near.all)).toEqual([]);
    const told = near.when(spent({ tokens: 1 }), spent({ tokens: 5 }), pause, resume(), spent({ tokens: 5 }));
    expect(warnings(told.all)).toEqual(['tokens 100']);
    const more = told.when(
      raise('tokens', 200),
      spent({ tokens: 60 }),
      spent({ tokens: 20 }),
      spent({ tokens: 5 }),
    );
    expect(warnings(more.all)).toEqual(['tokens 100', 'tokens 200']);
    expect(more.run.lifecycle.state).toBe('IMPLEMENTING');
  });

  it('C4: the warning loses its button at once when the limit is raised, tapped or typed', () => {
    const told = working().when(spent({ tokens: 85 }));
    const { run, effects } = told.when(raise('tokens', 200));
    const redrawn = effects.filter(
      ({ do: work }) => work.kind === 'chat_message' && work.slot === 'budget:r1:tokens:100',
    );
    const content = { view: 'budget', budget: 'tokens', used: 85, limit: 100 } as const;
    expect(redrawn).toMatchObject([{ do: { urgent: true, sound: false, content } }]);
    const draw = (of: Run) =>
      renderBudgetWarning(
        content,
        { run: of, approval: null, attempts: [], patch: null, now: 0 },
        LANGUAGE_TEXTS.en,
      );
    expect(
      draw(told.run)
        .buttons.flat()
        .map(({ verb }) => verb),
    ).toEqual(['budget.raise', 'detail']);
    expect(
      draw(run)
        .buttons.flat()
        .map(({ verb }) => verb),
    ).toEqual(['detail']);
    expect(draw(run).html).toContain('r1 may use 200');
    expect(
      working()
        .when(raise('tokens', 200))
        .effects.map(({ do: work }) => work),
    ).not.toContainEqual(
      expect.objectContaining({ content: expect.objectContaining({ view: 'budget' }) as unknown }),
    );
  });

  it('C4: a call that stands for want of a budget loses its buttons before other messages', () => {
    const stopped = working().when(spent({ tokens: 100 }));
    const { effects } = stopped.when(raise('tokens', 200));
    const closed = effects.flatMap(({ do: work }) =>
      work.kind === 'chat_message' && work.content.view === 'attention' ? [work] : [],
    );
    expect(closed).toMatchObject([{ urgent: true, sound: false, content: { answered: true } }]);
  });

  it('warn of the last fix, and of nothing where nobody asked for warnings', () => {
    const last = at('CI_WAIT', budgeted({ maxIterations: 1 })).when(red, ciCompared([]));
    expect(warnings(last.all)).toEqual(['iterations 1']);
    const quiet = at('IMPLEMENTING', { maxTokens: 10, warnAt: null }).when(spent({ tokens: 10 }));
    expect([warnings(quiet.all), quiet.run.lifecycle.state]).toEqual([[], 'NEEDS_HUMAN_REVIEW']);
  });

  it('let work that was finished be checked, but no agent begin, when tokens are gone', () => {
    const done = working({ maxTokens: 2 }).when(implemented('a'));
    expect(works(done)).toEqual(['check']);
    const again = done.when(validated({ passed: false }));
    expect(again.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(again.run.lifecycle.reason).toMatchObject({ kind: 'budget_exhausted', budget: 'tokens' });
  });

  it('are raised by a command, and the run goes on where it stood', () => {
    const broke = working().when(spent({ tokens: 100 }));
    expect(why(broke.when(retry()))).toContain('The budget is used up');
    expect(why(broke.when(raise('tokens', 100)))).toContain('100 already');
    expect(why(broke.when(raise('cost', 100)))).toContain('no limit');
    const on = broke.when(raise('tokens', 150));
    expect(on.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', raisedLimits: { maxTokens: 150 }, usage: { inputTokens: 100 } },
    });
    expect(works(on)).toEqual(['implement']);
    const both = working({ maxCostUsd: 1 }).when(spent({ tokens: 100, costUsd: 2 }));
    const half = both.when(raise('tokens', 1_000));
    expect(half.run.lifecycle.reason).toMatchObject({ budget: 'cost' });
    expect(half.when(raise('cost', 3)).run.lifecycle.state).toBe('IMPLEMENTING');
  });

  it('are raised by whole numbers of what is counted whole', () => {
    expect(why(working().when(raise('tokens', 150.5)))).toContain('not a whole number');
    expect(working({ maxCostUsd: 0.5 }).when(raise('cost', 0.75)).run.lifecycle.raisedLimits).toEqual({
      maxCostUsd: 0.75,
    });
  });

  it('leave a card alone that waits for its signature: what is asked for is done already', () => {
    const card = at('LOCAL_VALIDATING', budgeted()).when(validated({ decision: 'escalate' }));
    const late = card.when(spent({ tokens: 500 }));
    expect(late.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      gate: { approval: card.run.gate.approval },
    });
    expect(isHoldingSlot(card.run)).toBe(false);
    expect(isHoldingSlot(at('LOCAL_VALIDATING').run)).toBe(true);
  });

  it('of output stop checks, too; of tokens they do not', () => {
    const checking = at('LOCAL_VALIDATING', budgeted({ maxOutputBytes: 1_000 }));
    expect(checking.when(spent({ by: 'check', tokens: 500 })).run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(checking.when(spent({ by: 'check', outputBytes: 1_000 })).run.lifecycle.state).toBe(
      'NEEDS_HUMAN_REVIEW',
    );
  });

  it('keep an agent from reading a repository when nothing is left', () => {
    const begun = given({ discovery: 'agent', bounds: budgeted() }, startDiscovery);
    const broke = begun.when(ofEpoch(0, spent({ tokens: 100 })), discovered(), baseChecked());
    expect(broke.run).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW', resumeState: 'DISCOVERY' } });
    expect(works(broke)).toEqual([]);
  });

  it('of time count on while the agent works: the old limit no longer stops it', () => {
    const story = working({ runMs: 60_000 }).when(spent({ ms: 50_000 }));
    const old = timer('timer.timeout');
    const raised = story.when(raise('time', 120_000));
    expect(raised.run.lifecycle.state).toBe('IMPLEMENTING');
    expect(raised.when(old).step.kind).toBe('ignored');
    const fresh = raised.effects.find((e) => e.do.kind === 'offer_input');
    expect(fresh?.do).toMatchObject({ input: { type: 'timer.timeout', limit: 120_000 } });
    expect(fresh?.dueAt).toBe(raised.now + 70_000 + 300_000);
  });

  it('of fixes: more of them and the fix that was asked for is made', () => {
    const stuck = at('CI_WAIT', budgeted({ maxIterations: 0 })).when(red, ciCompared([]));
    expect(stuck.run.lifecycle.reason).toMatchObject({
      kind: 'budget_exhausted',
      budget: 'iterations',
      about: { kind: 'red', checks: ['test'] },
    });
    const on = stuck.when(raise('iterations', 1));
    expect(on.run).toMatchObject({
      lifecycle: { state: 'ITERATING', counts: { iterations: 1 } },
      agent: { round: { kind: 'ci_fix' } },
    });
  });

  it('of an order alone are amounts, not more of something', () => {
    expect(parseGrantedBudget('tokens:200k')).toEqual({ budget: 'tokens', amount: 200_000 });
    expect(parseGrantedBudget('tokens:+200k')).toEqual({ problem: 'amount', text: '+200k' });
  });

  it('are counted in what people count in', () => {
    expect([
      toShownAmount('time', 90_000),
      toShownAmount('output', 1024 * 1024),
      toShownAmount('cost', 0.5),
    ]).toEqual([1.5, 1, 0.5]);
    expect([
      toStoredAmount('time', 30),
      toStoredAmount('tokens', 2_000),
      toStoredAmount('cost', 0.25),
    ]).toEqual([1_800_000, 2_000, 0.25]);
    expect(nextBudgetLimit(working().run, 'tokens')).toBe(150);
    expect(nextBudgetLimit(working({ maxIterations: 1 }).run, 'iterations')).toBe(2);
    expect(nextBudgetLimit(working({ maxCostUsd: 0.5 }).run, 'cost')).toBe(0.75);
  });
});

describe('waiting for a provider', () => {
  const limits = (story: Story): number =>
    (story.effects.find((e) => e.do.kind === 'offer_input')?.dueAt ?? 0) - story.now;

  it('S7: that does not say when to come back is free too, ever longer, within a bound', () => {
    let story = working({ maxRateWaits: 8 });
    const waits: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      story = story.when(failed('rate_limited'));
      expect(story.run.lifecycle.counts.retries).toBe(0);
      waits.push(limits(story) / 60_000);
      expect(story.run.lifecycle.reason).toMatchObject({
        kind: 'step_failed',
        retryAt: story.now + limits(story),
      });
      story = story.when(later(limits(story), timer('timer.retry')));
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    for (let i = 0; i < 2; i += 1) story = story.when(failed('rate_limited'), timer('timer.retry'));
    expect(story.when(failed('rate_limited')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('S7: is begun anew after a success', () => {
    const story = working().when(failed('rate_limited'), timer('timer.retry'), implemented('a'));
    expect(story.run.lifecycle.counts.providerWaits).toBe(0);
  });
});
