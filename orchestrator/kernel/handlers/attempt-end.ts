/** Ends the row of an attempt also where its work throws: a row at work keeps its reservation of money (P7). */
import { OutsideFailure } from '#ports/forge';
import type { EffectContext } from './effect-context.ts';
import { createActivityLog, type ActivityLog } from './record-activity.ts';

const NO_OUTPUT = { exitCode: null, containment: null, model: null, stdout: '', stderr: '' };

const endAfterwards = async <T>(working: Promise<T>, activity: ActivityLog): Promise<T> => {
  try {
    return await working;
  } finally {
    await activity.end();
  }
};

export const withAttempt = async <T>(
  parts: Pick<EffectContext, 'ledger' | 'clock' | 'log'>,
  attempt: { id: number; signal: AbortSignal; settleLost: (ms: number) => void | Promise<void> },
  work: (activity: ActivityLog) => Promise<T>,
): Promise<T> => {
  const { id, signal, settleLost } = attempt;
  const startedAt = parts.clock.now();
  const activity = createActivityLog(parts, id);
  try {
    return await endAfterwards(work(activity), activity);
  } catch (error) {
    const ms = parts.clock.now() - startedAt;
    await settleLost(ms);
    const failed = error instanceof OutsideFailure ? error.class : 'crashed';
    await parts.ledger.attempt.end(id, { ...NO_OUTPUT, ms, outcome: signal.aborted ? 'cancelled' : failed });
    throw error;
  }
};
