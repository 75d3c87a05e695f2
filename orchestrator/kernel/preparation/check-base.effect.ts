/** `base` runs installations and checks on the base commit before an agent costs anything (E15). */
import { toStepFailure, type EffectHandler } from '../runtime/effect-handler.ts';
import { OutsideFailure, toFailure } from '#ports/forge';
import { createBaselines, baseStepName } from './run-baseline.io.ts';
import { requireValue, requireRunOf, type EffectContext } from '../handlers/effect-context.ts';
import { createRecordedRunner } from '../handlers/recorded-commands.ts';

export const createCheckBaseHandler = (parts: EffectContext): EffectHandler<'check_base'> => {
  const baselines = createBaselines(parts);
  return async (claim, signal) => {
    const run = await requireRunOf(parts, claim.runId);
    const base = requireValue(run.target.base, 'base');
    const meter = parts.spending.createMeter(run, claim, 'check');
    const goesOn = (): boolean => meter.usedUp() === null;
    const runner = createRecordedRunner(
      parts,
      { runId: run.id, baseSha: base.sha, called: baseStepName },
      meter,
      signal,
    );
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
      const { class: failure, message, ...detail } = toFailure(error);
      return toStepFailure('check_base', failure, message, { usageSoFar: meter.rest(), ...detail });
    }
  };
};
