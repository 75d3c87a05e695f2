/** Runs one claimed effect by its handler and stores the outcome in the ledger. */
import { traitsOf } from '../effects/effect-traits.ts';
import type { EffectKind } from '../effects/effect-types.ts';
import { MINUTE, SECOND } from '#model/values';
import { findResult } from '../lifecycle/result-inputs.ts';
import {
  MAX_STOPS,
  keyOfEffect,
  NO_HANDLING_WATCH,
  type HandlingWatch,
  type ClaimedEffect,
  type EffectFinish,
  type IncomingItem,
} from '#ports/steps';
import type { SystemClock, LogPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import type { WriteHold, WriteScheduler } from '#ports/forge';
import { LEASE_MS, type ClaimOf, type EffectHandlers, type HandlerOutcome } from './effect-handler.ts';
import type { SubmitInput } from './submit-input.ts';
import {
  toDelayBehindOthers,
  isAbandoned,
  toUncountedDelay,
  slotWaitAfter,
  decideAfterFailure,
  toSetAsideOutcome,
} from './effect-retry.ts';

export type EffectRunnerParts = {
  ledger: Ledger;
  submit: SubmitInput;
  clock: SystemClock;
  handlers: EffectHandlers;
  report: (note: IncomingItem) => Promise<unknown>;
  log: LogPort;
  writers?: WriteScheduler;
  watch?: HandlingWatch;
};

/** Consecutive failing polls before a person is told. */
const MIN_REPORTED_POLL_FAILURES = 5;
const MIN_REPORTED_SLOT_WAIT_MS = 15 * SECOND;
/** F8, S6: waits for the code host, likewise (ms). */
const MIN_REPORTED_WAIT_MS = 5 * MINUTE;
export const SHUTDOWN_REASON = 'shutdown';

/** S6: reports abandoned or repeatedly failing work, once per effect. */
export const stuckWorkInboxItem = ({ id, runId, do: work }: ClaimedEffect, reason: string): IncomingItem => ({
  source: 'note',
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
    return { source: 'note', key: `waits:${id}`, body };
  };
};

const callHandler = <K extends EffectKind>(
  handlers: EffectHandlers,
  kind: K,
  claim: ClaimOf<K>,
  signal: AbortSignal,
): Promise<HandlerOutcome> => handlers[kind](claim, signal);

export const createEffectRunner = (parts: EffectRunnerParts) => {
  const { ledger, submit, clock, handlers, report, log, writers, watch = NO_HANDLING_WATCH } = parts;
  const longWait = createLongWaits(clock);
  return async (claim: ClaimedEffect, signal: AbortSignal): Promise<void> => {
    const concludeOutcome = async (outcome: HandlerOutcome): Promise<void> => {
      if (outcome.kind === 'settled') return;
      if (outcome.kind === 'held') return waitForSlot(claim, outcome.hold);
      const long = longWait(claim, outcome);
      if (long) await report(long);
      if (outcome.kind !== 'result') {
        // S6: reported before it is closed; the key makes the note unique.
        // guard: S6-told-before-giving-up
        if (isAbandoned(claim, outcome)) await report(stuckWorkInboxItem(claim, outcome.reason));
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
      if (step.kind === 'fenced' && findResult(outcome.input.type)?.holdsWhenLate)
        await submit({ ...offer, cause: { kind: 'none' } });
    };
    const waitForSlot = async ({ id, runId, epoch, leaseEpoch }: ClaimedEffect, { at, turn }: WriteHold) => {
      const paced = turn.why === 'pace' || turn.why === 'retry_after';
      const told = runId !== null && (!paced || turn.readyAt - clock.now() > MIN_REPORTED_SLOT_WAIT_MS);
      const key = `turn:${id}:${turn.why}:${turn.readyAt}:${turn.position}:${turn.queueLength ?? ''}:${leaseEpoch}`;
      const input = { type: 'worker.slot.awaited', ...turn } as const;
      if (told) await submit({ runId, input, key, cause: { kind: 'none' }, effectEpoch: epoch });
      if (paced) await concludeOutcome(toUncountedDelay(at));
      else await ledger.finish(claim, toUncountedDelay(at, turn.why), clock.now());
    };
    // A shutdown leaves the effect claimed; the next boot runs it again.
    const endStopped = async (): Promise<void> => {
      // guard: L6-shutdown-ends-nothing
      if (signal.reason !== SHUTDOWN_REASON)
        await ledger.finish(claim, { kind: 'done', result: 'stopped' }, clock.now());
    };
    const key = keyOfEffect(claim);
    try {
      const pause = watch.pauseBefore(key);
      // guard: L9-suspect-effect-last
      if (pause > 0)
        return void (await ledger.finish(claim, toDelayBehindOthers(clock.now() + pause), clock.now()));
      // guard: L9-effect-set-aside
      if (watch.stopsAt(key) >= MAX_STOPS) {
        log.error({ effect: claim.id, run: claim.runId }, 'an effect stopped the process, and is set aside');
        await concludeOutcome(toSetAsideOutcome(claim, clock.now()));
        return watch.forget(key);
      }
      // guard: F5-turn-first
      const waits = (await writers?.comesBack(claim)) ?? null;
      if (waits) return await waitForSlot(claim, waits);
      const renewLease = (): Promise<boolean> => ledger.renew(claim, clock.now() + LEASE_MS);
      const runHandler = (): Promise<HandlerOutcome> =>
        watch.within(key, () => callHandler(handlers, claim.do.kind, claim, signal));
      const outcome = await (writers
        ? writers.within({ claim, live: renewLease, signal }, runHandler)
        : runHandler());
      const sent = claim.do.kind === 'chat_message' && outcome.kind === 'done';
      if (signal.aborted && !sent) await endStopped();
      else await concludeOutcome(outcome);
    } catch (error) {
      const waits = signal.aborted ? null : slotWaitAfter(claim, error, clock.now());
      if (signal.aborted) await endStopped();
      else if (waits) await waitForSlot(claim, waits);
      else {
        const outcome = decideAfterFailure(claim, error, clock.now(), log);
        // F8: handlers report failing polls themselves, except when they throw.
        const isLastingPollFailure =
          traitsOf(claim.do.kind).fails === 'never' &&
          claim.runId !== null &&
          claim.tries === MIN_REPORTED_POLL_FAILURES;
        if (isLastingPollFailure && outcome.kind === 'later')
          await report(stuckWorkInboxItem(claim, outcome.reason));
        await concludeOutcome(outcome);
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
      const forgetRunning = (): void => void (running.get(claim.n) === one && running.delete(claim.n));
      const one: Try = { claim, stop, done: work.finally(forgetRunning) };
      running.set(claim.n, one);
      return one;
    },
  };
};
