/** What a ledger asks of its database: scripts as transactions, and reads. */
import type { Builder, RunQuery, Script } from './statements.ts';

/** A database engine: it builds its dialect's SQL, runs scripts as transactions and reads. */
export type Store = {
  builder: Builder;
  transact: <T>(script: Script<T>) => Promise<T>;
  read: RunQuery;
  close: () => Promise<void>;
};
