/** G2: shows a user a foreign head of our branch and asks what to do about it. */
import { attentionOf, attentionSlot, addMessage, addWork, type StepDraft } from './step-draft.ts';
import { enterState } from './enter-state.ts';
import type { ForeignHead } from '../../model/change-records.ts';

export const foundForeign = (d: StepDraft, head: ForeignHead | null = null): void => {
  const { run } = d;
  const to = run.upstream.observed.branchHead ?? '';
  const reason = { kind: 'foreign_head', from: run.change.pushedHead?.sha ?? '', to } as const;
  // A head that is asked about does not ring again: the message shows the newest.
  const again = run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' && run.lifecycle.reason.kind === 'foreign_head';
  if (again) run.lifecycle.reason = reason;
  else enterState(d, 'NEEDS_HUMAN_REVIEW', reason);
  run.change.foreignHead = { sha: to, head, epoch: run.lifecycle.epoch, adoptedBy: null };
  if (again) addMessage(d, attentionOf(run), { slot: attentionSlot(run), urgent: true });
  if (!head) addWork(d, { kind: 'read_head', sha: to, adoptedBy: null });
};

/** The foreign push was taken back: the branch is where we left it. */
export const notForeignAnyMore = (d: StepDraft): void => {
  const { run } = d;
  if (!run.change.foreignHead) return;
  run.change.foreignHead = null;
  if (run.lifecycle.state === 'NEEDS_HUMAN_REVIEW')
    addMessage(d, attentionOf(run), { slot: attentionSlot(run), urgent: true });
};
