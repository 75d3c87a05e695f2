/** What a ledger asks of its database: scripts as transactions, and reads. */
import type { SqlBuilder, RunQuery, SqlScript } from './statements.ts';

/** A database engine: it builds its dialect's SQL, runs scripts as transactions and reads. */
export type SqlStore = {
  builder: SqlBuilder;
  /** `begun` hears that the transaction begins: what an earlier one had found may have been undone. */
  transact: <T>(script: SqlScript<T>, begun?: () => void) => Promise<T>;
  /** The same for what is only kept to save work: a loss of power may take it, never what came before it. */
  transactRebuildable?: <T>(script: SqlScript<T>, begun?: () => void) => Promise<T>;
  /**
   * The same for what can wait for the others of its turn: they share a commit, and one that fails takes
   * back only itself. Where it is missing, each has a commit of its own.
   */
  transactShared?: <T>(script: SqlScript<T>, begun?: () => void) => Promise<T>;
  read: RunQuery;
  /** False while it can only be read, by what became of the last write. */
  takesWrites?: () => boolean;
  close: () => Promise<void>;
};
