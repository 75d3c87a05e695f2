/** Decides how a failed or waiting effect goes on: again later, given up, or a result of the run (F5, S6). */
import { failureConsequence, type FailureClass } from '#model/failure';
import { WriteSlotWait } from '#model/limits';
import { HOUR, MINUTE, SECOND, backoffDelay } from '#model/values';
import { traitsOf } from '../effects/effect-traits.ts';
import { OutsideFailure, toFailure, UnreadableFailure, TurnAwaited, type WriteHold } from '#ports/forge';
import { SET_ASIDE, WAITS_FOR_THE_REST, type ClaimedEffect, type EffectFinish } from '#ports/steps';
import type { LogPort } from '#ports/processes';
import { toWorkFailure, type HandlerOutcome } from './effect-handler.ts';

const OUTSIDE_TRIES = 4;
const BUG_TRIES = 3;
export const MAX_PAUSE_MS = 5 * MINUTE;
/** Limit of requested waits (ms), since some code hosts count by the hour. */
const MAX_RETRY_WAIT_MS = HOUR;

/** Doubles from 1 s to 5 minutes (ms). */
const pauseAfter = (tries: number): number => backoffDelay(tries - 1, { first: SECOND, most: MAX_PAUSE_MS });

const HELD_REASON_BY_CLASS: Partial<Record<FailureClass, WriteSlotWait['why']>> = {
  pull_limit: 'slot',
  account_suspended: 'suspended',
  merge_queue: 'merge_queue',
};
const HELD_RETRY_MS: Partial<Record<FailureClass, number>> = { merge_queue: MINUTE };
/** F5: default pause while the code host refuses all our writes (ms). */
const SUSPENSION_RETRY_MS = 30 * MINUTE;
export const slotWaitAfter = (claim: ClaimedEffect, error: unknown, now: number): WriteHold | null => {
  const why = error instanceof OutsideFailure ? HELD_REASON_BY_CLASS[error.class] : undefined;
  const what = WriteSlotWait.shape.action.safeParse(claim.do.kind).data;
  // guard: F5-held-waits
  if (!why || !what || !(error instanceof OutsideFailure)) return null;
  const at = Math.max(
    error.retryAt ?? now + (HELD_RETRY_MS[error.class] ?? SUSPENSION_RETRY_MS),
    now + MINUTE,
  );
  return { at, turn: { action: what, why, readyAt: 0, position: 1 } };
};

/** F5: waiting for a turn uses up no try. */
export const toUncountedDelay = (at: number, why?: WriteSlotWait['why']): EffectFinish => ({
  kind: 'later',
  at,
  reason: why === 'provider' ? WAITS_FOR_PROVIDER : WAITS_TO_WRITE,
  counts: false,
});
/** L9: what stopped the process before goes last. */
export const toDelayBehindOthers = (at: number): EffectFinish => ({
  kind: 'later',
  at,
  reason: WAITS_FOR_THE_REST,
  counts: false,
});
const WAITS_TO_WRITE = 'waits for its turn to write on the code host';
const WAITS_FOR_PROVIDER = 'waits for the provider of its model';

export const decideAfterFailure = (
  claim: ClaimedEffect,
  error: unknown,
  now: number,
  log: LogPort,
): HandlerOutcome => {
  const outside = error instanceof OutsideFailure;
  const patient = isPatient(claim);
  const { fails } = traitsOf(claim.do.kind);
  const { class: failure, message, ...detail } = toFailure(error);
  const tryLater = (at: number, { counts }: { counts: boolean }): HandlerOutcome => ({
    kind: 'later',
    at,
    reason: message,
    counts,
  });
  // guard: F5-waiting-no-try
  if (error instanceof TurnAwaited) return toUncountedDelay(error.at);
  if (outside && failureConsequence(error.class) === 'retry') {
    const ours = now + pauseAfter(claim.tries);
    const asked = Math.min(error.retryAt ?? 0, now + MAX_RETRY_WAIT_MS);
    // Retries without a real delay use up tries.
    // guard: F5-host-patience
    if (asked > ours && !error.isGuess) return tryLater(asked, { counts: false });
    // guard: S6-outside-tries
    if (claim.tries < OUTSIDE_TRIES || patient) return tryLater(Math.max(ours, asked), { counts: true });
  }
  if (!outside)
    log.error(
      { err: error, effect: claim.id, run: claim.runId, kind: claim.do.kind },
      'an effect handler threw',
    );
  // F8: polling never stops.
  if ((!outside && claim.tries < BUG_TRIES) || fails === 'never')
    return tryLater(now + pauseAfter(claim.tries), { counts: true });
  if (fails !== 'result') return { kind: 'dead', reason: message };
  const more = error instanceof UnreadableFailure ? { readFailure: error.unreadable } : {};
  return toWorkFailure(claim, failure, message, { ...more, ...detail });
};

/** L9: a person decides about it; what watches looks again later. */
export const toSetAsideOutcome = (claim: ClaimedEffect, now: number): HandlerOutcome => {
  const { fails } = traitsOf(claim.do.kind);
  if (fails === 'never') return { kind: 'later', at: now + HOUR, reason: SET_ASIDE, counts: true };
  return fails === 'result'
    ? toWorkFailure(claim, 'repository_unreadable', SET_ASIDE, {
        detail: { kind: 'handling_stopped_process' },
      })
    : { kind: 'dead', reason: SET_ASIDE };
};

/** Retried without limit, as a person could only wait too. */
const isPatient = ({ do: work }: ClaimedEffect): boolean =>
  work.kind === 'chat_message' ||
  work.kind === 'close_pr' ||
  (work.kind === 'read_head' && work.adoptedBy === null);

/** Failures that nobody would see otherwise, such as a timer's. */
export const isAbandoned = (
  claim: ClaimedEffect,
  outcome: EffectFinish,
): outcome is Exclude<EffectFinish, { kind: 'done' }> =>
  claim.runId !== null && outcome.kind === 'dead' && traitsOf(claim.do.kind).fails !== 'log';
