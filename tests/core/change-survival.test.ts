/** O7: what became of merged changes, from looks after 30 and 90 days. */
import { describe, expect, it } from 'vitest';
import { isReverted } from '../../forge/change-survival.ts';
import { hasSurvived, findDueSurvivalDays, type SurvivalObserved } from '#model/change';
import { DAY } from '#model/values';
import { createSurvivalPolls } from '../../orchestrator/reports/observe-survival.io.ts';
import { measureRuns } from '../../orchestrator/reports/period-report.ts';
import { act, at, pull, why } from '../support/core.ts';
import { someFigures } from '../support/figures.ts';

const seen = (days: 30 | 90, more: Partial<SurvivalObserved> = {}): SurvivalObserved => ({
  days,
  reverted: false,
  added: 10,
  remaining: 10,
  ...more,
});
const commit = (sha: string, message: string) => ({ sha, message });
const OURS = { commits: ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'], pull: 7, repo: 'acme/api' };

describe('a later commit', () => {
  it.each([
    ['This reverts commit aaaaaaaaaaaa.', true],
    ['Revert "Say hello"\n\nThis reverts commit BBBBBBBBBB.', true],
    ['Revert "Say hello (#7)"', true],
    ['Undo\n\nReverts acme/api#7', true],
    ['This reverts commit cccccccccccc.', false],
    ['Revert "Say hello (#71)"', false],
    ['Say hello again (#7)', false],
    ['Do not revert yet', false],
    ['Undo\n\nReverts other/api#7', false],
    ['Revert "Say hello (other/api#7)"', false],
    ['Revert "Say hello (acme/api#7)"', true],
  ])('O7: %j takes the change back: %s', (message, is) => {
    expect(isReverted([commit('1'.repeat(40), message)], OURS)).toBe(is);
  });
  it.each(['Revert "Revert "Say hello (#7)""', 'Reapply "Say hello (#7)" (#9)', 'Reland "Say hello" (#7)'])(
    'O7: %j puts the change back, though it names no commit',
    (message) => {
      const back = commit('1'.repeat(40), 'Revert "Say hello (#7)" (#8)');
      const again = commit('2'.repeat(40), message);
      expect(isReverted([back], OURS)).toBe(true);
      expect(isReverted([back, again], OURS)).toBe(false);
      expect(isReverted([again], OURS)).toBe(false);
    },
  );
  it('O7: that reverts the revert puts the change back', () => {
    const back = commit('1'.repeat(40), 'This reverts commit aaaaaaaaaaaa.');
    const again = commit('2'.repeat(40), `This reverts commit ${'1'.repeat(40)}.`);
    expect(isReverted([back, again], OURS)).toBe(false);
  });
});

describe('a merged change', () => {
  it('O7: survived when most of its lines are there and nobody reverted it', () => {
    expect(hasSurvived(seen(30, { remaining: 6 }))).toBe(true);
    expect(hasSurvived(seen(30, { remaining: 5 }))).toBe(false);
    expect(hasSurvived(seen(30, { added: 0, remaining: 0 }))).toBe(true);
    expect(hasSurvived(seen(30, { reverted: true }))).toBe(false);
  });
  it('O7: is looked at once after 30 and once after 90 days, and not much later', () => {
    const mergedAt = 1_000;
    const due = (days: number, survival: SurvivalObserved[] = []) =>
      findDueSurvivalDays({ mergedAt, survival }, mergedAt + days * DAY);
    expect([due(29), due(30), due(59), due(61), due(90), due(121)]).toEqual([null, 30, 30, null, 90, null]);
    expect([due(31, [seen(30)]), due(95, [seen(30)]), due(95, [seen(30), seen(90)])]).toEqual([
      null,
      90,
      null,
    ]);
    expect(findDueSurvivalDays({ mergedAt: null, survival: [] }, 99 * DAY)).toBeNull();
  });
});

describe('the report', () => {
  it('O7: counts survival after 30 and 90 days, and reverts, of those that were looked at', () => {
    const opened = { openedAt: 1, mergedAt: 2 };
    const runs = [
      someFigures({ ...opened, survival: [seen(30), seen(90, { remaining: 1 })] }),
      someFigures({ ...opened, survival: [seen(30, { reverted: true, remaining: 0 })] }),
      someFigures({ ...opened, survival: [] }),
    ];
    const { survived30, survived90, reverted } = measureRuns(runs, 100 * DAY);
    expect([survived30, survived90, reverted].map(({ yes, of }) => [yes, of])).toEqual([
      [1, 2],
      [0, 1],
      [1, 2],
    ]);
  });
});

describe('a look after the merge', () => {
  const merged = at('REVIEW_WAIT').when(pull({ merged: true }));
  const observed = (more: Partial<SurvivalObserved> = {}) =>
    act({ type: 'forge.survival.observed', ...seen(30, more) });

  it('O7: is kept by a run that is done, once for each time, and starts nothing', () => {
    const story = merged.when(observed());
    expect(story.run.lifecycle.state).toBe('DONE');
    expect(story.run.upstream.survival).toEqual([seen(30)]);
    expect(story.effects).toEqual([]);
    expect(why(story.when(observed({ remaining: 0 })))).toContain('known already');
  });

  it('O7: goes to the code host for what is due, and to nothing else', async () => {
    const now = 200 * DAY;
    const asked: string[] = [];
    const sent: unknown[] = [];
    const due = { mergedAt: now - 31 * DAY };
    const looks = createSurvivalPolls({
      figures: {
        since: async () => [
          someFigures({ run: 'due', ...due }),
          someFigures({ run: 'known', ...due, survival: [seen(30)] }),
          someFigures({ run: 'young', mergedAt: now - DAY }),
          someFigures({ run: 'open', mergedAt: null }),
        ],
      },
      forge: {
        survival: async (_, { pull: id }) => (asked.push(id), { reverted: true, added: 2, remaining: 0 }),
      },
      query: { run: async () => merged.run },
      submit: async (one) => (sent.push(one), { kind: 'duplicate' }) as never,
      clock: { now: () => now },
      log: { error: () => undefined },
    });
    await looks(() => false);
    expect(asked).toEqual(['#7']);
    expect(sent).toMatchObject([
      { input: { type: 'forge.survival.observed', days: 30, reverted: true, remaining: 0 } },
    ]);
  });
});
