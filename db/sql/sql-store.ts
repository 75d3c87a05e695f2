/** The interface of a database engine: SQL dialect, scripts as transactions, and reads. */
import type { SqlBuilder, RunQuery, SqlScript } from './statements.ts';

export type SqlStore = {
  builder: SqlBuilder;
  /** `begun` is called at the start, as facts of an earlier transaction may be rolled back. */
  transact: <T>(script: SqlScript<T>, begun?: () => void) => Promise<T>;
  /** A power cut may lose this transaction, but none before it. */
  transactRebuildable?: <T>(script: SqlScript<T>, begun?: () => void) => Promise<T>;
  /** Shares a commit with others of the same tick, but fails alone. Optional. */
  transactShared?: <T>(script: SqlScript<T>, begun?: () => void) => Promise<T>;
  read: RunQuery;
  /** False while read-only, as of the last write. */
  takesWrites?: () => boolean;
  close: () => Promise<void>;
};
