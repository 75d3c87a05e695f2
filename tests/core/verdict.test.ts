/** F3: the verdict over one head's checks, as a table, and how facts fold. */
import { describe, expect, it } from 'vitest';
import {
  foldCheck,
  rerunAsked,
  seenAgain,
  verdict as judge,
  type CheckFact,
  type CiFacts,
  type CiVerdict,
} from '../../orchestrator/core/machine/verdict.ts';
import { Bounds } from '../../orchestrator/core/bounds.ts';
import { checkFact, type Check } from '../support/core.ts';

const AT = 1_000_000;
const { ciSettleMs: SETTLE, noCiMs: NO_CI_GRACE } = Bounds.parse({});
/** What a look at that time comes to, which sees them so. */
const verdict = (ci: CiFacts | undefined, at: number): CiVerdict =>
  judge(ci && seenAgain(ci, at, Bounds.parse({})));
/** Facts that were last changed long ago, so that their settle time is over. */
const facts = (checks: Check[], required: string[] = [], changedAt = AT - SETTLE): CiFacts => ({
  checks: Object.fromEntries(checks.map(checkFact).map((c) => [c.key, c])),
  required,
  firstAt: changedAt,
  changedAt,
  confirmed: false,
  partial: false,
  held: false,
});
const one = (conclusion: CheckFact['conclusion']): Check => ({ conclusion });

describe('the verdict', () => {
  it.each([
    ['success', 'GREEN'],
    ['neutral', 'GREEN'],
    ['skipped', 'GREEN'],
    ['failure', 'RED'],
    ['timed_out', 'RED'],
    ['startup_failure', 'RED'],
    ['cancelled', 'RED'],
    ['action_required', 'AWAITING_MAINTAINER'],
    ['stale', 'PENDING'],
    [null, 'PENDING'],
  ] satisfies [CheckFact['conclusion'], CiVerdict][])(
    'F3: one check with %s is %s',
    (conclusion, expected) => {
      expect(verdict(facts([one(conclusion)]), AT)).toBe(expected);
    },
  );

  it.each([
    ['nobody has looked', undefined, 'PENDING'],
    ['no checks, just looked', facts([], [], AT - NO_CI_GRACE + 1), 'PENDING'],
    ['no checks for a while', facts([], [], AT - NO_CI_GRACE), 'NO_CI'],
    ['no checks, but one is required', facts([], ['test'], 0), 'PENDING'],
    ['green, but only just', facts([one('success')], [], AT - SETTLE + 1), 'PENDING'],
    ['red, only just', facts([one('failure')], [], AT), 'RED'],
    [
      'a suite that waits for a maintainer, without checks',
      { ...facts([]), held: true },
      'AWAITING_MAINTAINER',
    ],
    ['green beside a suite that waits', { ...facts([one('success')]), held: true }, 'AWAITING_MAINTAINER'],
    ['red beside a suite that waits', { ...facts([one('failure')]), held: true }, 'RED'],
    ['a check that waits', facts([{ status: 'waiting', conclusion: null }]), 'AWAITING_MAINTAINER'],
    ['a queued check', facts([{ status: 'queued', conclusion: null }]), 'PENDING'],
    ['a conclusion before completion', facts([{ status: 'in_progress', conclusion: 'success' }]), 'PENDING'],
    ['a red that is not completed', facts([{ status: 'queued', conclusion: 'failure' }]), 'PENDING'],
    ['one green, one running', facts([{ name: 'a' }, { name: 'b', conclusion: null }]), 'PENDING'],
    ['one green, one red', facts([{ name: 'a' }, { name: 'b', conclusion: 'failure' }]), 'RED'],
    [
      'red and awaiting',
      facts([
        { name: 'a', conclusion: 'failure' },
        { name: 'b', conclusion: 'action_required' },
      ]),
      'RED',
    ],
    [
      'required green, other red',
      facts([{ name: 'a' }, { name: 'b', conclusion: 'failure' }], ['a']),
      'GREEN_REQUIRED',
    ],
    [
      'required green, other running',
      facts([{ name: 'a' }, { name: 'b', conclusion: null }], ['a']),
      'GREEN_REQUIRED',
    ],
    ['all green, one required', facts([{ name: 'a' }, { name: 'b' }], ['a']), 'GREEN'],
    ['required red', facts([{ name: 'a', conclusion: 'failure' }, { name: 'b' }], ['a']), 'RED'],
    ['required running', facts([{ name: 'a', conclusion: null }, { name: 'b' }], ['a']), 'PENDING'],
    ['required missing', facts([{ name: 'a' }], ['a', 'b']), 'PENDING'],
    ['required missing, other red', facts([{ name: 'a', conclusion: 'failure' }], ['b']), 'PENDING'],
    [
      'required green, other awaiting',
      facts([{ name: 'a' }, { name: 'b', conclusion: 'action_required' }], ['a']),
      'AWAITING_MAINTAINER',
    ],
  ] satisfies [string, CiFacts | undefined, CiVerdict][])('F3: %s', (_name, ci, expected) => {
    expect(verdict(ci, AT)).toBe(expected);
  });
});

describe('folding a check', () => {
  const known = foldCheck(undefined, checkFact({ conclusion: 'failure', startedAt: 10 }), AT);
  const key = 'app/test';

  it('F3: a newer try replaces an older one, and never the other way', () => {
    const newer = foldCheck(known, checkFact({ startedAt: 11 }), AT + 1);
    expect(newer.checks[key]?.conclusion).toBe('success');
    expect(newer.changedAt).toBe(AT + 1);
    expect(foldCheck(known, checkFact({ startedAt: 9 }), AT + 1)).toBe(known);
  });

  it('F3: within one try, progress counts and its late echo does not', () => {
    expect(foldCheck(known, checkFact({ conclusion: null, startedAt: 10 }), AT + 1)).toBe(known);
    expect(foldCheck(known, checkFact({ conclusion: 'failure', startedAt: 10 }), AT + 1)).toBe(known);
    const running = foldCheck(undefined, checkFact({ conclusion: null, startedAt: 10 }), AT);
    expect(foldCheck(running, checkFact({ startedAt: 10 }), AT).checks[key]?.conclusion).toBe('success');
  });

  it('F3: a check that waited for a maintainer goes on within the same try', () => {
    const status = (ci: CiFacts): string | undefined => Object.values(ci.checks)[0]?.status;
    const waiting = foldCheck(
      undefined,
      checkFact({ status: 'waiting', conclusion: null, startedAt: 10 }),
      AT,
    );
    const running = foldCheck(waiting, checkFact({ conclusion: null, startedAt: 10 }), AT);
    expect(status(running)).toBe('in_progress');
    expect(foldCheck(running, checkFact({ status: 'waiting', conclusion: null, startedAt: 10 }), AT)).toBe(
      running,
    );
    expect(foldCheck(waiting, checkFact({ status: 'queued', conclusion: null, startedAt: 10 }), AT)).toBe(
      waiting,
    );
    expect(status(foldCheck(running, checkFact({ startedAt: 10 }), AT))).toBe('completed');
  });

  it('F3: checks of two names stand side by side', () => {
    expect(Object.keys(foldCheck(known, checkFact({ name: 'lint' }), AT).checks)).toEqual([key, 'app/lint']);
  });

  it('F3: a re-run makes red pending, keeps green, and outdates the old try only', () => {
    const both = foldCheck(known, checkFact({ name: 'lint' }), AT);
    const asked = rerunAsked(both, AT + SETTLE);
    expect(verdict(asked, AT + 10 * SETTLE)).toBe('PENDING');
    expect(asked.checks['app/lint']?.conclusion).toBe('success');
    expect(foldCheck(asked, checkFact({ conclusion: 'failure', startedAt: 10 }), AT)).toBe(asked);
    const again = foldCheck(asked, checkFact({ startedAt: 1_010 }), AT);
    expect(verdict(again, AT + SETTLE)).toBe('GREEN');
  });
});
