/** Dispatch: claims due effects, performs each by its handler, and gives what came of it back to the ledger. */
import type { EffectKind } from '../core/machine/effects.ts';
import type { FailureClass } from '../core/failures.ts';
import { consequence } from '../core/failures.ts';
import type { Input, InputOf } from '../core/machine/inputs.ts';
import type { Run } from '../core/machine/run.ts';
import {
  OutsideFailure,
  type Claim,
  type Clock,
  type Finish,
  type Incoming,
  type Ledger,
  type Timers,
} from '../ports.ts';
import { stuckNote } from './reconcile.ts';
import type { Submit } from './submit.ts';
import { createWaits } from './waits.ts';

/** What a handler says: an input for the machine, an end without one, or that it closed the effect itself. */
export type Outcome = { kind: 'result'; input: Input } | { kind: 'settled' } | Finish;
export type Handler = (claim: Claim, signal: AbortSignal) => Promise<Outcome>;
export type Handlers = Record<EffectKind, Handler>;

export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, text: string) => void>;

export type DispatchParts = {
  ledger: Ledger;
  submit: Submit;
  clock: Clock;
  timers: Timers;
  handlers: Handlers;
  /** How many effects of the heavy kinds (agents, checks, workspaces) may run at once. */
  heavyCap: number;
  /** Takes a note for people into the inbox; durable when it resolves. */
  report: (note: Incoming) => Promise<unknown>;
  log: Log;
};

const HEAVY: readonly EffectKind[] = ['discover', 'implement', 'check'];
/**
 * L8: each group has places of its own, so that nobody who hangs keeps another waiting: a code host that never answers holds
 * up looks, and neither a message nor a timer; a hundred looks hold up no opening that a person has signed.
 */
const LIGHT: readonly (readonly EffectKind[])[] = [
  ['tell', 'wake', 'look'],
  ['start', 'push', 'open_pr', 'modify', 'rerun_ci', 'update', 'head', 'clean'],
  ['observe'],
];
/** Work that stops when its run moves on; a push or an opening that has begun is finished and told. */
// guard: G1-opening-not-stopped
const STOPPABLE: readonly EffectKind[] = ['discover', 'implement', 'check', 'observe'];
/** Results that state what the code host holds now. */
const FACTS: readonly Input['type'][] = ['worker.pr.opened', 'worker.push.completed'];
/** Of each of those groups. */
const LIGHT_CAP = 16;
export const LEASE_MS = 60_000;
/** Tries of an effect that fails for outside reasons, before the machine hears of it. */
const OUTSIDE_TRIES = 4;
/** Tries of an effect whose handler throws: a bug of ours. */
const BUG_TRIES = 3;
/** Looks that threw in a row before somebody is told: within a minute. */
const TOLD_TRIES = 5;
const MAX_PAUSE_MS = 300_000;
/** However long the other side asks us to wait: code hosts count by the hour (ms). */
const MOST_ASKED = 3_600_000;
const SHUTDOWN = 'shutdown';

/** Pause before try `n + 1`, in ms: 1 s, 2 s, 4 s … at most 5 minutes. */
const pause = (tries: number): number => Math.min(MAX_PAUSE_MS, 1_000 * 2 ** Math.max(0, tries - 1));

/** Performs one claimed effect to its end. Never throws. */
export const createPerform = (
  parts: Pick<DispatchParts, 'ledger' | 'submit' | 'clock' | 'handlers' | 'report' | 'log'>,
) => {
  const { ledger, submit, clock, handlers, report, log } = parts;
  const waits = createWaits(clock);
  return async (claim: Claim, signal: AbortSignal): Promise<void> => {
    const conclude = async (outcome: Outcome): Promise<void> => {
      if (outcome.kind === 'settled') return;
      const long = waits.note(claim, outcome);
      if (long) await report(long);
      if (outcome.kind !== 'result') {
        // S6: a reaction that is given up is told first; the note's key keeps it one.
        // guard: S6-told-before-giving-up
        if (givenUp(claim, outcome)) await report(stuckNote(claim, outcome.reason));
        if (outcome.kind === 'dead' && claim.do.kind === 'tell')
          log.warn({ effect: claim.id, reason: outcome.reason }, 'a message could not be delivered');
        return void (await ledger.finish(claim, outcome, clock.now()));
      }
      const { runId, id, leaseEpoch, n, epoch } = claim;
      if (runId === null) throw new Error(`effect ${id} gave a result without a run`);
      const offer = { runId, input: outcome.input, key: `effect:${id}:${leaseEpoch}`, effectEpoch: epoch };
      const said = await submit({ ...offer, cause: { kind: 'effect', n, leaseEpoch } });
      // What is public now is a fact, even when the lease was lost meanwhile (a machine that slept, a clock that jumped).
      // guard: L4-late-fact
      if (said.kind === 'fenced' && FACTS.includes(outcome.input.type))
        await submit({ ...offer, cause: { kind: 'none' } });
    };
    // At a shutdown the effect stays claimed: the next boot frees it and does it again.
    const giveUp = async (): Promise<void> => {
      // guard: L6-shutdown-ends-nothing
      if (signal.reason !== SHUTDOWN)
        await ledger.finish(claim, { kind: 'done', result: 'stopped' }, clock.now());
    };
    try {
      const outcome = await handlers[claim.do.kind](claim, signal);
      // A message that went out did so, whatever is being stopped: it is not sent again.
      const sent = claim.do.kind === 'tell' && outcome.kind === 'done';
      if (signal.aborted && !sent) await giveUp();
      else await conclude(outcome);
    } catch (error) {
      if (signal.aborted) await giveUp();
      else {
        const outcome = afterFailure(claim, error, clock.now(), log);
        // F8: what a look is answered its handler tells; what it does not take itself is told here.
        const blind = claim.do.kind === 'observe' && claim.runId !== null && claim.tries === TOLD_TRIES;
        if (blind && outcome.kind === 'later') await report(stuckNote(claim, outcome.reason));
        await conclude(outcome);
      }
    }
  };
};

type Try = { claim: Claim; stop: AbortController; done: Promise<void> };
/**
 * L4: one try of an effect at a time. A lease that ran out while the machine slept, or its clock jumped, is claimed anew by
 * the same process: what it had begun is stopped, and has ended, before it is done again.
 */
export const createTries = (perform: ReturnType<typeof createPerform>) => {
  const running = new Map<number, Try>();
  return {
    running,
    begin: (claim: Claim): Try => {
      const stop = new AbortController();
      // guard: L4-one-try
      const before = running.get(claim.n);
      if (before && STOPPABLE.includes(claim.do.kind)) before.stop.abort();
      const work = before ? before.done.then(() => perform(claim, stop.signal)) : perform(claim, stop.signal);
      const last = (): void => void (running.get(claim.n) === one && running.delete(claim.n));
      const one: Try = { claim, stop, done: work.finally(last) };
      running.set(claim.n, one);
      return one;
    },
  };
};

const afterFailure = (claim: Claim, error: unknown, now: number, log: Log): Outcome => {
  const outside = error instanceof OutsideFailure;
  const patient = isPatient(claim);
  const message = error instanceof Error ? error.message : String(error);
  const later = (at: number, counts: boolean): Outcome => ({ kind: 'later', at, reason: message, counts });
  if (outside && consequence(error.class) === 'retry') {
    const ours = now + pause(claim.tries);
    const asked = Math.min(error.retryAt ?? 0, now + MOST_ASKED);
    // To be asked to come back at once, again and again, uses up tries like any failure.
    // guard: F5-host-patience
    if (asked > ours) return later(asked, false);
    // guard: S6-outside-tries
    if (claim.tries < OUTSIDE_TRIES || patient) return later(ours, true);
  }
  if (!outside) log.error({ err: error, effect: claim.id, kind: claim.do.kind }, 'an effect handler threw');
  // F8: a run that waits for the code host must never stop looking at it.
  if ((!outside && claim.tries < BUG_TRIES) || claim.do.kind === 'observe')
    return later(now + pause(claim.tries), true);
  if (!isWork(claim.do.kind)) return { kind: 'dead', reason: message };
  return stepFailed(claim.do.kind, outside ? error.class : 'crashed', message);
};

/** What is tried until it works: nobody could do more about it than wait. */
const isPatient = ({ do: work }: Claim): boolean =>
  work.kind === 'tell' || (work.kind === 'head' && work.takenBy === null);

/** Whether nobody would hear of it otherwise: a timer or a clean-up that fails for reasons of ours. Looks are never given up. */
const givenUp = (claim: Claim, outcome: Finish): outcome is Exclude<Finish, { kind: 'done' }> =>
  claim.runId !== null && outcome.kind === 'dead' && claim.do.kind !== 'tell';

/** Kinds whose failure the machine must hear of: the run waits for their result. */
const isWork = (kind: EffectKind): boolean =>
  kind !== 'tell' && kind !== 'wake' && kind !== 'observe' && kind !== 'look' && kind !== 'clean';

export const stepFailed = (
  step: string,
  failure: FailureClass,
  message: string,
  more: Partial<
    Pick<
      InputOf<'worker.step.failed'>,
      'retryAt' | 'proposal' | 'spent' | 'assessment' | 'moved' | 'leftOut' | 'undone'
    >
  > = {},
): { kind: 'result'; input: Input } => ({
  kind: 'result',
  input: {
    type: 'worker.step.failed',
    step,
    class: failure,
    message: message.slice(0, 1_000),
    retryAt: null,
    spent: null,
    proposal: null,
    assessment: null,
    ...more,
  },
});

export type Dispatch = {
  /** Looks for due effects now. Cheap; call it after every commit. */
  wake(): void;
  /** Stops what works for an epoch that is over. */
  onWritten(run: Run, before: Run | null): void;
  /** Stops claiming, stops processes, waits for them. What was going on is done again after the next start. */
  stop(): Promise<void>;
};

export const createDispatch = (parts: DispatchParts): Dispatch => {
  const { ledger, clock, timers, heavyCap, log } = parts;
  const perform = createPerform(parts);
  const { running, begin: tryOnce } = createTries(async (claim, signal) => {
    try {
      await perform(claim, signal);
    } catch (error) {
      log.error({ err: error, effect: claim.id }, 'the ledger did not take an outcome');
    }
  });
  let stopped = false;
  let pumping = false;
  let again = false;
  let alarm: { cancel(): void } | null = null;

  const count = (kinds: readonly EffectKind[]): number =>
    [...running.values()].filter((r) => kinds.includes(r.claim.do.kind)).length;

  const begin = (claim: Claim): void => {
    const { stop, done } = tryOnce(claim);
    const lease = keepLease(claim, stop);
    void done.finally(() => {
      lease.cancel();
      wake();
    });
  };

  const keepLease = (claim: Claim, stop: AbortController): { cancel(): void } => {
    let timer = { cancel: () => {} };
    const renew = async (): Promise<void> => {
      const ours = await ledger.renew(claim, clock.now() + LEASE_MS);
      // guard: L4-lease-renewed-again
      if (!ours && STOPPABLE.includes(claim.do.kind)) stop.abort();
      else schedule();
    };
    const schedule = (): void => {
      timer = timers.after(LEASE_MS / 3, () => {
        renew().catch((error: unknown) =>
          log.error({ err: error, effect: claim.id }, 'a lease could not be renewed'),
        );
      });
    };
    // guard: L4-lease-renewed
    schedule();
    return { cancel: () => timer.cancel() };
  };

  const pump = async (): Promise<void> => {
    for (const kinds of [...LIGHT, HEAVY]) {
      const cap = kinds === HEAVY ? heavyCap : LIGHT_CAP;
      // guard: E6-cap
      const limit = cap - count(kinds);
      if (limit <= 0 || stopped) continue;
      const claims = await ledger.claim({ now: clock.now(), leaseMs: LEASE_MS, limit, kinds });
      for (const claim of claims) begin(claim);
    }
    const due = await ledger.nextDue();
    alarm?.cancel();
    alarm = null;
    if (due === null || stopped) return;
    // What is due but was not claimed waits for a place; whoever frees it wakes us.
    const wait = due - clock.now();
    if (wait > 0) alarm = timers.after(Math.min(wait, MAX_PAUSE_MS), wake);
    else if (running.size === 0) alarm = timers.after(50, wake);
  };

  const wake = (): void => {
    if (stopped) return;
    if (pumping) {
      again = true;
      return;
    }
    pumping = true;
    pump()
      .catch((error: unknown) => {
        log.error({ err: error }, 'effects could not be claimed');
        alarm = timers.after(1_000, wake);
      })
      .finally(() => {
        pumping = false;
        if (again) {
          again = false;
          wake();
        }
      });
  };

  return {
    wake,
    onWritten(run) {
      for (const { claim, stop } of running.values()) {
        const over = claim.runId === run.id && claim.epoch !== null && claim.epoch !== run.epoch;
        // guard: S2-left-state-stops
        if (over && STOPPABLE.includes(claim.do.kind)) stop.abort();
      }
      wake();
    },
    async stop() {
      stopped = true;
      alarm?.cancel();
      for (const { stop } of running.values()) stop.abort(SHUTDOWN);
      // guard: L6-shutdown-waits
      await Promise.allSettled([...running.values()].map((r) => r.done));
    },
  };
};
