/** Halts a run at a foreign head of our branch, and asks a user once it was read (G2). */
import { attentionView, attentionSlot, addMessage, addWork, type StepDraft } from './step-draft.ts';
import { enterState } from './enter-state.ts';
import { awaitsForeignCall } from '../run/foreign-commit.ts';
import type { ForeignHead } from '#model/change';

export const stopForForeignHead = (draft: StepDraft, head: ForeignHead | null = null): void => {
  const { run } = draft;
  const to = run.upstream.observed.branchHead ?? '';
  const { state, reason: former, resumeState } = run.lifecycle;
  const reason = { kind: 'foreign_head', from: run.change.pushedHead?.sha ?? '', to } as const;
  const again = state === 'NEEDS_HUMAN_REVIEW' && former.kind === 'foreign_head';
  if (again) run.lifecycle.reason = reason;
  else {
    enterState(draft, 'NEEDS_HUMAN_REVIEW', reason);
    const { epoch } = run.lifecycle;
    run.change.beforeForeign = { epoch, state, reason: former, resumeState, called: false };
  }
  run.change.foreignHead = { sha: to, head, epoch: run.lifecycle.epoch, adoptedBy: null };
  // A head that is asked about does not ring again: the message shows the newest.
  if (again && !awaitsForeignCall(run)) callAboutHead(draft);
  if (!head) addWork(draft, { kind: 'read_head', sha: to, adoptedBy: null });
};

/** Rings once a halt: nobody is called before the head was read, as it may be the base alone. */
export const callAboutHead = (draft: StepDraft): void => {
  const { run } = draft;
  const sound = awaitsForeignCall(run);
  if (run.change.beforeForeign) run.change.beforeForeign = { ...run.change.beforeForeign, called: true };
  addMessage(draft, attentionView(run), { slot: attentionSlot(run), urgent: true, sound });
};

/** The foreign push was taken back: the branch is where we left it. */
export const clearForeignHead = (draft: StepDraft): void => {
  const { run } = draft;
  if (!run.change.foreignHead) return;
  run.change.foreignHead = null;
  if (run.lifecycle.state === 'NEEDS_HUMAN_REVIEW') callAboutHead(draft);
};
