/** G2: a head of our branch that is not ours: a person is asked, and shown what it is. */
import { attentionOf, attentionSlot, enterState, addMessage, addWork, type StepDraft } from './step-draft.ts';
import type { ForeignHead } from '../change-facts.ts';
import type { Run } from './run.ts';

// guard: S2-foreign-head
export const isForeign = ({
  change: { pushedHead: pushed, ownCommits: ours },
  upstream: {
    observed: { branchHead: head },
  },
}: Run): boolean => head !== null && pushed !== null && !ours.includes(head);

/**
 * Asks a person about the head that was seen last, once for each; `head` when it was read already.
 */
export const foundForeign = (d: StepDraft, head: ForeignHead | null = null): void => {
  const { run } = d;
  const to = run.upstream.observed.branchHead ?? '';
  const reason = { kind: 'foreign_head', from: run.change.pushedHead?.sha ?? '', to } as const;
  // Whoever is asked already is not rung for each of their commits, nor when an older fact came
  // between: the same message shows the newest.
  const again = run.lifecycle.state === 'NEEDS_HUMAN_REVIEW' && run.lifecycle.reason.kind === 'foreign_head';
  if (again) run.lifecycle.reason = reason;
  else enterState(d, 'NEEDS_HUMAN_REVIEW', reason);
  run.change.foreignHead = { sha: to, head, epoch: run.lifecycle.epoch, adoptedBy: null };
  if (again) addMessage(d, attentionOf(run), { slot: attentionSlot(run), urgent: true });
  if (!head) addWork(d, { kind: 'read_head', sha: to, adoptedBy: null });
};

/** Whether it is asked about already. */
export const isAskedAbout = ({
  lifecycle: { state, epoch },
  change: { foreignHead: foreign },
  upstream: { observed: seen },
}: Run): boolean =>
  state === 'NEEDS_HUMAN_REVIEW' && foreign?.sha === seen.branchHead && foreign?.epoch === epoch;

/** Somebody took their push back: the branch is where we left it. */
export const notForeignAnyMore = (d: StepDraft): void => {
  const { run } = d;
  if (!run.change.foreignHead) return;
  run.change.foreignHead = null;
  if (run.lifecycle.state === 'NEEDS_HUMAN_REVIEW')
    addMessage(d, attentionOf(run), { slot: attentionSlot(run), urgent: true });
};
