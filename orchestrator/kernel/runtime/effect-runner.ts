/** Runs one claimed effect by its handler and stores the outcome in the ledger. */
import { failureConsequence, type FailureClass } from '../../model/failure-classes.ts';
import { traitsOf } from '../run/effect-traits.ts';
import { WriteSlotWait } from '../../model/write-slots.ts';
import type { EffectKind } from '../run/effect-types.ts';
import { holdsWhenLate } from '../lifecycle/result-rows.ts';
import {
  OutsideFailure,
  detailOf,
  refusedBy,
  UnreadableFailure,
  TurnAwaited,
  type ClaimedEffect,
  type SystemClock,
  type EffectFinish,
  type IncomingItem,
  type Ledger,
  type LogPort,
  type WriteScheduler,
} from '../ports/index.ts';
import {
  LEASE_MS,
  stepFailed,
  type ClaimOf,
  type EffectHandlers,
  type HandlerOutcome,
} from './effect-handler.ts';
import type { SubmitInput } from './submit-input.ts';
import { HOUR, MINUTE, SECOND } from '../../model/units.ts';
import { backoffDelay } from '../../model/backoff.ts';

export type EffectRunnerParts = {
  ledger: Ledger;
  submit: SubmitInput;
  clock: SystemClock;
  handlers: EffectHandlers;
  report: (note: IncomingItem) => Promise<unknown>;
  log: LogPort;
  writers?: WriteScheduler;
};

const OUTSIDE_TRIES = 4;
const BUG_TRIES = 3;
/** Consecutive failing polls before a person is told. */
const MIN_REPORTED_POLL_FAILURES = 5;
export const MAX_PAUSE_MS = 5 * MINUTE;
/** Limit of requested waits (ms), since some code hosts count by the hour. */
const MAX_RETRY_WAIT_MS = HOUR;
/** Waits for a write slot are reported from this length (ms). */
const MIN_REPORTED_SLOT_WAIT_MS = 15 * SECOND;
/** F8, S6: waits for the code host, likewise (ms). */
const MIN_REPORTED_WAIT_MS = 5 * MINUTE;
export const SHUTDOWN_REASON = 'shutdown';

/** Doubles from 1 s to 5 minutes (ms). */
const pause = (tries: number): number => backoffDelay(tries - 1, { first: SECOND, most: MAX_PAUSE_MS });

/** S6: reports abandoned or repeatedly failing work, once per effect. */
export const stuckNote = ({ id, runId, do: work }: ClaimedEffect, reason: string): IncomingItem => ({
  source: 'cli',
  key: `stuck:${id}`,
  body: { type: 'stuck', runId, kind: work.kind, reason },
});

/** Notes a long wait; kept in memory, so that counting starts again after a restart. */
const createLongWaits = (clock: SystemClock) => {
  const since = new Map<string, number>();
  return (
    { id, runId, do: { kind } }: ClaimedEffect,
    outcome: EffectFinish | { kind: 'result' },
  ): IncomingItem | null => {
    // A scheduled poll is no wait.
    const isWait = outcome.kind === 'later' && outcome.counts !== 'anew' && traitsOf(kind).waitsAloud;
    if (outcome.kind !== 'later' || !isWait) {
      since.delete(id);
      return null;
    }
    const began = Math.min(since.get(id) ?? Infinity, clock.now());
    since.set(id, began);
    if (runId === null || outcome.at - began < MIN_REPORTED_WAIT_MS) return null;
    const body = { type: 'waits', runId, since: began, until: outcome.at };
    return { source: 'cli', key: `waits:${id}`, body };
  };
};

const byKind = <K extends EffectKind>(
  handlers: EffectHandlers,
  kind: K,
  claim: ClaimOf<K>,
  signal: AbortSignal,
): Promise<HandlerOutcome> => handlers[kind](claim, signal);

export const createEffectRunner = (parts: EffectRunnerParts) => {
  const { ledger, submit, clock, handlers, report, log, writers } = parts;
  const longWait = createLongWaits(clock);
  return async (claim: ClaimedEffect, signal: AbortSignal): Promise<void> => {
    const conclude = async (outcome: HandlerOutcome): Promise<void> => {
      if (outcome.kind === 'settled') return;
      const long = longWait(claim, outcome);
      if (long) await report(long);
      if (outcome.kind !== 'result') {
        // S6: reported before it is closed; the key makes the note unique.
        // guard: S6-told-before-giving-up
        if (isAbandoned(claim, outcome)) await report(stuckNote(claim, outcome.reason));
        if (outcome.kind === 'dead' && traitsOf(claim.do.kind).fails === 'log')
          log.warn(
            { effect: claim.id, run: claim.runId, reason: outcome.reason },
            'a message could not be delivered',
          );
        return void (await ledger.finish(claim, outcome, clock.now()));
      }
      const { runId, id, leaseEpoch, n, epoch } = claim;
      if (runId === null) throw new Error(`effect ${id} gave a result without a run`);
      const offer = { runId, input: outcome.input, key: `effect:${id}:${leaseEpoch}`, effectEpoch: epoch };
      const step = await submit({ ...offer, cause: { kind: 'effect', n, leaseEpoch } });
      // Published facts count even when the lease was lost meanwhile.
      // guard: L4-late-fact
      if (step.kind === 'fenced' && holdsWhenLate(outcome.input))
        await submit({ ...offer, cause: { kind: 'none' } });
    };
    const waitForSlot = async (
      { id, runId, epoch }: ClaimedEffect,
      { at, turn }: { at: number; turn: WriteSlotWait },
    ) => {
      const paced = turn.why === 'pace' || turn.why === 'told';
      const told = runId !== null && (!paced || turn.readyAt - clock.now() > MIN_REPORTED_SLOT_WAIT_MS);
      const key = `turn:${id}:${turn.why}:${turn.readyAt}:${turn.position}:${turn.queueLength ?? ''}`;
      const input = { type: 'worker.slot.awaited', ...turn } as const;
      if (told) await submit({ runId, input, key, cause: { kind: 'none' }, effectEpoch: epoch });
      if (paced) await conclude(laterWithoutTry(at));
      else await ledger.finish(claim, laterWithoutTry(at, turn.why), clock.now());
    };
    // A shutdown leaves the effect claimed; the next boot runs it again.
    const endStopped = async (): Promise<void> => {
      // guard: L6-shutdown-ends-nothing
      if (signal.reason !== SHUTDOWN_REASON)
        await ledger.finish(claim, { kind: 'done', result: 'stopped' }, clock.now());
    };
    try {
      // guard: F5-turn-first
      const waits = (await writers?.comesBack(claim)) ?? null;
      if (waits) return await waitForSlot(claim, waits);
      const renewLease = (): Promise<boolean> => ledger.renew(claim, clock.now() + LEASE_MS);
      const runHandler = (): Promise<HandlerOutcome> => byKind(handlers, claim.do.kind, claim, signal);
      const outcome = await (writers
        ? writers.within({ claim, live: renewLease, signal }, runHandler)
        : runHandler());
      // A sent message must not be sent again.
      const sent = claim.do.kind === 'chat_message' && outcome.kind === 'done';
      if (signal.aborted && !sent) await endStopped();
      else await conclude(outcome);
    } catch (error) {
      const waits = signal.aborted ? null : slotWaitAfter(claim, error, clock.now());
      if (signal.aborted) await endStopped();
      else if (waits) await waitForSlot(claim, waits);
      else {
        const outcome = afterFailure(claim, error, clock.now(), log);
        // F8: handlers report failing polls themselves, except when they throw.
        const isLastingPollFailure =
          traitsOf(claim.do.kind).fails === 'never' &&
          claim.runId !== null &&
          claim.tries === MIN_REPORTED_POLL_FAILURES;
        if (isLastingPollFailure && outcome.kind === 'later') await report(stuckNote(claim, outcome.reason));
        await conclude(outcome);
      }
    }
  };
};

type Try = { claim: ClaimedEffect; stop: AbortController; done: Promise<void> };
/** L4: a lease that expired during sleep is claimed again; the old try must end first. */
export const createTries = (perform: ReturnType<typeof createEffectRunner>) => {
  const running = new Map<number, Try>();
  return {
    running,
    begin: (claim: ClaimedEffect): Try => {
      const stop = new AbortController();
      // guard: L4-one-try
      const before = running.get(claim.n);
      if (before && traitsOf(claim.do.kind).stops) before.stop.abort();
      const work = before ? before.done.then(() => perform(claim, stop.signal)) : perform(claim, stop.signal);
      const forget = (): void => void (running.get(claim.n) === one && running.delete(claim.n));
      const one: Try = { claim, stop, done: work.finally(forget) };
      running.set(claim.n, one);
      return one;
    },
  };
};

const HELD_REASON_BY_CLASS: Partial<Record<FailureClass, WriteSlotWait['why']>> = {
  pull_limit: 'slot',
  account_suspended: 'suspended',
};
/** F5: default pause while the code host refuses all our writes (ms). */
const SUSPENSION_RETRY_MS = 30 * MINUTE;
const slotWaitAfter = (
  claim: ClaimedEffect,
  error: unknown,
  now: number,
): { at: number; turn: WriteSlotWait } | null => {
  const why = error instanceof OutsideFailure ? HELD_REASON_BY_CLASS[error.class] : undefined;
  const what = WriteSlotWait.shape.action.safeParse(claim.do.kind).data;
  // guard: F5-held-waits
  if (!why || !what || !(error instanceof OutsideFailure)) return null;
  const at = Math.max(error.retryAt ?? now + SUSPENSION_RETRY_MS, now + MINUTE);
  return { at, turn: { action: what, why, readyAt: 0, position: 1 } };
};

/** F5: waiting for a turn uses up no try. */
const laterWithoutTry = (at: number, why?: WriteSlotWait['why']): EffectFinish => ({
  kind: 'later',
  at,
  reason: why === 'provider' ? WAITS_FOR_PROVIDER : WAITS_TO_WRITE,
  counts: false,
});
const WAITS_TO_WRITE = 'waits for its turn to write on the code host';
const WAITS_FOR_PROVIDER = 'waits for the provider of its model';

const afterFailure = (claim: ClaimedEffect, error: unknown, now: number, log: LogPort): HandlerOutcome => {
  const outside = error instanceof OutsideFailure;
  const patient = isPatient(claim);
  const { fails } = traitsOf(claim.do.kind);
  const message = error instanceof Error ? error.message : String(error);
  const later = (at: number, counts: boolean): HandlerOutcome => ({
    kind: 'later',
    at,
    reason: message,
    counts,
  });
  // guard: F5-waiting-no-try
  if (error instanceof TurnAwaited) return laterWithoutTry(error.at);
  if (outside && failureConsequence(error.class) === 'retry') {
    const ours = now + pause(claim.tries);
    const asked = Math.min(error.retryAt ?? 0, now + MAX_RETRY_WAIT_MS);
    // Retries without a real delay use up tries.
    // guard: F5-host-patience
    if (asked > ours && !error.isGuess) return later(asked, false);
    // guard: S6-outside-tries
    if (claim.tries < OUTSIDE_TRIES || patient) return later(Math.max(ours, asked), true);
  }
  if (!outside)
    log.error(
      { err: error, effect: claim.id, run: claim.runId, kind: claim.do.kind },
      'an effect handler threw',
    );
  // F8: polling never stops.
  if ((!outside && claim.tries < BUG_TRIES) || fails === 'never')
    return later(now + pause(claim.tries), true);
  if (fails !== 'result') return { kind: 'dead', reason: message };
  const more = error instanceof UnreadableFailure ? { readFailure: error.unreadable } : {};
  return stepFailed(claim.do.kind, outside ? error.class : 'crashed', message, {
    ...more,
    ...refusedBy(error),
    ...detailOf(error),
  });
};

/** Retried without limit, as a person could only wait too. */
const isPatient = ({ do: work }: ClaimedEffect): boolean =>
  work.kind === 'chat_message' ||
  work.kind === 'close_pr' ||
  (work.kind === 'read_head' && work.adoptedBy === null);

/** Failures that nobody would see otherwise, such as a timer's. */
const isAbandoned = (
  claim: ClaimedEffect,
  outcome: EffectFinish,
): outcome is Exclude<EffectFinish, { kind: 'done' }> =>
  claim.runId !== null && outcome.kind === 'dead' && traitsOf(claim.do.kind).fails !== 'log';
