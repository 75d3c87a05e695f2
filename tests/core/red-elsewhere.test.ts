/** F6, S7: red checks that are none of our doing cost no round of the agent. */
import { describe, expect, it } from 'vitest';
import { isOnlyRedOnBase } from '#kernel';
import {
  at,
  check,
  ci,
  ciCompared,
  failed,
  iterate,
  later,
  looked,
  pause,
  red,
  rerun,
  resume,
  retry,
  review,
  shows,
  type Story,
} from '../support/core.ts';

const works = (story: Story) => story.effects.map((e) => e.do.kind).filter((kind) => kind !== 'chat_message');
const name = Object.values(at('CI_WAIT').when(red).run.upstream.observed.ci).flatMap((facts) =>
  Object.values(facts.checks).map((one) => one.name),
)[0] as string;
const asked = at('CI_WAIT').when(red);

describe('a check that is red on the base as well', () => {
  const told = asked.when(ciCompared([name]));

  it('F6: is told once, and nothing is fixed', () => {
    expect([told.run.lifecycle.state, works(told).includes('implement')]).toEqual(['CI_WAIT', false]);
    expect(told.run.lifecycle.reason).toEqual({ kind: 'checks_red_on_base', ref: 'main', checks: [name] });
    expect(told.effects).toContainEqual(
      expect.objectContaining({
        do: expect.objectContaining({ kind: 'chat_message', sound: true }) as unknown,
      }),
    );
    expect(isOnlyRedOnBase(told.run)).toBe(true);
  });

  it('S7: costs no round, and is not looked into again with each look', () => {
    expect([asked.run.lifecycle.counts.iterations, told.run.lifecycle.counts.iterations]).toEqual([0, 0]);
    const again = told.when(later(60_000, looked), red);
    expect(again.run.lifecycle.state).toBe('CI_WAIT');
  });

  it('F6: is asked about again when a later try of it fails, for the base may be green by now', () => {
    const tried = told.when(ci([{ outcome: 'failed', startedAt: 999 }]));
    expect([tried.run.lifecycle.state, works(tried)[0]]).toEqual(['ITERATING', 'compare_checks']);
    expect(isOnlyRedOnBase(tried.run)).toBe(false);
    const ours = tried.when(ciCompared([]));
    expect(ours.run).toMatchObject({
      lifecycle: { counts: { iterations: 1 } },
      agent: { round: { kind: 'ci_fix', feedback: [{ kind: 'red', checks: [name] }] } },
    });
  });

  it('F6: rings once for a head, however often it is tried and red there', () => {
    const again = told.when(ci([{ outcome: 'failed', startedAt: 999 }]), ciCompared([name]));
    expect(again.run.lifecycle.reason).toEqual({ kind: 'checks_red_on_base', ref: 'main', checks: [name] });
    expect(again.effects.some(({ do: work }) => work.kind === 'chat_message' && work.sound)).toBe(false);
  });

  it('F6: another check that fails besides is asked about, and fixed without what is red there, too', () => {
    const other = told.when(check({ name: 'lint', outcome: 'failed' }));
    expect([other.run.lifecycle.state, works(other)]).toEqual([
      'ITERATING',
      expect.arrayContaining(['compare_checks']),
    ]);
    const ours = other.when(ciCompared([name]));
    expect(ours.run).toMatchObject({
      lifecycle: { state: 'ITERATING', counts: { iterations: 1 } },
      agent: { round: { kind: 'ci_fix', feedback: [{ kind: 'red', checks: ['lint'] }] } },
    });
    expect(works(ours)).toContain('implement');
    expect(other.when(ciCompared([name, 'lint'])).run.lifecycle.reason).toMatchObject({
      kind: 'checks_red_on_base',
    });
  });

  it('F6: a check that turns red while it is asked is asked about, too, before anything is decided', () => {
    const two = asked.when(check({ name: 'lint', outcome: 'failed' }), ciCompared([], [name], [name]));
    expect([two.run.lifecycle.state, two.run.lifecycle.counts.iterations]).toEqual(['ITERATING', 0]);
    expect(works(two)).toContain('compare_checks');
    expect(two.when(ciCompared([])).run.lifecycle.counts.iterations).toBe(1);
  });

  it('F6: is told even when no fixes are left', () => {
    const spent = at('CI_WAIT', { maxIterations: 0 }).when(red);
    expect(works(spent)).toContain('compare_checks');
    expect(spent.when(ciCompared([name])).run.lifecycle.reason).toMatchObject({
      kind: 'checks_red_on_base',
    });
    expect(spent.when(ciCompared([])).run.lifecycle.reason).toMatchObject({ kind: 'budget_exhausted' });
  });

  it('F6: a person may ask for a fix all the same, and green moves on', () => {
    expect(told.when(iterate()).run.lifecycle.state).toBe('ITERATING');
    const green = told.when(ci([{ startedAt: 999 }]), later(60_000, looked));
    expect(green.run.lifecycle.state).toBe('REVIEW_WAIT');
  });

  it('S2: what is found out while the run is paused counts when it goes on', () => {
    const {
      lifecycle: { epoch },
    } = asked.run;
    const paused = asked.when(pause, (run) => ({ ...ciCompared([name])(run), epoch }));
    expect(paused.run.lifecycle.state).toBe('PAUSED');
    expect(paused.when(resume()).run.lifecycle.reason.kind).toBe('checks_red_on_base');
  });
});

describe('what happens beside a red check', () => {
  it('F12: what is red on the base counts again when the pull request goes into another one', () => {
    const told = asked.when(ciCompared([name])).when(shows({ base: 'develop' }));
    expect(told.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      target: { base: { ref: 'develop' } },
      upstream: { ciComparison: null },
      agent: { round: { kind: 'ci_fix' } },
    });
    expect(told.when(shows({ base: 'develop' })).run.lifecycle.epoch).toBe(told.run.lifecycle.epoch);
  });

  it('F3: a review that asked for changes meanwhile is worked on once the check is set aside', () => {
    const both = asked.when(review());
    expect(both.run.agent.round.kind).toBe('ci_fix');
    expect(both.when(ciCompared([name])).run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'review_fix' } },
    });
  });
});

describe('a review that wants changes beside a red check', () => {
  const both = at('CI_WAIT').when(pause, red, review(), resume());
  const wished = { kind: 'review', reviewer: 'mia', body: 'Use salut.' };

  it('F6: waits until it is known whose failure that is, which costs no fix', () => {
    expect([works(both)[0], both.run.lifecycle.counts.iterations]).toEqual(['compare_checks', 0]);
  });

  it('F6: is given to the agent without what is red on the base as well, and with what is ours', () => {
    for (const [onBase, failures] of [
      [[name], []],
      [[], [{ kind: 'red', checks: [name] }]],
    ] as const)
      expect(both.when(ciCompared([...onBase])).run).toMatchObject({
        lifecycle: { state: 'ITERATING', counts: { iterations: 1 } },
        agent: { round: { kind: 'review_fix', feedback: [wished, ...failures] } },
      });
  });

  it('F6: is worked on without asking whether the check is flaky: its fix runs it again', () => {
    const fixed = both.when(ciCompared([], [name]));
    expect(fixed.run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'review_fix' } },
    });
  });
});

describe('a check that may be flaky', () => {
  const offered = asked.when(ciCompared([], [name]));

  it('F6: is offered to be run again, and a person chooses', () => {
    expect(offered.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'maybe_flaky', checks: [name] } },
    });
  });

  it('S7: run again it is counted as that and as no fix; red again it is fixed', () => {
    const again = offered.when(rerun);
    expect(works(again)).toContain('rerun_ci');
    expect(again.run.lifecycle.counts).toMatchObject({ iterations: 0, reruns: 1 });
    const still = again.when(ci([{ outcome: 'failed', startedAt: 999 }]));
    expect(still.run).toMatchObject({ lifecycle: { state: 'ITERATING', counts: { iterations: 1 } } });
  });

  it('F6: is fixed where a person says so', () => {
    const fix = offered.when(retry());
    expect([fix.run.lifecycle.state, works(fix)[0]]).toEqual(['ITERATING', 'implement']);
  });

  it('F6: is run again without a tap where the operator says so, once for each head', () => {
    const auto = at('CI_WAIT', { autoRerun: true }).when(red, ciCompared([], [name]));
    expect([auto.run.lifecycle.state, works(auto)]).toEqual([
      'CI_WAIT',
      expect.arrayContaining(['rerun_ci']),
    ]);
    expect(auto.run.lifecycle.counts).toMatchObject({ iterations: 0, reruns: 1 });
    expect(auto.when(ci([{ outcome: 'failed', startedAt: 999 }])).run.lifecycle.state).toBe('ITERATING');
  });

  it('F6: is fixed once it was run again and is red beside another check that may be flaky', () => {
    const again = at('CI_WAIT', { autoRerun: true }).when(red, ciCompared([], [name]));
    const both = again.when(
      ci([
        { outcome: 'failed', startedAt: 999 },
        { name: 'lint', outcome: 'failed', startedAt: 999 },
      ]),
      ciCompared([], ['lint', name]),
    );
    expect(both.run).toMatchObject({
      lifecycle: { state: 'ITERATING', counts: { iterations: 1, reruns: 1 } },
    });
  });

  it('F6: stays one that may be flaky while nobody ran it again and another check turns red', () => {
    const two = asked.when(check({ name: 'lint', outcome: 'failed' }), ciCompared([], [name], [name]));
    expect(works(two)).toContain('compare_checks');
    const both = two.when(ciCompared([], ['lint', name]));
    expect(both.run.lifecycle).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      reason: { kind: 'maybe_flaky', checks: ['lint', name] },
      counts: { iterations: 0 },
    });
  });

  it('F6: that was run again stays one of the change, also when a third check is asked about', () => {
    const auto = at('CI_WAIT', { autoRerun: true }).when(red, ciCompared([], [name]));
    const tried = auto.when(
      ci([
        { outcome: 'failed', startedAt: 999 },
        { name: 'lint', outcome: 'failed', startedAt: 999 },
      ]),
      check({ name: 'types', outcome: 'failed', startedAt: 999 }),
      ciCompared([], ['lint', name], ['lint', name]),
    );
    expect(works(tried)).toContain('compare_checks');
    const third = tried.when(ciCompared([], ['lint', name, 'types']));
    expect(third.run).toMatchObject({
      lifecycle: { state: 'ITERATING', counts: { iterations: 1, reruns: 1 } },
    });
  });

  it('F6: where the code host does not run it again, a person hears why, and a retry fixes it', () => {
    const refused = offered.when(rerun, failed('forge_refused', { step: 'rerun_ci', message: 'Forbidden' }));
    expect(refused.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'rerun_refused', says: 'Forbidden' } },
    });
    expect(refused.when(red, retry()).run.lifecycle.state).toBe('ITERATING');
  });

  it('F6: a re-run that waited for other checks when the run was paused is asked about again', () => {
    for (const story of [
      offered.when(rerun),
      at('CI_WAIT', { autoRerun: true }).when(red, ciCompared([], [name])),
    ]) {
      const resumed = story.when(pause, resume());
      expect(resumed.run.lifecycle.state).toBe('CI_WAIT');
      expect(resumed.when(red, later(60_000, looked)).run.lifecycle.state).toBe('ITERATING');
    }
  });

  it('F6: goes on by itself when somebody else ran it again and it passed, and not before', () => {
    const mayNot = failed('forge_refused', { step: 'rerun_ci', message: 'Forbidden' });
    for (const story of [offered, offered.when(rerun, mayNot)]) {
      const running = story.when(ci([{ status: 'running', outcome: null, startedAt: 999 }]));
      expect(running.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
      const gone = running.when(ci([]), later(9_000_000, looked));
      expect(gone.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
      const passed = running.when(ci([{ startedAt: 1_000 }]), later(60_000, looked));
      expect(passed.run).toMatchObject({
        lifecycle: { state: 'REVIEW_WAIT', reason: { kind: 'checks_green' }, counts: { iterations: 0 } },
        agent: { round: { kind: 'implement' } },
      });
    }
  });
});
