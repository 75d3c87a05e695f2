/** The queries of replay: event logs, and rows that the log or a MAC contradicts (L5). */
import type { ApprovalChange, Effect } from '../../effects/effect-types.ts';
import type { Run } from '../../run/run.ts';
import type { EffectRow, EventRow, ChainHead } from './rows.ts';

/** One row that is missing or differs from what the log says. */
export type LedgerFault = {
  table: string;
  row: string;
  runId: string | null;
  says: string;
  /** The row's MAC is wrong, so it was not written by us. */
  forged?: true;
};

/** The whole ledger was restored to an earlier state, or the evidence of its state is missing. */
export type LedgerRollback = 'older' | 'missing';

export type RefoldedStep = {
  run: Run;
  effects: readonly Effect[];
  approvals: readonly ApprovalChange[];
  at: number;
};

export type LedgerAudit = {
  log(runId: string): Promise<{ head: ChainHead | null; events: EventRow[] }>;
  /** Audits one run, or all runs and every row that belongs to no run. */
  snapshot(only?: string): Promise<AuditSnapshot>;
  /** Compares the rows of one run with its log alone; checkpoints are left out. */
  unlike: AuditSnapshot['unlike'];
  /** Runs, ended ones too, whose log does not end with the event that their signed state names. */
  cutLogs(): Promise<string[]>;
};
export type AuditSnapshot = {
  runs: readonly string[];
  /** Version of the ledger; snapshots with the same number see the same rows. */
  moment: number;
  /** `faults`: rows that differ from these steps. `outside`: stored effects that reach outside. */
  unlike(
    runId: string,
    steps: readonly RefoldedStep[],
  ): Promise<{ faults: LedgerFault[]; outside: EffectRow[] }>;
  /** Faults of rows without a run, and of runs without any row; needs a full audit. */
  rest(): Promise<LedgerFault[]>;
  /** True when the ledger was written to during the audit, which makes its result unusable. */
  moved(): Promise<boolean>;
};
