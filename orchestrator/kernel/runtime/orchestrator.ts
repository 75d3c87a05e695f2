/** Wires submit, dispatch and inbox together; used by production, demo and prover. */
import { createDispatch, type EffectDispatcher } from './dispatch.ts';
import type { EffectHandlers } from './effect-handler.ts';
import { createInbox, type Inbox, type InboxHandlers } from './inbox.ts';
import type { EffectKind } from '../effects/effect-types.ts';
import type { Run } from '../run/run.ts';
import type { SystemClock, IdSource, LogPort, TimerPort } from '#ports/processes';
import type { IncomingItem, HandlingWatch } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { WriteScheduler } from '#ports/forge';
import type { CheckOwnKeys } from '#ports/records';
import { createSubmitInput, type SubmitInput } from './submit-input.ts';

type Orchestrator = {
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
  writers?: WriteScheduler;
  watch?: HandlingWatch;
  onWritten?: (run: Run, before: Run | null) => void;
  checkOwnKeys?: CheckOwnKeys;
  kinds?: (kind: EffectKind) => boolean;
  handlers: (submit: SubmitInput) => EffectHandlers;
  sources: (submit: SubmitInput) => InboxHandlers;
}): Orchestrator => {
  const { ledger, clock, ids, timers, heavyCap, log } = parts;
  // Submit and dispatch depend on each other; this breaks the cycle.
  let dispatch: EffectDispatcher | null = null;
  const submit = createSubmitInput({
    ledger,
    clock,
    ids,
    ...(parts.checkOwnKeys ? { checkOwnKeys: parts.checkOwnKeys } : {}),
    onWritten: (run, before) => {
      dispatch?.onWritten(run, before);
      parts.onWritten?.(run, before);
    },
  });
  const handlers = parts.handlers(submit);
  const report = (note: IncomingItem): Promise<unknown> => inbox.receive([note]);
  const { writers } = parts;
  const watched = parts.watch ? { watch: parts.watch } : {};
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
    ...watched,
    ...(parts.kinds ? { kinds: parts.kinds } : {}),
  });
  const sources = parts.sources(submit);
  const inbox = createInbox({
    ledger,
    clock,
    log,
    timers,
    handlers: sources,
    handled: () => dispatch?.wake(),
    ...watched,
  });
  return { submit, dispatch, inbox, handlers };
};
