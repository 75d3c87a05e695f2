/** What replay asks of a ledger (L5): its logs, and what of its rows neither the log nor a mark accounts for. */
import type { ApprovalChange, Effect } from '../core/machine/effects.ts';
import type { Run } from '../core/machine/run.ts';
import type { Head } from './ledger.ts';
import type { EffectRow, EventRow } from './rows.ts';

/** One row that is not as we left it, or is not there. */
export type Fault = {
  table: string;
  /** Its key, as text. */
  row: string;
  runId: string | null;
  /** What is wrong with it, without its name. */
  says: string;
  /** Its mark is wrong: we did not write it. */
  forged?: true;
};

/** What is wrong with a ledger as a whole: it was put back to an earlier state, or what would show it is gone. */
export type Rollback = 'older' | 'missing';

/** One step of a run as the log makes it again. */
export type Retold = {
  run: Run;
  effects: readonly Effect[];
  approvals: readonly ApprovalChange[];
  at: number;
};

export type Audit = {
  /** A run's log with its head; null when it has no state. */
  log(runId: string): Promise<{ head: Head | null; events: EventRow[] }>;
  /** Looks at one run, or at all and at whatever belongs to none. Ask for each run's rows before the rest. */
  look(only?: string): Promise<Look>;
};
/** What the rows of each table come to that a look has seen: their number, the sum of their shares, the highest key. */
export type Seen = ReadonlyMap<string, { count: number; sum: bigint; most: number }>;
export type Look = {
  /** Every run that anything is stored of. */
  runs: readonly string[];
  /** The state of the ledger that is looked at: looks with the same number see the same rows. */
  moment: number;
  /**
   * Rows of a run that these steps would not have written so, or would have and which are not there; or without a right
   * mark. And the effects that reach outside, as they are stored.
   */
  unlike(runId: string, steps: readonly Retold[]): Promise<{ faults: Fault[]; outside: EffectRow[] }>;
  /** May be handed to another thread. */
  seen(): Seen;
  /** All other rows without a right mark; of a look at all: books that do not add up with what others have seen, too. */
  rest(others: readonly Seen[]): Promise<Fault[]>;
  /** Whether the ledger was written to meanwhile: then what was seen does not belong together. */
  moved(): Promise<boolean>;
};
