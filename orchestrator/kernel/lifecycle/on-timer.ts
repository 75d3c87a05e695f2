/** Handles timers: a step takes too long, a retry or a reminder is due, a card expires. */
import { z } from 'zod';
import { workerIn, WORKING_STATES } from '#model/run';
import { toFailedReason } from '../run/reasons.ts';
import { isSpendingState } from '../run/run.ts';
import { CHECKING, WATCHING } from '../run/state-groups.ts';
import { defineFact, moveFrom, stayIn, type HandlerRuling } from './define-input.ts';
import { addReminder, enterState, addTimeLimit } from './enter-state.ts';
import { retryLater } from './on-failure.ts';
import { stopForBudget } from './permit-round.ts';
import { findExhaustedBudget } from './run-budget.ts';
import { mayEnter } from './state-preconditions.ts';
import {
  addMessage,
  addOfferedInput,
  askToSign,
  attentionView,
  closeApproval,
  reminderSlot,
  showGate,
} from './step-draft.ts';

/** The run's epoch when the timer was set; a timer of an earlier epoch is void. */
const EPOCH = { epoch: z.number() };

export const TIMER_FACTS = [
  /** `limit` is a raised time budget; absent for the order's. `waits`: the work was put off. */
  defineFact({
    type: 'timer.timeout',
    fields: { ...EPOCH, limit: z.number().exactOptional(), waits: z.literal(true).exactOptional() },
    moves: [
      moveFrom(WORKING_STATES, ['FAILED_RETRYABLE', 'NEEDS_HUMAN_REVIEW'], 'past the bound a person'),
      ...stayIn(WORKING_STATES, 'waits for its turn to write, or for the code host'),
    ],
    handle: (d, { limit, waits }): HandlerRuling => {
      const { run } = d;
      if (limit !== run.lifecycle.raisedLimits.runMs) return { ignore: 'stale limit' };
      // A step's time excludes a user's thinking time; approved effects have their own limits.
      if (run.gate.approval || run.gate.consumedApproval?.epoch === run.lifecycle.epoch)
        return { ignore: 'a person is waited for' };
      // Waiting for a write slot (up to a day) or for the code host does not count either.
      // guard: F5-turn-no-time
      if (run.lifecycle.reason.kind === 'write_slot_wait' || waits) return void addTimeLimit(d);
      const spent = isSpendingState(run.lifecycle.state)
        ? findExhaustedBudget(run, workerIn(run.lifecycle.state))
        : null;
      if (spent) return void stopForBudget(d, spent);
      return retryLater(d, toFailedReason({ class: 'timed_out', message: '' }), null);
    },
  }),
  defineFact({
    type: 'timer.reminder',
    fields: EPOCH,
    moves: stayIn(['PLAN_READY', ...WATCHING, 'PAUSED', 'NEEDS_HUMAN_REVIEW'], 'asks again'),
    handle: (d): HandlerRuling => {
      const { run } = d;
      run.lifecycle.counts = { ...run.lifecycle.counts, reminders: run.lifecycle.counts.reminders + 1 };
      // A reminder is not urgent: first questions go first.
      addMessage(d, attentionView(run), {
        slot: reminderSlot(run, run.lifecycle.counts.reminders),
        sound: true,
      });
      addReminder(d);
      return undefined;
    },
  }),
  defineFact({
    type: 'timer.retry',
    fields: EPOCH,
    moves: [
      moveFrom(['FAILED_RETRYABLE'], ['QUEUED', ...WORKING_STATES, 'NEEDS_HUMAN_REVIEW'], 'where it was'),
    ],
    handle: (d): HandlerRuling => {
      const { run } = d;
      const { resumeState: back } = run.lifecycle;
      if (back && mayEnter(run, back)) return void enterState(d, back, { kind: 'retrying' });
      return void enterState(d, 'NEEDS_HUMAN_REVIEW', {
        kind: 'cannot_continue',
        at: back ?? run.lifecycle.state,
      });
    },
  }),
  defineFact({
    type: 'timer.approval.expired',
    fields: { approvalId: z.string() },
    moves: stayIn([...CHECKING, 'PUSHED', ...WATCHING], 'the card closes, a new one asks'),
    handle: (d, { approvalId }): HandlerRuling => {
      const { approval } = d.run.gate;
      if (approval?.id !== approvalId) return { ignore: 'card closed' };
      const left = approval.expiresAt - d.stamp.at;
      // guard: G3-frozen-expiry
      if (left > 0) return void addOfferedInput(d, { type: 'timer.approval.expired', approvalId }, left);
      closeApproval(d, 'expired', { kind: 'decision_expired' });
      askToSign(d, approval.kind);
      return undefined;
    },
  }),
  defineFact({
    type: 'timer.approval.frozen',
    fields: { approvalId: z.string(), from: z.number(), until: z.number() },
    moves: stayIn([...CHECKING, 'PUSHED', ...WATCHING], 'the card has so much more time'),
    handle: (d, { approvalId, from, until }): HandlerRuling => {
      const { order } = d.run;
      const { approval } = d.run.gate;
      if (approval?.id !== approvalId) return { ignore: 'card closed' };
      // Time that was added already, or that precedes the card, is not added again.
      const since = Math.max(from, approval.frozenUntil ?? approval.expiresAt - order.bounds.approvalMs);
      // guard: G3-frozen-once
      if (until <= since) return { ignore: 'known already' };
      const expiresAt = approval.expiresAt + until - since;
      d.run.gate.approval = { ...approval, expiresAt, frozenUntil: until };
      d.approvals.push({ op: 'extend', id: approvalId, expiresAt });
      showGate(d, approvalId, { sound: false });
      return undefined;
    },
  }),
];
