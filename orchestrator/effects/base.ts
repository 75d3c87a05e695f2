/**
 * base: the installations and checks of the contract on the base commit, in the same box, before an
 * agent costs anything (E15).
 */
import { stepFailed, type Handler } from '../engine/handler.ts';
import { OutsideFailure, refusedBy } from '../ports.ts';
import { createBaselines, onBase } from './baselines.ts';
import { createMeter } from './meter.ts';
import { need, runOf, type EffectParts } from './parts.ts';
import { recordedRunner } from './trial.ts';

export const createBase = (parts: EffectParts): Handler<'check_base'> => {
  const baselines = createBaselines(parts);
  return async (claim, signal) => {
    const run = await runOf(parts, claim.runId);
    const base = need(run.target.base, 'base');
    const meter = createMeter(parts, run, claim, 'check');
    const goesOn = (): boolean => meter.usedUp() === null;
    const runner = recordedRunner(parts, { runId: run.id, baseSha: base.sha, called: onBase }, meter, signal);
    try {
      const baseline = await baselines(run, base, runner, { anew: claim.do.fresh, signal, goesOn });
      if (signal.aborted || !baseline) {
        await meter.flush();
        return { kind: 'done', result: 'stopped' };
      }
      const { ms, outputBytes } = meter.rest();
      return { kind: 'result', input: { type: 'worker.base.checked', baseline, ms, outputBytes } };
    } catch (error) {
      if (!(error instanceof OutsideFailure) || signal.aborted) throw error;
      return stepFailed('check_base', error.class, error.message, {
        usageSoFar: meter.rest(),
        ...refusedBy(error),
      });
    }
  };
};
