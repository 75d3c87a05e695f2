/** An admin lets an approved pull request be opened outside its hours (G10). */
import { Person } from '#model/order';
import { defineCommand, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { addMessage, addWork, progressSlot, showGate, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';

const onOpenNow = (d: StepDraft, { by }: InputOf<'command.pr.open_now'>): HandlerRuling => {
  const { run } = d;
  const { consumedApproval: approval } = run.gate;
  const { reason } = run.lifecycle;
  const waits = reason.kind === 'write_slot_wait' && reason.why === 'opening_hours';
  // guard: G10-open-now
  if (!waits || approval?.kind !== 'open_pr' || run.upstream.pullRequest)
    return { refuse: { kind: 'not_held_back', run: run.id } };
  run.gate.consumedApproval = { ...approval, openNow: by.name };
  run.lifecycle.reason = { kind: 'approved', by: approval.by };
  addMessage(d, { view: 'progress' }, { slot: progressSlot(run.id) });
  showGate(d, approval.id, { sound: false });
  addWork(d, { kind: 'expedite_poll' });
  return undefined;
};

export const OPENING_COMMANDS = [
  defineCommand({
    type: 'command.pr.open_now',
    fields: { by: Person },
    moves: stayIn(['LOCAL_VALIDATING', 'PUSHED'], 'an admin opens it outside its hours'),
    handle: (d, input): HandlerRuling => onOpenNow(d, input),
  }),
];
