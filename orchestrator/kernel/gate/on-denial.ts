/** P4: handles a person's no to a card; its reason becomes input of the next round. */
import { closeApproval, type StepDraft } from '../lifecycle/step-draft.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { nextRound } from '../lifecycle/round-allowance.ts';
import type { HandlerRuling } from '../lifecycle/input-handler.ts';
import { wordsFeedback, type Feedback } from '#model/feedback';
import { denyAnswers } from '../reviews/on-review-threads.ts';
import type { InputOf } from '../inputs/inputs.ts';
import { noCard } from '../run/refusals.ts';
import { innerRound } from '../run/round-table.ts';

export const onDenial = (d: StepDraft, input: InputOf<'command.deny'>): HandlerRuling => {
  const { run } = d;
  if (run.lifecycle.state !== 'PUSHED' && !run.gate.approval) return { refuse: noCard(run) };
  if (input.approvalId !== null && run.gate.approval?.id !== input.approvalId)
    return { refuse: { kind: 'card_replaced' } };
  if (run.gate.approval?.kind === 'reply') return denyAnswers(d, input);
  const note = input.reason.trim();
  const by = input.by.name;
  const { denialReason: because } = input;
  const why = because ? { denialReason: because } : {};
  const asks = input.retryNow === true ? { again: true as const } : {};
  const reason = { kind: 'rejected', by, note, ...why, ...asks } as const;
  closeApproval(d, 'denied', reason);
  // P4: the reason becomes input of the next attempt, except for an unneeded change.
  const refused: Feedback[] =
    because && because !== 'unneeded' ? [{ kind: 'refused', denialReason: because }] : [];
  const told = [...refused, ...wordsFeedback(note, input.lesson)];
  if (told.length > 0) run.agent.round = innerRound(run.agent.round, 'rejection_fix', told);
  if (input.final) {
    const pull = run.upstream.pullRequest?.id ?? null;
    return void enterState(d, 'FAILED_TERMINAL', {
      kind: 'ended_by_person',
      how: 'denied',
      by,
      note,
      pull,
      ...why,
    });
  }
  const goesOn = told.length > 0 && (run.lifecycle.state !== 'PUSHED' || input.retryNow === true);
  const again = goesOn ? nextRound(run, run.agent.round) : { stop: reason };
  if ('stop' in again) return void enterState(d, 'NEEDS_HUMAN_REVIEW', reason);
  run.lifecycle.counts = again.counts;
  return void enterState(d, run.lifecycle.state === 'ITERATING' ? 'ITERATING' : 'IMPLEMENTING', reason);
};
