/** Tells whether our branch shows a commit that is not ours, and whether a person was asked (G2). */
import type { Run } from './run.ts';

// guard: S2-foreign-head
export const hasForeignHead = ({
  change: { pushedHead: pushed, ownCommits: ours },
  upstream: {
    observed: { branchHead: head },
  },
}: Run): boolean => head !== null && pushed !== null && !ours.includes(head);

export const isHeadQuestionOpen = ({
  lifecycle: { state, epoch },
  change: { foreignHead: foreign },
  upstream: { observed: seen },
}: Run): boolean =>
  state === 'NEEDS_HUMAN_REVIEW' && foreign?.sha === seen.branchHead && foreign?.epoch === epoch;

/** The head is being read, and nobody was called about it yet. */
export const awaitsForeignCall = ({ change: { beforeForeign }, lifecycle: { epoch } }: Run): boolean =>
  beforeForeign?.epoch === epoch && !beforeForeign.called;
