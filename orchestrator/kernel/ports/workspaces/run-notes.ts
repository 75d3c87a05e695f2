/** Files that an agent writes for us besides its report, in its writable home. */

/** The plan, and its findings in the repository, one per line. */
const NOTE_FILES = ['PLAN.md', 'CONTRACT.jsonl'] as const;
export type NoteFile = (typeof NOTE_FILES)[number];

export type RunNotes = {
  /** Replaces anything at its place with a plain file. Only while no process of the run lives. */
  write(runId: string, note: NoteFile, text: string): Promise<void>;
  /** Null when it is missing, no plain file, not UTF-8 or too large. */
  read(runId: string, note: NoteFile): Promise<string | null>;
};
