/**
 * Puts submit, dispatch and inbox together over the ports. Production, the demo and the prover all
 * use this one.
 */
import { createDispatch, type Dispatch } from './dispatch.ts';
import type { Handlers } from './handler.ts';
import { createInbox, type Inbox, type InboxHandlers } from './inbox.ts';
import type { EffectKind } from '../core/machine/effects.ts';
import type { Run } from '../core/machine/run.ts';
import type { Clock, Ids, Incoming, Ledger, Log, Timers } from '../ports.ts';
import type { Writers } from './writers.ts';
import { createSubmit, type Submit } from './submit.ts';

export type Orchestrator = { submit: Submit; dispatch: Dispatch; inbox: Inbox; handlers: Handlers };

export const createOrchestrator = (parts: {
  ledger: Ledger;
  clock: Clock;
  ids: Ids;
  timers: Timers;
  heavyCap: number;
  log: Log;
  /** Paces what is written on the code host. */
  writers?: Writers;
  /** Hears of every step after its commit. */
  onWritten?: (run: Run, before: Run | null) => void;
  /** L7: which kinds are done here; all of them where nothing is said. */
  kinds?: (kind: EffectKind) => boolean;
  /** Both need `submit`, which needs nobody. */
  handlers: (submit: Submit) => Handlers;
  sources: (submit: Submit) => InboxHandlers;
}): Orchestrator => {
  const { ledger, clock, ids, timers, heavyCap, log } = parts;
  // Submit tells dispatch of commits, and dispatch submits: the one knot, tied here.
  let dispatch: Dispatch | null = null;
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
  const report = (note: Incoming): Promise<unknown> => inbox.receive([note]);
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
