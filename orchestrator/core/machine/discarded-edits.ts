/**
 * E17: edits of an agent that did not stay are told to people now, and to the agent in its next
 * round.
 */
import { addMessage, type StepDraft } from './step-draft.ts';
import type { DiscardedEdits } from '../change-facts.ts';

const MAX_DISCARDED_FILES = 20;

export const discardedFiles = (why: DiscardedEdits['why'], files: readonly string[]): DiscardedEdits => ({
  why,
  files: files.slice(0, MAX_DISCARDED_FILES),
  more: Math.max(0, files.length - MAX_DISCARDED_FILES),
});

/** What nobody asked for and no rule forbade rings. */
const RINGS: readonly DiscardedEdits['why'][] = ['disk', 'missing'];

export const recordDiscardedEdits = (d: StepDraft, undone: DiscardedEdits | null): void => {
  d.run.agent.discardedEdits = undone;
  if (undone)
    addMessage(d, { view: 'discarded_edits', discardedEdits: undone }, { sound: RINGS.includes(undone.why) });
};
