/** F6, S7: red checks that are none of our doing cost no round of the agent. */
import { describe, expect, it } from 'vitest';
import { isRedOnBase } from '../../orchestrator/core/machine/settle.ts';
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
  type Story,
} from '../support/core.ts';

const works = (story: Story) => story.effects.map((e) => e.do.kind).filter((kind) => kind !== 'tell');
const name = Object.values(at('CI_WAIT').when(red).run.seen.ci).flatMap((facts) =>
  Object.values(facts.checks).map((one) => one.name),
)[0] as string;
const asked = at('CI_WAIT').when(red);

describe('a check that is red on the base as well', () => {
  const told = asked.when(ciCompared([name]));

  it('F6: is told once, and nothing is fixed', () => {
    expect([told.run.state, works(told).includes('implement')]).toEqual(['CI_WAIT', false]);
    expect(told.run.reason).toEqual({ kind: 'red_on_base', ref: 'main', checks: [name] });
    expect(told.effects).toContainEqual(
      expect.objectContaining({ do: expect.objectContaining({ kind: 'tell', sound: true }) as unknown }),
    );
    expect(isRedOnBase(told.run)).toBe(true);
  });

  it('S7: costs no round, and is not looked into again with each look', () => {
    expect([asked.run.counts.iterations, told.run.counts.iterations]).toEqual([1, 0]);
    const again = told.when(later(60_000, looked), red);
    expect(again.run.state).toBe('CI_WAIT');
  });

  it('F6: another check that fails besides is fixed', () => {
    const other = told.when(check({ name: 'lint', outcome: 'failed' }));
    expect(other.run.state).toBe('ITERATING');
  });

  it('F6: a person may ask for a fix all the same, and green moves on', () => {
    expect(told.when(iterate()).run.state).toBe('ITERATING');
    const green = told.when(ci([{ startedAt: 999 }]), later(60_000, looked));
    expect(green.run.state).toBe('REVIEW_WAIT');
  });

  it('S2: what is found out while the run is paused counts when it goes on', () => {
    const { epoch } = asked.run;
    const paused = asked.when(pause, (run) => ({ ...ciCompared([name])(run), epoch }));
    expect(paused.run.state).toBe('PAUSED');
    expect(paused.when(resume()).run.reason.kind).toBe('red_on_base');
  });
});

describe('a check that may be flaky', () => {
  const offered = asked.when(ciCompared([], [name]));

  it('F6: is offered to be run again, and a person chooses', () => {
    expect(offered.run).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      reason: { kind: 'maybe_flaky', checks: [name] },
    });
  });

  it('S7: run again it is counted as that and as no fix; red again it is fixed', () => {
    const again = offered.when(rerun);
    expect(works(again)).toContain('rerun_ci');
    expect(again.run.counts).toMatchObject({ iterations: 0, reruns: 1 });
    const still = again.when(ci([{ outcome: 'failed', startedAt: 999 }]));
    expect(still.run).toMatchObject({ state: 'ITERATING', counts: { iterations: 1 } });
  });

  it('F6: is fixed where a person says so', () => {
    const fix = offered.when(retry());
    expect([fix.run.state, works(fix)[0]]).toEqual(['ITERATING', 'implement']);
  });

  it('F6: is run again without a tap where the operator says so, once for each head', () => {
    const auto = at('CI_WAIT', { autoRerun: true }).when(red, ciCompared([], [name]));
    expect([auto.run.state, works(auto)]).toEqual(['CI_WAIT', expect.arrayContaining(['rerun_ci'])]);
    expect(auto.run.counts).toMatchObject({ iterations: 0, reruns: 1 });
    expect(auto.when(ci([{ outcome: 'failed', startedAt: 999 }])).run.state).toBe('ITERATING');
  });

  it('F6: where the code host does not run it again, a person hears why, and a retry fixes it', () => {
    const refused = offered.when(rerun, failed('forge_refused', { step: 'rerun_ci', message: 'Forbidden' }));
    expect(refused.run).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      reason: { kind: 'rerun_refused', says: 'Forbidden' },
    });
    expect(refused.when(red, retry()).run.state).toBe('ITERATING');
  });

  it('F6: a re-run that waited for other checks when the run was paused is asked about again', () => {
    for (const story of [
      offered.when(rerun),
      at('CI_WAIT', { autoRerun: true }).when(red, ciCompared([], [name])),
    ]) {
      const resumed = story.when(pause, resume());
      expect(resumed.run.state).toBe('CI_WAIT');
      expect(resumed.when(red, later(60_000, looked)).run.state).toBe('ITERATING');
    }
  });

  it('F6: goes on by itself when somebody else ran it again and it passed, and not before', () => {
    const mayNot = failed('forge_refused', { step: 'rerun_ci', message: 'Forbidden' });
    for (const story of [offered, offered.when(rerun, mayNot)]) {
      const running = story.when(ci([{ status: 'running', outcome: null, startedAt: 999 }]));
      expect(running.run.state).toBe('NEEDS_HUMAN_REVIEW');
      const gone = running.when(ci([]), later(9_000_000, looked));
      expect(gone.run.state).toBe('NEEDS_HUMAN_REVIEW');
      const passed = running.when(ci([{ startedAt: 1_000 }]), later(60_000, looked));
      expect(passed.run).toMatchObject({
        state: 'REVIEW_WAIT',
        reason: { kind: 'green' },
        round: { kind: 'implement' },
        counts: { iterations: 0 },
      });
    }
  });
});
