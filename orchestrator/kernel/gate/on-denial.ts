/** Handles a person's no to a card; its reason becomes input of the next round (P4). */
import { z } from 'zod';
import { CampaignLesson, DENIAL_REASONS } from '#model/feedback';
import { Person } from '#model/order';
import { SETTLED, WATCHING } from '../run/state-groups.ts';
import { closeApproval, type StepDraft } from '../lifecycle/step-draft.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { permitRound } from '../lifecycle/permit-round.ts';
import { defineCommand, moveFrom, type HandlerRuling } from '../lifecycle/define-input.ts';
import { wordsFeedback, type Feedback } from '#model/feedback';
import { rememberCard } from './on-take-back.ts';
import { denyAnswers } from '../reviews/on-replies.ts';
import type { InputOf } from '../run/input-types.ts';
import { listHintsWithoutCard, toNoCardRefusal } from '../run/refusals.ts';
import { innerRound } from '../run/round-table.ts';

const onDenial = (draft: StepDraft, input: InputOf<'command.deny'>): HandlerRuling => {
  const { run } = draft;
  if (run.lifecycle.state !== 'PUSHED' && !run.gate.approval) return { refuse: toNoCardRefusal(run) };
  if (input.approvalId !== null && run.gate.approval?.id !== input.approvalId)
    return { refuse: { kind: 'card_replaced' } };
  if (run.gate.approval?.kind === 'reply') return denyAnswers(draft, input);
  const note = input.reason.trim();
  const by = input.by.name;
  const { denialReason: because } = input;
  const why = because ? { denialReason: because } : {};
  const asks = input.retryNow === true ? { again: true as const } : {};
  const reason = { kind: 'rejected', by, note, ...why, ...asks } as const;
  closeApproval(draft, 'denied', reason);
  // P4: the reason becomes input of the next attempt, except for an unneeded change.
  const refused: Feedback[] =
    because && because !== 'unneeded' ? [{ kind: 'refused', denialReason: because }] : [];
  const told = [...refused, ...wordsFeedback(note, input.lesson)];
  if (told.length > 0) run.agent.round = innerRound(run.agent.round, 'rejection_fix', told);
  if (input.final) {
    const pull = run.upstream.pullRequest?.id ?? null;
    return void enterState(draft, 'FAILED_TERMINAL', {
      kind: 'ended_by_person',
      how: 'denied',
      by,
      note,
      pull,
      ...why,
    });
  }
  const goesOn = told.length > 0 && (run.lifecycle.state !== 'PUSHED' || input.retryNow === true);
  const again = goesOn ? permitRound(run, run.agent.round) : { stop: reason };
  if ('stop' in again) return void enterState(draft, 'NEEDS_HUMAN_REVIEW', reason);
  run.lifecycle.counts = again.counts;
  rememberCard(run);
  return void enterState(draft, run.lifecycle.state === 'ITERATING' ? 'ITERATING' : 'IMPLEMENTING', reason);
};

export const DENIAL_COMMANDS = [
  defineCommand({
    type: 'command.deny',
    fields: {
      by: Person,
      reason: z.string().max(20_000),
      final: z.boolean(),
      approvalId: z.string().nullable(),
      denialReason: z.enum(DENIAL_REASONS).optional(),
      retryNow: z.literal(true).optional(),
      /** F5: what a sibling of the campaign taught; the reason says it. */
      lesson: CampaignLesson.exactOptional(),
    },
    moves: [
      moveFrom(
        ['PUSHED'],
        ['IMPLEMENTING', 'NEEDS_HUMAN_REVIEW', 'FAILED_TERMINAL'],
        'asks for changes; reason; --final',
      ),
      moveFrom(
        ['LOCAL_VALIDATING'],
        ['IMPLEMENTING', 'NEEDS_HUMAN_REVIEW', 'FAILED_TERMINAL'],
        'card of a push, or of both',
      ),
      moveFrom(['ITERATING'], ['ITERATING', 'NEEDS_HUMAN_REVIEW', 'FAILED_TERMINAL'], 'push card'),
      moveFrom(WATCHING, SETTLED, 'the answers stay unsaid; asked for something else, then settled'),
    ],
    instead: listHintsWithoutCard,
    handle: (d, input): HandlerRuling => onDenial(d, input),
  }),
];
