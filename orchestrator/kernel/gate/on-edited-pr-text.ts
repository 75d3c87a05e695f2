/** Handles a user's edited text for a pull request that waits for a signature (P4). */
import { z } from 'zod';
import { ProposalDecision } from '#model/assessment';
import { Person } from '#model/order';
import { askToSign, addMessage, addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import type { InputOf } from '../run/input-types.ts';
import {
  defineCommand,
  defineResult,
  moveFrom,
  stayIn,
  type HandlerRuling,
} from '../lifecycle/define-input.ts';
import type { ChatNote } from '#model/chat';
import { RecordedAnswer, withNewAnswer } from '#model/requirements';
import { isUnsignable, Proposal } from '#model/seal';
import { mergeEditedText, PullText } from '#model/pull';
import { listHintsWithoutCard, toNoCardRefusal } from '../run/refusals.ts';

/** P4: the card stays until the edited text is judged; a signature signs what it shows. */
const onEditRequested = (
  draft: StepDraft,
  { by, approvalId, pullText, reason }: InputOf<'command.proposal.modify'>,
): HandlerRuling => {
  const { approval } = draft.run.gate;
  if (approval?.kind !== 'open_pr') return { refuse: toNoCardRefusal(draft.run) };
  if (approvalId !== null && approvalId !== approval.id) return { refuse: { kind: 'card_replaced' } };
  if (pullText.title === null && pullText.description === null && pullText.pull === undefined)
    return { refuse: { kind: 'text_missing' } };
  addWork(draft, { kind: 'modify_proposal', approvalId: approval.id, pullText, by: by.name, reason });
  return undefined;
};

/** P4: the edited text is judged and sealed; its new card starts without signatures. */
const onEditAssessed = (draft: StepDraft, input: InputOf<'worker.proposal.modified'>): HandlerRuling => {
  const { run } = draft;
  const { decision, proposal } = input;
  if (run.gate.approval?.id !== input.approvalId) {
    if (run.gate.consumedApproval?.id !== input.approvalId) return { ignore: 'card closed' };
    // The user was promised a new card, or the reason why there is none.
    return refuseEditedText(draft, { kind: 'edited_text_late', by: run.gate.consumedApproval.by });
  }
  if (decision.kind === 'rejected')
    return refuseEditedText(draft, { kind: 'edited_text_rejected', why: decision.why });
  if (decision.kind !== 'modified' || proposal?.fields.action !== 'open_pr')
    return refuseEditedText(draft, { kind: 'edited_text_not_assessed' });
  if (run.lifecycle.state !== 'PUSHED' && proposal.fields.pushes !== true)
    return refuseEditedText(draft, { kind: 'edited_text_not_assessed' });
  const { original, reason } = decision;
  const { pullText, answer } = input;
  if (answer) run.target.requirementAnswers = withNewAnswer(run.target.requirementAnswers, answer);
  else
    run.gate.editedPrText = {
      ...mergeEditedText(run.gate.editedPrText, pullText),
      original,
      by: input.by,
      reason,
    };
  run.gate.proposal = proposal;
  if (isUnsignable(proposal, 'open_pr'))
    return void enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'merge_conflicts' });
  run.lifecycle.reason = answer
    ? { kind: 'requirement_answered', by: input.by, what: answer.what }
    : { kind: 'pr_text_edited', by: input.by, note: reason };
  askToSign(draft, 'open_pr');
  return undefined;
};

const refuseEditedText = (draft: StepDraft, note: ChatNote): undefined => {
  addMessage(draft, { view: 'note', note }, { urgent: true });
};

export const EDITED_TEXT_COMMANDS = [
  /** Edited text of a proposal; it is judged again, and only the chat can approve it. */
  defineCommand({
    type: 'command.proposal.modify',
    fields: {
      by: Person,
      approvalId: z.string().nullable(),
      pullText: PullText,
      reason: z.string().max(2_000).min(1),
    },
    moves: stayIn(['LOCAL_VALIDATING', 'PUSHED'], 'other words, to be judged and asked about'),
    instead: listHintsWithoutCard,
    handle: (d, input): HandlerRuling => onEditRequested(d, input),
  }),
];

export const EDITED_TEXT_RESULTS = [
  defineResult({
    type: 'worker.proposal.modified',
    fields: {
      approvalId: z.string(),
      by: z.string(),
      pullText: PullText,
      answer: RecordedAnswer.exactOptional(),
      decision: ProposalDecision,
      proposal: Proposal.nullable(),
    },
    moves: (['LOCAL_VALIDATING', 'PUSHED'] as const).map((state) =>
      moveFrom([state], [state, 'NEEDS_HUMAN_REVIEW'], 'a new card, or why there is none'),
    ),
    handle: (d, input): HandlerRuling => onEditAssessed(d, input),
  }),
];
