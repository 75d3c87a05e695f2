/** Records that the agent of a round repeats a call, so that people are told (C4). */
import { cutText } from '#model/values';
import type { EffectContext } from '../handlers/effect-context.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { ExecutorEvent } from '#ports/processes';

const MAX_TOLD_LENGTH = 1_000;

type Repeated = Extract<ExecutorEvent, { type: 'repeated' }>;

export const createRepeatReport = (
  { submit, log }: Pick<EffectContext, 'submit' | 'log'>,
  runId: string,
  claim: Pick<ClaimedEffect, 'id' | 'epoch'>,
) => {
  let sent: Promise<unknown> = Promise.resolve();
  return {
    settled: () => sent,
    report: ({ call, times, of }: Omit<Repeated, 'type'>): void => {
      sent = submit({
        runId,
        input: { type: 'worker.call.repeated', call: cutText(call, MAX_TOLD_LENGTH), times, of },
        // The round's effect: a round that begins again after a restart tells nothing twice.
        // guard: C4-repeat-once-a-round
        key: `repeated:${claim.id}`,
        cause: { kind: 'none' },
        effectEpoch: claim.epoch,
      }).catch((error: unknown) =>
        log.warn({ err: error, run: runId }, 'a repeated command could not be told'),
      );
    },
  };
};
