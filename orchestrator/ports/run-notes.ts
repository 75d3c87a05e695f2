/**
 * Files of a run in which the agent tells us more than its report: in its home, where it may write
 * in every round.
 */

/** The plan; what it read in the repository, a line each. */
export const NOTE_FILES = ['PLAN.md', 'CONTRACT.jsonl'] as const;
export type NoteFile = (typeof NOTE_FILES)[number];

export type RunNotes = {
  /**
   * Puts the text there as a plain file, whatever an agent left at its place. Only while no process
   * of the run lives.
   */
  write(runId: string, note: NoteFile, text: string): Promise<void>;
  /** Null when it is missing, no plain file, not UTF-8 or far too large. */
  read(runId: string, note: NoteFile): Promise<string | null>;
};
