/** F5: the numbers of a campaign add up to its repositories, wherever each of them is. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { planNewCampaign, type Campaign } from '#model/campaign';
import {
  retryableRuns,
  runStanding,
  STANDING_MARKS,
  type StandingMark,
  type RunStanding,
} from '../../orchestrator/campaign-standing/run-standing.ts';
import { advanceCampaign, NO_CAMPAIGN_HOLDS } from '../../orchestrator/campaign-standing/advance-campaign.ts';
import { campaignStanding } from '../../bot/views/campaign-standing.ts';
import { nextStepSize, tallyOf } from '../../orchestrator/campaign-standing/campaign-tally.ts';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { at } from '../support/core.ts';
import { aCampaign } from '../support/campaigns.ts';

const REPOS = ['a/1', 'a/2', 'a/3', 'b/4', 'c/5', 'd/6'];
const order = aCampaign({
  repos: REPOS,
  pace: { canary: 2, steps: [3], stop: { owner: 2 } },
});
const stands = (repo: string, mark: StandingMark, unwanted: boolean): RunStanding => ({
  repo,
  run: `r-${repo}`,
  class: null,
  out: mark === 'out' ? 'archived' : null,
  at: 0,
  since: 0,
  mark,
  over: false,
  ended: false,
  near: [],
  opened: mark === 'open' || mark === 'merged',
  unwanted,
  asks: null,
  reads: false,
  publicAt: null,
});
const running = (change: Partial<Campaign>): Campaign => ({
  ...planNewCampaign({ id: 'c-aaaaaa', digest: 'x', by: null }, 0),
  state: 'running',
  ...change,
});
const adoptedIn = (repo: string): NonNullable<Campaign['adoptedPulls']>[number] => ({
  repo,
  pull: '#1',
  url: `https://github.com/${repo}/pull/1`,
  mark: 'open',
  openedAt: 0,
  since: 0,
});

describe('a run that asks a person', () => {
  it.each(['permission_asked', 'agent_question', 'foreign_head'] as const)(
    'F5: waits because of %s: it has not failed, stops nothing, and is not tried again with the others',
    (kind) => {
      const { run } = at('PUSHED');
      const reason = { kind } as unknown as typeof run.lifecycle.reason;
      const asking = runStanding(patchRun(run, { lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason } }));
      expect(asking.mark).toBe('waits');
      expect(retryableRuns(new Map([[asking.repo, asking]]))).toEqual([]);
      const failed = { kind: 'step_failed', class: 'crashed' } as unknown as typeof reason;
      expect(
        runStanding(patchRun(run, { lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: failed } })).mark,
      ).toBe('failed');
    },
  );
});

describe('what is said of numbers in a campaign', () => {
  it('F5: of the next step, what is done elsewhere and what nobody wants is not begun', () => {
    const names = order.targets.map(({ repo }) => repo);
    const first = names[0] ?? '';
    const next = (
      released: number,
      elsewhere: readonly string[],
      runs: readonly RunStanding[] = [],
    ): number => {
      const known = new Map([stands(first, 'open', false), ...runs].map((one) => [one.repo, one]));
      return nextStepSize(order, running({ released, adoptedPulls: elsewhere.map(adoptedIn) }), known);
    };
    expect(next(1, [])).toBe(3);
    expect(next(1, [names[1]?.toUpperCase() ?? '', names[5] ?? ''])).toBe(2);
    expect([next(5, []), next(5, names.slice(5))]).toEqual([1, 0]);
    // Two of an owner said no.
    const [one = '', two = '', ...rest] = names.filter((repo) => repo.startsWith('a/'));
    const said = [one, two].map((repo) => stands(repo, 'denied', true));
    expect(next(0, [], said)).toBe(
      names.slice(0, 3).filter((n) => ![one, two, ...rest, first].includes(n)).length,
    );
  });

  it('F5: of the next step, only the first wave is told, because the others begin after it', () => {
    const after = [{ repo: 'a/1', until: 'merged' as const }];
    const [one, two, three] = ['a/2', 'b/4', 'c/5'];
    const targets = [
      { repo: 'a/1', labels: [] },
      { repo: one, after },
      { repo: two, after },
      { repo: three, after: [{ repo: one, until: 'merged' as const }] },
    ];
    const chain = { ...order, targets: targets.map((target, i) => ({ ...order.targets[i], ...target })) };
    const known = new Map([['a/1', stands('a/1', 'open', false)]]);
    expect(nextStepSize(chain as typeof order, running({ released: 1, step: 1 }), known)).toBe(2);
  });

  it('F5: adds up to all repositories, and nothing is negative', () => {
    const one = fc.record({
      begun: fc.boolean(),
      mark: fc.constantFrom(...STANDING_MARKS),
      unwanted: fc.boolean(),
      adopted: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 0, max: 6 }),
        (all, released) => {
          const targets = order.targets.map(({ repo }) => repo);
          const begun = targets.flatMap((repo, i) =>
            all[i]?.begun && i < released
              ? [[repo, stands(repo, all[i].mark, all[i].unwanted)] as const]
              : [],
          );
          const adopted = targets.flatMap((repo, i) => (all[i]?.adopted ? [adoptedIn(repo)] : []));
          const { of, ...parts } = tallyOf(
            order,
            running({ released, adoptedPulls: adopted }),
            new Map(begun),
          );
          expect(of).toBe(REPOS.length);
          expect(Object.values(parts).reduce((sum, n) => sum + n, 0)).toBe(of);
          expect(Object.values(parts).every((n) => n >= 0)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('F5: one that was left out when its turn came was not started', () => {
    const [first = '', second = '', ...others] = order.targets.map(({ repo }) => repo);
    const runs = new Map([
      [first, stands(first, 'out', false)],
      ...[second, ...others].map((repo) => [repo, stands(repo, 'works', false)] as const),
    ]);
    const tally = tallyOf(order, running({ released: 6 }), runs);
    expect(tally).toMatchObject({
      of: 6,
      started: 5,
      leftOut: 1,
      waiting: 0,
      later: 0,
    });
    expect(LANGUAGE_TEXTS.en.campaign.lastStep(tally)).toBe(
      'No further step comes. Not started: 1 left out.',
    );
    expect(LANGUAGE_TEXTS.zh.campaign.lastStep(tally)).toBe('没有下一步了。未开始：1 个不参加。');
    expect(LANGUAGE_TEXTS.en.campaign.begun(tally.started, tally.of)).toBe('5 of 6 repositories started');
  });
});

describe('what a card says of the last step', () => {
  const t = LANGUAGE_TEXTS.en;
  const said = (runs: readonly RunStanding[], texts = t): string => {
    const standings = new Map(runs.map((one) => [one.repo, one]));
    const campaign = running({ released: REPOS.length, step: 1, stepStart: 2 });
    const next = advanceCampaign(order, campaign, standings, 0);
    const held = NO_CAMPAIGN_HOLDS;
    const scene = {
      campaign,
      order,
      standings,
      next,
      held,
      now: 0,
      pulls: new Map(),
      lessons: [],
      undoneBy: [],
    };
    return campaignStanding(scene, texts).join('\n');
  };

  it('C8: repositories that wait for their turn are said to, and no end beside the time of the last', () => {
    const text = said(REPOS.slice(0, 4).map((repo) => stands(repo, 'works', false)));
    expect(text).toContain('All steps have begun; 2 repositories wait for their turn.');
    expect(text).not.toContain('No further step');
  });

  it('C8: a failed repository has its name and its cause, in each language', () => {
    const stops = ['checks_failed', 'merge_conflicts', 'seal_changed', 'budget_cost'] as const;
    for (const stop of stops)
      for (const texts of Object.values(LANGUAGE_TEXTS))
        expect(said([{ ...stands('a/1', 'failed', false), stop }], texts)).toMatch(/a\/1 r-a\/1 \(\S/);
    const text = said([{ ...stands('a/1', 'failed', false), stop: 'merge_conflicts' }]);
    expect(text).toContain('(conflicts with the base)');
  });
});
