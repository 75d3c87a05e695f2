/** S9: what a step changed, told as data and folded again. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { changesOf, evolveRun, isChanges, type RunChanges } from '../../orchestrator/kernel/run/run-patch.ts';
import type { Run } from '#run';
import { at, checkFact, frozen, given, looked, red } from '../support/core.ts';

const run = given().run;
type Tree = Record<string, unknown>;
/** A run that holds anything, in the one member that holds words of others. */
const holding = (tree: unknown): Run => ({
  ...run,
  target: { ...run.target, contract: tree as Run['target']['contract'] },
});
const again = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const told = (before: unknown, after: unknown): { changes: RunChanges; made: unknown } => {
  const changes = changesOf(frozen(holding(before)), frozen(holding(after)));
  return { changes, made: evolveRun(holding(before), again(changes)).target.contract };
};

describe('what a step changed', () => {
  const name = fc.constantFrom(
    'a',
    'b',
    'c',
    '0',
    '1',
    '__proto__',
    'constructor',
    'length',
    'set',
    'in',
    'gone',
  );
  const leaf = fc.constantFrom<unknown>(null, 0, 1, '', 'x', true, [], {});
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
    list: fc.array(tie('tree'), { maxLength: 3 }),
    object: fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map(Object.fromEntries),
  }));

  it('S9: makes the next run from the last, whatever was set, removed or nulled in it, and by whatever name', () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        const { changes, made } = told(before, after);
        expect(JSON.stringify(sorted(made))).toBe(JSON.stringify(sorted(after)));
        expect(isChanges(again(changes))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each<[string, Tree, Tree, RunChanges]>([
    ['a value', { a: 1, b: 2 }, { a: 1, b: 3 }, { set: { b: 3 } }],
    ['null in place of a value', { a: 1, b: 2 }, { a: 1, b: null }, { set: { b: null } }],
    ['a member that is gone', { a: 1, b: null }, { a: 1 }, { removed: ['b'] }],
    ['a member that is undefined', { a: 1, b: 2 }, { a: 1, b: undefined }, { removed: ['b'] }],
    ['one more of a list', { a: [1, 2], b: 1 }, { a: [1, 2, 3], b: 1 }, { nested: { a: { set: { 2: 3 } } } }],
    ['one less of a list', { a: [1, 2], b: 1 }, { a: [2], b: 1 }, { set: { a: [2] } }],
    ['what is new altogether', { a: { x: 1 }, b: 1 }, { a: { x: 2 }, b: 1 }, { set: { a: { x: 2 } } }],
    ['a list in place of an object', { a: {}, b: 1 }, { a: [], b: 1 }, { set: { a: [] } }],
  ])('S9: says %s', (_, before, after, changes) => {
    expect(told(before, after).changes).toEqual({ nested: { target: { nested: { contract: changes } } } });
  });

  it('S9: says nothing of equal values that are other objects', () => {
    expect(
      changesOf(run, {
        ...run,
        upstream: { ...run.upstream, observed: again(run.upstream.observed) },
        order: again(run.order),
      }),
    ).toEqual({});
  });

  it('S9: says of a check what is new about that check, however many others were seen', () => {
    const story = at('CI_WAIT').when(looked);
    const sha = story.run.change.pushedHead?.sha ?? '';
    const checks = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `check ${i}`,
        { ...checkFact({ name: `check ${i}`, status: 'queued', outcome: null }), observedAt: 1 },
      ]),
    );
    const ci = story.run.upstream.observed.ci[sha];
    if (!ci) throw new Error('nothing was seen');
    const many = {
      ...story.run,
      upstream: {
        ...story.run.upstream,
        observed: { ...story.run.upstream.observed, ci: { [sha]: { ...ci, checks } } },
      },
    };
    const first = {
      ...many.upstream.observed.ci[sha],
      ...ci,
      checks: {
        ...checks,
        'check 7': { ...checks['check 7'], status: 'running' } as (typeof checks)[string],
      },
    };
    const after = {
      ...many,
      upstream: { ...many.upstream, observed: { ...many.upstream.observed, ci: { [sha]: first } } },
    } as Run;
    expect(changesOf(many, after)).toEqual({
      nested: {
        upstream: {
          nested: {
            observed: {
              nested: {
                ci: {
                  nested: {
                    [sha]: { nested: { checks: { nested: { 'check 7': { set: { status: 'running' } } } } } },
                  },
                },
              },
            },
          },
        },
      },
    });
  });

  it('S9: is small beside the run', () => {
    const before = at('CI_WAIT').run;
    const last = at('CI_WAIT').when(red).step;
    if (last.kind !== 'moved') throw new Error(last.kind);
    expect(JSON.stringify(last.changes).length).toBeLessThan(JSON.stringify(before).length / 2);
  });

  it.each([
    null,
    1,
    'x',
    [],
    { put: {} },
    { set: 1 },
    { gone: [1] },
    { in: { a: { put: 1 } } },
    { in: { a: null } },
  ])('L5: takes no %j for it', (value) => {
    expect(isChanges(value)).toBe(false);
  });
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)]);
};
