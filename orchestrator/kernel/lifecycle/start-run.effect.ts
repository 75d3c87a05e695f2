/** `start` waits for a slot (`max_parallel_runs`, `max_runs_per_day`), then starts the run (E6). */
import { decideRunAdmission, type RunAdmission } from './run-queue.ts';
import type { Run } from '../run/run.ts';
import type { EffectHandler, HandlerOutcome } from '../runtime/effect-handler.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { SystemClock } from '#ports/processes';
import { requireRunOf, type EffectContext } from '../handlers/effect-context.ts';
import { MINUTE, DAY } from '#model/values';

type Wait = Extract<RunAdmission, { kind: 'wait' }>;

/** Polling interval of queued runs (ms); longer behind the first in line. */
const START_RETRY_MS = 1_000;
const MAX_START_POLL_MS = MINUTE;
const nextTry = ({ waitsFor, at, before }: Wait, now: number): number => {
  if (waitsFor === 'day')
    return now + Math.min(MAX_START_POLL_MS, Math.max(START_RETRY_MS, (at ?? now + MAX_START_POLL_MS) - now));
  return now + Math.min(MAX_START_POLL_MS, START_RETRY_MS * (1 + before));
};

const reasonFor = ({ waitsFor, used: taken, of }: Wait): string =>
  waitsFor === 'slot'
    ? `${taken} of ${of} runs are at work`
    : `${taken} of ${of} runs were started in the last 24 hours`;

export const createStartRunHandler = (
  parts: Pick<EffectContext, 'ledger' | 'submit' | 'settings'> & { clock: SystemClock },
): EffectHandler<'start_run'> => {
  const { ledger, submit, clock, settings } = parts;

  const reportWait = async (
    run: Run,
    claim: ClaimedEffect,
    { waitsFor, used: taken, of, at }: Wait,
  ): Promise<void> => {
    const said = run.lifecycle.reason.kind === 'slot_wait' ? run.lifecycle.reason : null;
    if (said?.waitsFor === waitsFor && said.used === taken && said.of === of && said.at === at) return;
    await submit({
      runId: run.id,
      input: { type: 'worker.start.queued', waitsFor, used: taken, of, at },
      key: `held:${claim.id}:${claim.leaseEpoch}`,
      cause: { kind: 'none' },
      effectEpoch: claim.epoch,
    });
  };

  const tryToStart = async (claim: ClaimedEffect): Promise<HandlerOutcome> => {
    const run = await requireRunOf(parts, claim.runId);
    const now = clock.now();
    // Includes starts up to a day ahead, after a clock went back.
    const queue = await ledger.query.queue({ since: now - DAY, until: now + DAY });
    const turn = decideRunAdmission(run.id, queue, settings, now);
    if (turn.kind === 'wait') {
      await reportWait(run, claim, turn);
      return { kind: 'later', at: nextTry(turn, now), reason: reasonFor(turn), counts: false };
    }
    await submit({
      runId: run.id,
      input: { type: 'command.discovery.start' },
      key: `effect:${claim.id}:${claim.leaseEpoch}`,
      cause: { kind: 'effect', n: claim.n, leaseEpoch: claim.leaseEpoch },
    });
    return { kind: 'settled' };
  };

  // Serialised, so that two runs cannot take the last slot.
  let turn: Promise<unknown> = Promise.resolve();
  return (claim) => {
    const mine = turn.then(() => tryToStart(claim));
    turn = mine.catch(() => undefined);
    return mine;
  };
};
