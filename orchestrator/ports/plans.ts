/** PLAN.md of a run: in the agent's home, where it may write; what we accepted last is in the run. */

export type Plans = {
  /** Puts the text there as a plain file, whatever an agent left at its place. Only while no process of the run lives. */
  write(runId: string, text: string): Promise<void>;
  /** Null when it is missing, no plain file, not UTF-8 or far too large. */
  read(runId: string): Promise<string | null>;
};
