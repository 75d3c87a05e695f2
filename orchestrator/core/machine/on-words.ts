/** Other words for a pull request that waits for its signature (P4). */
import { ask, enter, tell, work, type Draft } from './draft.ts';
import type { InputOf } from './inputs.ts';
import type { Ruling } from './handler.ts';
import type { Note } from '../notes.ts';
import { withAnswer } from '../missing.ts';
import { noCard } from './refusals.ts';
import { unsignable } from '../seal.ts';
import { reworded } from './words.ts';

/**
 * P4: the card stays as it is until the other words are judged; whoever signs it meanwhile signs
 * what it shows.
 */
export const wordsAsked = (
  d: Draft,
  { by, approvalId, words, reason }: InputOf<'command.proposal.modify'>,
): Ruling => {
  const {
    gate: { approval },
  } = d.run;
  if (approval?.kind !== 'open_pr') return { refuse: noCard(d.run) };
  if (approvalId !== null && approvalId !== approval.id) return { refuse: { kind: 'card_replaced' } };
  if (words.title === null && words.description === null) return { refuse: { kind: 'text_missing' } };
  work(d, { kind: 'modify_proposal', approvalId: approval.id, words, by: by.name, reason });
  return undefined;
};

/**
 * P4: judged anew, and sealed; the old card gives way to one that shows the new words, and nobody's
 * signature moves over.
 */
export const wordsJudged = (d: Draft, input: InputOf<'worker.proposal.modified'>): Ruling => {
  const { run } = d;
  const { decision, proposal } = input;
  if (run.gate.approval?.id !== input.approvalId) {
    if (run.gate.consumedApproval?.id !== input.approvalId) return { ignore: 'card closed' };
    // They were promised a new card, or the reason why there is none.
    return unchanged(d, { kind: 'edited_text_late', by: run.gate.consumedApproval.by });
  }
  if (decision.kind === 'rejected') return unchanged(d, { kind: 'edited_text_rejected', why: decision.why });
  if (decision.kind !== 'modified' || proposal?.fields.action !== 'open_pr')
    return unchanged(d, { kind: 'edited_text_unjudged' });
  if (run.lifecycle.state !== 'PUSHED' && proposal.fields.pushes !== true)
    return unchanged(d, { kind: 'edited_text_unjudged' });
  const { original, reason } = decision;
  const { words, answer } = input;
  if (answer) run.target.requirementAnswers = withAnswer(run.target.requirementAnswers, answer);
  else run.gate.editedPrText = { ...reworded(run.gate.editedPrText, words), original, by: input.by, reason };
  run.gate.proposal = proposal;
  if (unsignable(proposal, 'open_pr'))
    return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'merge_conflicts' });
  run.lifecycle.reason = answer
    ? { kind: 'requirement_answered', by: input.by, what: answer.what }
    : { kind: 'pr_text_edited', by: input.by, note: reason };
  ask(d, 'open_pr');
  return undefined;
};

const unchanged = (d: Draft, note: Note): undefined => {
  tell(d, { view: 'note', note }, { urgent: true });
};
