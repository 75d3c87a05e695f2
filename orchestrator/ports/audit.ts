/**
 * What replay asks of a ledger (L5): its logs, and which of its rows the log, a MAC or the house
 * contradicts.
 */
import type { ApprovalChange, Effect } from '../core/machine/effect-types.ts';
import type { Run } from '../core/machine/run.ts';
import type { EffectRow, EventRow, ChainHead } from './rows.ts';

/** One row that is not as we left it, or is not there. */
export type LedgerFault = {
  table: string;
  /** Its key, as text. */
  row: string;
  runId: string | null;
  /** What is wrong with it, without its name. */
  says: string;
  /** Its MAC is wrong: we did not write it. */
  forged?: true;
};

/**
 * What is wrong with a ledger as a whole: it was put back to an earlier state, or what would show
 * it is gone.
 */
export type LedgerRollback = 'older' | 'missing';

/** One step of a run as the log makes it again. */
export type RefoldedStep = {
  run: Run;
  effects: readonly Effect[];
  approvals: readonly ApprovalChange[];
  at: number;
};

export type LedgerAudit = {
  /** A run's log with its head; null when it has no state. */
  log(runId: string): Promise<{ head: ChainHead | null; events: EventRow[] }>;
  /** Looks at one run, or at all and at whatever belongs to none. */
  look(only?: string): Promise<AuditSnapshot>;
};
export type AuditSnapshot = {
  /** Every run that anything is stored of. */
  runs: readonly string[];
  /** The state of the ledger that is looked at: looks with the same number see the same rows. */
  moment: number;
  /**
   * Rows of a run that these steps would not have written so, or would have and which are not
   * there; or that ask for what we did not. And the effects that reach outside, as they are stored.
   */
  unlike(
    runId: string,
    steps: readonly RefoldedStep[],
  ): Promise<{ faults: LedgerFault[]; outside: EffectRow[] }>;
  /** Of a look at all: what belongs to no run, and runs of which nothing is left. */
  rest(): Promise<LedgerFault[]>;
  /** Whether the ledger was written to meanwhile: then what was seen does not belong together. */
  moved(): Promise<boolean>;
};
