/** Turns of the governed loop in the ledger, and how an engine records them (E9). */
import type { RecordedTurn, TurnDraft, TurnFacts, TurnHead } from '#model/turn';

/** L5: `facts` are chained and bear a MAC; `texts` are bound by their digests and may be removed. */
export type TurnRow = {
  runId: string;
  seq: number;
  attempt: number;
  at: number;
  ended: boolean;
  facts: string;
  texts: string;
  hash: string;
  fault: string | null;
};
export type NewTurn = Omit<TurnRow, 'hash' | 'fault'>;

export type TurnRecorder = {
  past: readonly RecordedTurn[];
  next: number;
  write: (seq: number, draft: TurnDraft) => Promise<TurnFacts>;
  head: () => TurnHead | null;
};
