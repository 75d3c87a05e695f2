/**
 * E17: edits of an agent that did not stay are told to people now, and to the agent in its next
 * round.
 */
import { tell, type Draft } from './draft.ts';
import type { Undone } from '../facts.ts';

const MOST = 20;

export const undoneFiles = (why: Undone['why'], files: readonly string[]): Undone => ({
  why,
  files: files.slice(0, MOST),
  more: Math.max(0, files.length - MOST),
});

/** What nobody asked for and no rule forbade rings. */
const RINGS: readonly Undone['why'][] = ['disk', 'missing'];

export const undo = (d: Draft, undone: Undone | null): void => {
  d.run.agent.discardedEdits = undone;
  if (undone)
    tell(d, { view: 'discarded_edits', discardedEdits: undone }, { sound: RINGS.includes(undone.why) });
};
