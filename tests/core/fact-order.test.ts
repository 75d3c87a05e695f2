/** S2: facts settle to the same state in whatever order, and however often, they come. */
import { fc, HISTORIES } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '#model/run';
import {
  at,
  check,
  ciCompared,
  confirm,
  headIs,
  implemented,
  later,
  pause,
  pull,
  resume,
  review,
  looked,
  validated,
  type Act,
  type Check,
  type Story,
} from '../support/core.ts';

describe('the order of facts', () => {
  const checks = (names: readonly string[]): fc.Arbitrary<Act[]> =>
    fc
      .tuple(
        ...names.map((name) =>
          fc
            .constantFrom<NonNullable<Check['outcome']> | 'open' | 'none'>(
              'passed',
              'passed',
              'failed',
              'awaits_maintainer',
              'open',
              'none',
            )
            .map((c) =>
              c === 'none' ? [] : [check({ name, outcome: c === 'open' ? null : c, startedAt: 5 })],
            ),
        ),
      )
      .map((list) => list.flat());
  const reviews: fc.Arbitrary<Act[]> = fc
    .tuple(
      ...['mia', 'zoe'].map((reviewer) =>
        fc
          .constantFrom('approved', 'wants_changes', 'remarked', 'none')
          .map((state) => (state === 'none' ? [] : [review({ reviewer, state, submittedAt: 5 })])),
      ),
    )
    .map((list) => list.flat());
  // Heads carry no time: of two that differ, the one that was seen last counts, so a stranger's
  // comes alone.
  const heads: fc.Arbitrary<Act[]> = fc.oneof(
    { weight: 4, arbitrary: fc.subarray([pull(), headIs('a'), pull({ head: 'a' })]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Act[]>([pull({ merged: true })], [pull({ closed: true })], [headIs('e')]),
    },
  );
  const facts = fc.tuple(checks(['test', 'lint']), reviews, heads).map((list) => list.flat());
  const shuffled = facts.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    ),
  );

  /** Time enough for every settle time; what is red is of our doing. */
  const calm = (story: Story): Story =>
    story.when(...[0, 1].map(() => later(600_000, looked)), ciCompared([]));
  const outcome = ({
    run: {
      lifecycle: { state },
      upstream: { observed: seen },
      change: { pushedHead: pushed },
    },
  }: Story): unknown => {
    if (isTerminal(state)) return state;
    const known = Object.values(seen.ci[pushed?.sha ?? '']?.checks ?? {});
    // When each was heard is their order itself.
    return { state, head: seen.branchHead, checks: known.map((c) => ({ ...c, observedAt: 0 })).sort(byKey) };
  };
  const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1);

  const opening = at('PUSHED').when(confirm());
  it.each([
    ['CI_WAIT', at('CI_WAIT'), []],
    ['REVIEW_WAIT', at('REVIEW_WAIT'), []],
    ['CI_WAIT, no bound', at('CI_WAIT', { maxIterations: 0 }), []],
    ['ITERATING, pushing', at('ITERATING', { autoIterate: true }).when(implemented('b'), validated()), []],
    ['PAUSED', at('CI_WAIT').when(pause), [resume()]],
    ['NEEDS_HUMAN_REVIEW', at('ITERATING').when(implemented(null)), []],
    ['an opening', opening, []],
  ] satisfies [string, Story, Act[]][])('S2: does not matter in %s', (_name, story, then) => {
    fc.assert(
      fc.property(shuffled, ([one, two]) => {
        expect(outcome(calm(story.when(...one, ...then)))).toEqual(
          outcome(calm(story.when(...two, ...then))),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('S2: newer facts win over older ones of the same thing, in whatever order they come', () => {
    const retold = fc
      .tuple(
        fc.array(
          fc.record({
            name: fc.constantFrom('test', 'lint'),
            startedAt: fc.nat(5),
            conclusion: fc.constantFrom('passed', 'failed', null),
          }),
          { maxLength: 8 },
        ),
        fc.array(
          fc.record({
            reviewer: fc.constantFrom('mia', 'zoe'),
            submittedAt: fc.nat(5),
            state: fc.constantFrom('approved', 'wants_changes', 'remarked', 'withdrawn'),
            access: fc.constantFrom('write', 'unknown'),
          }),
          { maxLength: 8 },
        ),
      )
      // One fact of one try, and one opinion of one moment: the forge does not contradict itself.
      .map(([c, r]) => [
        ...new Map(c.map((x) => [`${x.name} ${x.startedAt}`, check(x)])).values(),
        ...new Map(
          r.map((x) => [`${x.reviewer} ${x.submittedAt} ${x.state === 'withdrawn'}`, review(x)]),
        ).values(),
      ])
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
        ),
      );
    const paused = at('CI_WAIT').when(pause);
    fc.assert(
      fc.property(retold, ([one, two]) => {
        const a = calm(paused.when(...one, resume()));
        const b = calm(paused.when(...two, resume()));
        expect(b.run.lifecycle.state).toBe(a.run.lifecycle.state);
        expect(b.run.upstream.observed.reviews).toEqual(a.run.upstream.observed.reviews);
        expect(b.run.agent.round).toEqual(a.run.agent.round);
      }),
      HISTORIES,
    );
  });

  it('S4: the same fact twice moves nothing twice', () => {
    fc.assert(
      fc.property(facts, (list) => {
        for (const state of ['CI_WAIT', 'REVIEW_WAIT', 'ITERATING', 'PUSHED'] as const) {
          const once = at(state).when(...list);
          for (const fact of list.slice(-1)) expect(once.when(fact).step.kind).toBe('ignored');
        }
      }),
      { numRuns: 100 },
    );
  });
});
