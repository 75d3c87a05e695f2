/** E18: a run that stops because nobody has told what its model costs, while its cost is limited. */
import { describe, expect, it } from 'vitest';
import { retryableRuns, runStanding } from '../../orchestrator/campaign-standing/run-standing.ts';
import { hasCostLimit, SpendingBudgets } from '#model/spending';
import { costCautionsOf } from '#model/targets';
import { at, budgeted, failed, raise, retry, type Story } from '../support/core.ts';
import { order } from '../support/core-samples.ts';
import { reasonOf } from '../support/english.ts';

const stopped = (maxCostUsd: number | null = 5, model: string | null = 'gpt-6.1-sol'): Story =>
  at('IMPLEMENTING', budgeted({ maxCostUsd })).when(failed('price_unknown', { model, message: 'no price' }));

describe('a model without a price', () => {
  it('E18: has a reason of its own, with the model, the limit and each way out', () => {
    const { run } = stopped();
    expect(run).toMatchObject({
      lifecycle: {
        state: 'NEEDS_HUMAN_REVIEW',
        reason: { kind: 'price_unknown', run: 'r1', model: 'gpt-6.1-sol', limit: 5 },
      },
    });
    const says = reasonOf(run);
    for (const part of ['gpt-6.1-sol', '$5.00', '"gateway.prices"', '/budget r1 cost none', 'another engine'])
      expect(says).toContain(part);
    expect(says).not.toMatch(/limit of its own|then retry/);
  });

  it('E18: goes on when an approver takes the limit away, and at no higher one', () => {
    const story = stopped();
    const higher = story.when(raise('cost', 50));
    expect(higher.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', raisedLimits: { maxCostUsd: 50 } },
    });
    const lifted = story.when(raise('cost', null));
    expect(lifted.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', raisedLimits: { maxCostUsd: null } },
    });
  });

  it('E18: is tried again when somebody says so, because settings may have changed', () => {
    expect(stopped().when(retry()).run.lifecycle.state).toBe('IMPLEMENTING');
  });

  it('E18: is none of the runs that a campaign tries again together', () => {
    const all = (story: Story) => new Map([['r', runStanding(story.run)]]);
    expect(retryableRuns(all(stopped()))).toEqual([]);
    const other = at('IMPLEMENTING', budgeted()).when(failed('quota_exhausted'));
    expect(retryableRuns(all(other))).toHaveLength(1);
  });

  it.each(['time', 'iterations', 'fixes'] as const)('E6: the limit of %s cannot be taken away', (budget) => {
    const { step } = at('IMPLEMENTING', budgeted()).when(raise(budget, null));
    expect(step).toMatchObject({ kind: 'refused' });
  });
});

describe('a limit of cost', () => {
  const caution = { kind: 'no_price', model: 'm' } as const;
  const asked: string[][] = [];
  const cautionOf = (engine: string, args: readonly string[]) => {
    asked.push([engine, ...args]);
    return engine === 'claude' ? null : { ...caution, engine };
  };
  const limited = (maxCostUsd: number | null) => {
    const { bounds, ...rest } = order({ engine: 'codex', engineArgs: ['-m', 'x'] });
    return { ...rest, proposers: ['codex', 'claude'], bounds: { ...bounds, maxCostUsd } };
  };

  it('E18: is judged for every engine of an order, with the arguments of the first', () => {
    expect(costCautionsOf(limited(2), cautionOf)).toEqual([{ ...caution, engine: 'codex' }]);
    expect(asked).toEqual([['codex', '-m', 'x'], ['claude']]);
  });

  it('E18: that is not there needs no price', () => {
    expect(costCautionsOf(limited(null), cautionOf)).toEqual([]);
  });
});

it.each([
  ['everything in a day', { day: 1 }, true],
  ['everything in a month', { month: { costUsd: 1 } }, true],
  ['a person in a day', { person: { day: 1 } }, true],
  ['a person in a month', { person: { month: 1 } }, true],
  ['a campaign', { campaign: 1 }, true],
  ['a repository in a day', { repositories: [{ match: 'acme/*', day: 1 }] }, true],
  ['a repository in a month', { repositories: [{ match: 'acme/*', month: 1 }] }, true],
  ['tokens alone', { day: { tokens: 1 }, person: { month: { tokens: 1 } } }, false],
  ['nothing', {}, false],
])('P7: dollars that limit %s ask for the price of a model, or not', (_, budgets, holds) => {
  expect(hasCostLimit(SpendingBudgets.parse(budgets))).toBe(holds);
});
