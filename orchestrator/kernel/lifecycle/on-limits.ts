/** Handles what holds back a working run: a spent budget, the queue, its turn to write. */
import { z } from 'zod';
import { AgentSession, ModelUsage } from '#model/reports';
import { RUN_STATES } from '#model/run';
import { AGENTS, CHECKING, SPENDING, WATCHING } from '../run/state-groups.ts';
import { OUTPUT_BYTES } from './result-fields.ts';
import { findExhaustedBudget } from './run-budget.ts';
import { BUDGET_WORKERS, isOpeningDelay, WriteSlotWait, type BudgetKind } from '#model/limits';
import { canonicalJson } from '#model/seal';
import { progressSlot, addMessage, showGate, type StepDraft } from './step-draft.ts';
import { stopForBudget } from './permit-round.ts';
import { countSpending } from './count-spending.ts';
import { defineResult, moveFrom, stayIn, type HandlerRuling } from './define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import type { Reason } from '../run/reasons.ts';
import { isSpendingState } from '../run/run.ts';

/** E6: usage always counts. An exceeded budget leaves the state, which stops its processes. */
const onUsageReported = (
  draft: StepDraft,
  input: InputOf<'worker.usage.reported'>,
  { current }: { current: boolean },
): HandlerRuling => {
  const { run, stamp } = draft;
  const goesOn =
    current || (run.lifecycle.state === 'PAUSED' && stamp.effectEpoch === run.lifecycle.pausedEpoch);
  // Only the newest count of an abandoned session matters.
  const session = goesOn || input.session?.id === run.agent.session?.id ? input.session : null;
  const before = run.lifecycle.warnedBudgets;
  // guard: E18-bound-told
  if (input.atMost) run.lifecycle.usageIsBound = true;
  countSpending(draft, { ...input, session });
  // An agent that reports usage has begun, so the wait is over.
  if (
    current &&
    run.lifecycle.reason.kind === 'write_slot_wait' &&
    run.lifecycle.reason.action === 'implement'
  )
    keepWaiting(draft, { kind: 'retrying' });
  // guard: C9-long-checks-shown
  if (current && input.by === 'check')
    addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
  const budget = findExhaustedBudget(run, input.by);
  const at =
    run.lifecycle.state === 'FAILED_RETRYABLE'
      ? run.lifecycle.resumeState
      : current
        ? run.lifecycle.state
        : null;
  // guard: E6-card-outlives-budget
  const stoppable = at !== null && isSpendingState(at) && !run.gate.approval;
  if (!budget || !stoppable) return undefined;
  if (!before?.includes(budget)) dropWarning(draft, budget);
  return void stopForBudget(draft, budget);
};

const dropWarning = (draft: StepDraft, budget: BudgetKind): void => {
  const others = draft.effects.filter(
    (e) => e.do.kind !== 'chat_message' || e.do.content.view !== 'budget' || e.do.content.budget !== budget,
  );
  draft.effects.splice(0, draft.effects.length, ...others);
};

const keepWaiting = (draft: StepDraft, reason: Reason): HandlerRuling => {
  const { run } = draft;
  if (canonicalJson(run.lifecycle.reason) === canonicalJson(reason)) return { ignore: 'waits as before' };
  run.lifecycle.reason = reason;
  addMessage(draft, { view: 'progress' }, { slot: progressSlot(run.id) });
  const { consumedApproval: approval } = run.gate;
  if (approval && reason.kind === 'write_slot_wait' && isOpeningDelay(reason))
    showGate(draft, approval.id, { sound: false });
  return undefined;
};

export const LIMIT_RESULTS = [
  defineResult({
    type: 'worker.usage.reported',
    fields: {
      by: z.enum(BUDGET_WORKERS),
      /** E18: nobody told what a killed process used, so its requests count at their most. */
      atMost: z.literal(true).exactOptional(),
      session: AgentSession.nullable(),
      usage: ModelUsage,
      ms: z.number(),
      outputBytes: OUTPUT_BYTES,
    },
    moves: [
      ...stayIn(RUN_STATES, 'counted'),
      moveFrom(['DISCOVERY', ...SPENDING, 'FAILED_RETRYABLE'], ['NEEDS_HUMAN_REVIEW'], 'a budget is used up'),
    ],
    late: (d, input): HandlerRuling => onUsageReported(d, input, { current: false }),
    handle: (d, input): HandlerRuling => onUsageReported(d, input, { current: true }),
  }),
  defineResult({
    type: 'worker.start.queued',
    fields: {
      waitsFor: z.enum(['slot', 'day']),
      used: z.number(),
      of: z.number(),
      /** Time when a slot is free at the latest (epoch ms); null when that depends on other runs. */
      at: z.number().nullable(),
    },
    moves: stayIn(['QUEUED'], 'waits for a slot, and says for what'),
    /** E6: tells once per reason what a queued run waits for. */
    handle: (d, { waitsFor, used, of, at }): HandlerRuling =>
      keepWaiting(d, { kind: 'slot_wait', waitsFor, used, of, at }),
  }),
  /** F5: a write to the code host waits for its turn. */
  defineResult({
    type: 'worker.slot.awaited',
    fields: WriteSlotWait.shape,
    moves: [
      ...stayIn([...CHECKING, 'PUSHED', ...WATCHING], 'waits for its turn to write'),
      ...stayIn(['DISCOVERY', ...AGENTS], 'waits for the provider of its model'),
    ],
    late: 'ignored',
    handle: (d, { type: _, ...turn }): HandlerRuling => keepWaiting(d, { kind: 'write_slot_wait', ...turn }),
  }),
];
