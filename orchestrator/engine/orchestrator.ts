/**
 * Puts submit, dispatch and inbox together over the ports. Production, the demo and the prover all
 * use this one.
 */
import { createDispatch, type EffectDispatcher } from './dispatch.ts';
import type { EffectHandlers } from './effect-handler.ts';
import { createInbox, type Inbox, type InboxHandlers } from './inbox.ts';
import type { EffectKind } from '../core/machine/effect-types.ts';
import type { Run } from '../core/machine/run.ts';
import type { SystemClock, IdSource, IncomingItem, Ledger, LogPort, TimerPort } from '../ports.ts';
import type { WriteScheduler } from './write-limiter.ts';
import { createSubmit, type SubmitInput } from './submit.ts';

export type Orchestrator = {
  submit: SubmitInput;
  dispatch: EffectDispatcher;
  inbox: Inbox;
  handlers: EffectHandlers;
};

export const createOrchestrator = (parts: {
  ledger: Ledger;
  clock: SystemClock;
  ids: IdSource;
  timers: TimerPort;
  heavyCap: number;
  log: LogPort;
  /** Paces what is written on the code host. */
  writers?: WriteScheduler;
  /** Hears of every step after its commit. */
  onWritten?: (run: Run, before: Run | null) => void;
  /** L7: which kinds are done here; all of them where nothing is said. */
  kinds?: (kind: EffectKind) => boolean;
  /** Both need `submit`, which needs nobody. */
  handlers: (submit: SubmitInput) => EffectHandlers;
  sources: (submit: SubmitInput) => InboxHandlers;
}): Orchestrator => {
  const { ledger, clock, ids, timers, heavyCap, log } = parts;
  // Submit tells dispatch of commits, and dispatch submits: the one knot, tied here.
  let dispatch: EffectDispatcher | null = null;
  const submit = createSubmit({
    ledger,
    clock,
    ids,
    onWritten: (run, before) => {
      dispatch?.onWritten(run, before);
      parts.onWritten?.(run, before);
    },
  });
  const handlers = parts.handlers(submit);
  const report = (note: IncomingItem): Promise<unknown> => inbox.receive([note]);
  const { writers } = parts;
  dispatch = createDispatch({
    ledger,
    submit,
    clock,
    timers,
    handlers,
    heavyCap,
    report,
    log,
    ...(writers ? { writers } : {}),
    ...(parts.kinds ? { kinds: parts.kinds } : {}),
  });
  const sources = parts.sources(submit);
  const inbox = createInbox({
    ledger,
    clock,
    log,
    timers,
    handlers: sources,
    // Answers to refused or reading commands write effects without a step: they too must be looked
    // for.
    handled: () => dispatch?.wake(),
  });
  return { submit, dispatch, inbox, handlers };
};
