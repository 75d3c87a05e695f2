/** Handles what holds back a working run: a spent budget, the queue, its turn to write. */
import { usedUp } from './run-budget.ts';
import type { BudgetKind } from '#model/limits';
import { canonicalJson } from '#model/seal';
import { progressSlot, addMessage, type StepDraft } from './step-draft.ts';
import { countSpending, stopForBudget } from './round-allowance.ts';
import type { HandlerRuling } from './input-handler.ts';
import type { InputOf } from '../inputs/inputs.ts';
import type { Reason } from '../run/reasons.ts';
import { spendsIn } from '../run/run.ts';

/** E6: usage always counts. An exceeded budget leaves the state, which stops its processes. */
export const recordReportedUsage = (d: StepDraft, input: InputOf<'worker.usage.reported'>): HandlerRuling =>
  used(d, input, true);
export const spentLate = (d: StepDraft, input: InputOf<'worker.usage.reported'>): HandlerRuling =>
  used(d, input, false);

const used = (d: StepDraft, input: InputOf<'worker.usage.reported'>, current: boolean): HandlerRuling => {
  const { run, stamp } = d;
  const goesOn =
    current || (run.lifecycle.state === 'PAUSED' && stamp.effectEpoch === run.lifecycle.pausedEpoch);
  // Only the newest count of an abandoned session matters.
  const session = goesOn || input.session?.id === run.agent.session?.id ? input.session : null;
  const before = run.lifecycle.warnedBudgets;
  // guard: E18-bound-told
  if (input.atMost) run.lifecycle.usageIsBound = true;
  countSpending(d, { ...input, session });
  // An agent that reports usage has begun, so the wait is over.
  if (
    current &&
    run.lifecycle.reason.kind === 'write_slot_wait' &&
    run.lifecycle.reason.action === 'implement'
  )
    waits(d, { kind: 'retrying' });
  // guard: C9-long-checks-shown
  if (current && input.by === 'check') addMessage(d, { view: 'progress' }, { slot: progressSlot(run.id) });
  const budget = usedUp(run, input.by);
  const at =
    run.lifecycle.state === 'FAILED_RETRYABLE'
      ? run.lifecycle.resumeState
      : current
        ? run.lifecycle.state
        : null;
  // guard: E6-card-outlives-budget
  const stoppable = at !== null && spendsIn(at) && !run.gate.approval;
  if (!budget || !stoppable) return undefined;
  // The question for more budget replaces its warning.
  if (!before?.includes(budget)) dropWarning(d, budget);
  return void stopForBudget(d, budget);
};

const dropWarning = (d: StepDraft, budget: BudgetKind): void => {
  const others = d.effects.filter(
    (e) => e.do.kind !== 'chat_message' || e.do.content.view !== 'budget' || e.do.content.budget !== budget,
  );
  d.effects.splice(0, d.effects.length, ...others);
};

/** E6: tells once per reason what a queued run waits for. */
export const recordSlotWait = (
  d: StepDraft,
  { waitsFor, used: taken, of, at }: InputOf<'worker.start.queued'>,
): HandlerRuling => waits(d, { kind: 'slot_wait', waitsFor, used: taken, of, at });

export const awaitsTurn = (
  d: StepDraft,
  { type: _, ...turn }: InputOf<'worker.slot.awaited'>,
): HandlerRuling => waits(d, { kind: 'write_slot_wait', ...turn });

const waits = (d: StepDraft, reason: Reason): HandlerRuling => {
  const { run } = d;
  if (canonicalJson(run.lifecycle.reason) === canonicalJson(reason)) return { ignore: 'waits as before' };
  run.lifecycle.reason = reason;
  addMessage(d, { view: 'progress' }, { slot: progressSlot(run.id) });
  return undefined;
};
