/** Tells people of an agent's lost edits now, and the agent in its next round (E17). */
import { addMessage, type StepDraft } from '../lifecycle/step-draft.ts';
import type { DiscardedEdits } from '#model/change';

const MAX_DISCARDED_FILES = 20;

export const toDiscardedEdits = (why: DiscardedEdits['why'], files: readonly string[]): DiscardedEdits => ({
  why,
  files: files.slice(0, MAX_DISCARDED_FILES),
  more: Math.max(0, files.length - MAX_DISCARDED_FILES),
});

/** Lost edits ring the phone unless a rule forbade them. */
const RINGS: readonly DiscardedEdits['why'][] = ['disk', 'missing'];

export const recordDiscardedEdits = (draft: StepDraft, undone: DiscardedEdits | null): void => {
  draft.run.agent.discardedEdits = undone;
  if (undone)
    addMessage(
      draft,
      { view: 'discarded_edits', discardedEdits: undone },
      { sound: RINGS.includes(undone.why) },
    );
};
