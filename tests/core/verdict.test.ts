/** F3: the verdict over one head's checks, as a table, and how facts fold. */
import { describe, expect, it } from 'vitest';
import {
  foldCheck,
  foldCiObservation,
  markRerun,
  confirmSettledCi,
} from '../../orchestrator/kernel/ci/ci-facts.ts';
import {
  toCheckRequirement,
  type CheckFact,
  type CiFacts,
  type CiVerdict,
  type MergeRequirement,
} from '#model/ci';
import { RunBounds } from '#model/limits';
import { ciVerdict as judge } from '../../orchestrator/kernel/ci/ci-verdict.ts';
import { checkFact, type Check } from '../support/core.ts';

const AT = 1_000_000;
const { ciSettleMs: SETTLE, noCiMs: NO_CI_GRACE } = RunBounds.parse({});
/** What a look at that time comes to, which sees them so. */
const verdict = (ci: CiFacts | undefined, at: number): CiVerdict =>
  judge(ci && confirmSettledCi(ci, at, RunBounds.parse({})));
/** Facts that were last changed long ago, so that their settle time is over. */
const facts = (checks: Check[], required: string[] = [], changedAt = AT - SETTLE): CiFacts => ({
  checks: Object.fromEntries(checks.map(checkFact).map((c) => [c.key, { ...c, observedAt: changedAt }])),
  required: required.map((name) => toCheckRequirement(name)),
  firstAt: changedAt,
  changedAt,
  confirmed: false,
  partial: false,
  awaitsMaintainer: false,
  usesMergeQueue: false,
});
const requiring = (wanted: MergeRequirement): CiFacts => ({ ...facts([one('passed')]), required: [wanted] });
const one = (outcome: CheckFact['outcome']): Check => ({ outcome });

describe('the verdict', () => {
  it.each([
    ['passed', 'GREEN'],
    ['idle', 'GREEN'],
    ['failed', 'RED'],
    ['awaits_maintainer', 'AWAITING_MAINTAINER'],
    ['stale', 'PENDING'],
    [null, 'PENDING'],
  ] satisfies [CheckFact['outcome'], CiVerdict][])('F3: one check with %s is %s', (outcome, expected) => {
    expect(verdict(facts([one(outcome)]), AT)).toBe(expected);
  });

  it.each([
    ['nobody has looked', undefined, 'PENDING'],
    ['no checks, just looked', facts([], [], AT - NO_CI_GRACE + 1), 'PENDING'],
    ['no checks for a while', facts([], [], AT - NO_CI_GRACE), 'NO_CI'],
    ['no checks that may be read', { ...facts([], [], 0), partial: true }, 'PENDING'],
    ['green, and some may not be read', { ...facts([one('passed')]), partial: true }, 'GREEN_SEEN'],
    [
      'green, and a rule that nobody can judge',
      requiring({ kind: 'rule', name: 'new', app: null, unsure: true }),
      'GREEN_SEEN',
    ],
    ['green by the app that is required', requiring(toCheckRequirement('test', '1')), 'GREEN'],
    ['green by another app than the required one', requiring(toCheckRequirement('test', '2')), 'PENDING'],
    ['no checks, but one is required', facts([], ['test'], 0), 'PENDING'],
    ['green, but only just', facts([one('passed')], [], AT - SETTLE + 1), 'PENDING'],
    ['red, only just', facts([one('failed')], [], AT), 'RED'],
    [
      'a suite that waits for a maintainer, without checks',
      { ...facts([]), awaitsMaintainer: true },
      'AWAITING_MAINTAINER',
    ],
    [
      'green beside a suite that waits',
      { ...facts([one('passed')]), awaitsMaintainer: true },
      'AWAITING_MAINTAINER',
    ],
    ['red beside a suite that waits', { ...facts([one('failed')]), awaitsMaintainer: true }, 'RED'],
    ['a check that waits', facts([{ status: 'awaits_maintainer', outcome: null }]), 'AWAITING_MAINTAINER'],
    ['a queued check', facts([{ status: 'queued', outcome: null }]), 'PENDING'],
    ['a conclusion before completion', facts([{ status: 'running', outcome: 'passed' }]), 'PENDING'],
    ['a red that is not completed', facts([{ status: 'queued', outcome: 'failed' }]), 'PENDING'],
    ['one green, one running', facts([{ name: 'a' }, { name: 'b', outcome: null }]), 'PENDING'],
    ['one green, one red', facts([{ name: 'a' }, { name: 'b', outcome: 'failed' }]), 'RED'],
    [
      'red and awaiting',
      facts([
        { name: 'a', outcome: 'failed' },
        { name: 'b', outcome: 'awaits_maintainer' },
      ]),
      'RED',
    ],
    [
      'required green, other red',
      facts([{ name: 'a' }, { name: 'b', outcome: 'failed' }], ['a']),
      'GREEN_REQUIRED',
    ],
    ['required green, other running', facts([{ name: 'a' }, { name: 'b', outcome: null }], ['a']), 'PENDING'],
    ['all green, one required', facts([{ name: 'a' }, { name: 'b' }], ['a']), 'GREEN'],
    ['required red', facts([{ name: 'a', outcome: 'failed' }, { name: 'b' }], ['a']), 'RED'],
    ['required running', facts([{ name: 'a', outcome: null }, { name: 'b' }], ['a']), 'PENDING'],
    ['required missing', facts([{ name: 'a' }], ['a', 'b']), 'PENDING'],
    ['required missing, other red', facts([{ name: 'a', outcome: 'failed' }], ['b']), 'PENDING'],
    [
      'required green, other awaiting',
      facts([{ name: 'a' }, { name: 'b', outcome: 'awaits_maintainer' }], ['a']),
      'AWAITING_MAINTAINER',
    ],
  ] satisfies [string, CiFacts | undefined, CiVerdict][])('F3: %s', (_name, ci, expected) => {
    expect(verdict(ci, AT)).toBe(expected);
  });
});

describe('folding a check', () => {
  const known = foldCheck(undefined, checkFact({ outcome: 'failed', startedAt: 10 }), AT);
  const key = 'app/test';

  it('F3: a newer try replaces an older one, and never the other way', () => {
    const newer = foldCheck(known, checkFact({ startedAt: 11 }), AT + 1);
    expect(newer.checks[key]?.outcome).toBe('passed');
    expect(newer.changedAt).toBe(AT + 1);
    expect(foldCheck(known, checkFact({ startedAt: 9 }), AT + 1)).toBe(known);
  });

  it('F3: within one try, progress counts and its late echo does not', () => {
    expect(foldCheck(known, checkFact({ outcome: null, startedAt: 10 }), AT + 1)).toBe(known);
    expect(foldCheck(known, checkFact({ outcome: 'failed', startedAt: 10 }), AT + 1)).toBe(known);
    const running = foldCheck(undefined, checkFact({ outcome: null, startedAt: 10 }), AT);
    expect(foldCheck(running, checkFact({ startedAt: 10 }), AT).checks[key]?.outcome).toBe('passed');
  });

  it('F3: a check that waited for a maintainer goes on within the same try', () => {
    const status = (ci: CiFacts): string | undefined => Object.values(ci.checks)[0]?.status;
    const waiting = foldCheck(
      undefined,
      checkFact({ status: 'awaits_maintainer', outcome: null, startedAt: 10 }),
      AT,
    );
    const running = foldCheck(waiting, checkFact({ outcome: null, startedAt: 10 }), AT);
    expect(status(running)).toBe('running');
    expect(
      foldCheck(running, checkFact({ status: 'awaits_maintainer', outcome: null, startedAt: 10 }), AT),
    ).toBe(running);
    expect(foldCheck(waiting, checkFact({ status: 'queued', outcome: null, startedAt: 10 }), AT)).toBe(
      waiting,
    );
    expect(status(foldCheck(running, checkFact({ startedAt: 10 }), AT))).toBe('ended');
  });

  it('F3: checks of two names stand side by side', () => {
    expect(Object.keys(foldCheck(known, checkFact({ name: 'lint' }), AT).checks)).toEqual([key, 'app/lint']);
  });

  it('F3: a re-run makes red pending, keeps green, and outdates the old try only', () => {
    const both = foldCheck(known, checkFact({ name: 'lint' }), AT);
    const asked = markRerun(both, AT + SETTLE);
    expect(verdict(asked, AT + 10 * SETTLE)).toBe('PENDING');
    expect(asked.checks['app/lint']?.outcome).toBe('passed');
    expect(foldCheck(asked, checkFact({ outcome: 'failed', startedAt: 10 }), AT)).toBe(asked);
    const again = foldCheck(asked, checkFact({ startedAt: 1_010 }), AT);
    expect(verdict(again, AT + SETTLE)).toBe('GREEN');
  });
});

describe('folding a look', () => {
  const look = (checks: Check[], lookedAt: number, partial = false) => ({
    checks: checks.map(checkFact),
    required: [],
    awaitsMaintainer: false,
    usesMergeQueue: false,
    partial,
    polledAt: lookedAt,
  });
  const patience = RunBounds.parse({});
  const both = foldCiObservation(
    undefined,
    look([{ name: 'a' }, { name: 'b', outcome: 'failed' }], AT),
    AT,
    patience,
  );

  it('F3: a check that a whole look does not find any more is gone', () => {
    const after = foldCiObservation(both, look([{ name: 'a' }], AT + 10), AT + 10, patience);
    expect(Object.keys(after.checks)).toEqual(['app/a']);
    expect(after.confirmed).toBe(false);
  });

  it('F8: a look that could not read everything takes nothing away', () => {
    expect(foldCiObservation(both, look([], AT + 10, true), AT + 10, patience).checks).toEqual(both.checks);
  });

  it('F4: what was heard since a look began is not gone, though it did not see it', () => {
    const heard = foldCheck(both, checkFact({ name: 'c' }), AT + 20);
    const after = foldCiObservation(heard, look([{ name: 'a' }], AT + 10), AT + 30, patience);
    expect(Object.keys(after.checks)).toEqual(['app/a', 'app/c']);
  });

  it('F6: a check that nobody runs again stands as it was, once nothing runs for as long as silence counts', () => {
    const said = look([{ name: 'a' }, { name: 'b', outcome: 'failed' }], AT);
    const asked = markRerun(both, AT);
    const seen = (at: number, ...more: Check[]): CiVerdict =>
      judge(
        foldCiObservation(
          asked,
          { ...said, checks: [...said.checks, ...more.map(checkFact)], polledAt: at },
          at,
          patience,
        ),
      );
    expect(seen(AT + NO_CI_GRACE - 1)).toBe('PENDING');
    expect(seen(AT + NO_CI_GRACE, { name: 'c', status: 'running', outcome: null })).toBe('PENDING');
    expect(seen(AT + NO_CI_GRACE)).toBe('RED');
    const queued = look([{ name: 'a' }, { name: 'b', status: 'queued', outcome: null, startedAt: 0 }], AT);
    const waits = foldCiObservation(
      asked,
      { ...queued, polledAt: AT + NO_CI_GRACE },
      AT + NO_CI_GRACE,
      patience,
    );
    expect(judge(waits)).toBe('PENDING');
  });

  it('F3: where all checks went, the silence begins anew', () => {
    const none = foldCiObservation(both, look([], AT + NO_CI_GRACE), AT + NO_CI_GRACE, patience);
    expect(judge(none)).toBe('PENDING');
    const later = AT + 2 * NO_CI_GRACE;
    expect(judge(foldCiObservation(none, look([], later), later, patience))).toBe('NO_CI');
  });

  it('F3: an app that was told of the commit and says nothing holds green back only as long as silence does', () => {
    const told = look([{ name: 'a' }, { name: 'cov', status: 'announced', outcome: null }], AT);
    const once = foldCiObservation(undefined, told, AT, patience);
    const early = AT + NO_CI_GRACE - 1;
    expect(judge(foldCiObservation(once, { ...told, polledAt: early }, early, patience))).toBe('PENDING');
    const late = AT + NO_CI_GRACE;
    expect(judge(foldCiObservation(once, { ...told, polledAt: late }, late, patience))).toBe('GREEN');
  });
});
