/** Runs scripts as synchronous immediate transactions on one SQLite connection. */
import type { Database, Statement as Prepared } from 'better-sqlite3';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { explainDatabaseError, isDatabaseFull } from './database-failures.ts';
import type { SqlStore } from './sql-store.ts';
import type { LedgerSchema } from './schema.ts';
import {
  bindArguments,
  type AnyStatement,
  type SqlBuilder,
  type StatementCall,
  type SqlScript,
} from './statements.ts';

const createSqliteBuilder = (): SqlBuilder =>
  new Kysely<LedgerSchema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });

/** Synchronous from `begin` to `commit`, so transactions cannot interleave. */
export const createSqliteStore = (db: Database, { onFull }: { onFull?: () => void } = {}): SqlStore => {
  const prepared = new Map<AnyStatement, Prepared>();
  const reading = new Map<string, Prepared>();
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((s) => db.prepare(s));

  const executeCall = ({ statement, args }: StatementCall): unknown[] => {
    let ready = prepared.get(statement);
    if (!ready) prepared.set(statement, (ready = db.prepare(statement.sql)));
    if (statement.returns) return ready.all(bindArguments(statement, args));
    ready.run(bindArguments(statement, args));
    return [];
  };

  const run = <T>(script: SqlScript<T>): T => {
    let turn = script.next();
    while (!turn.done) {
      const { value } = turn;
      turn = script.next('statement' in value ? executeCall(value) : value.map(executeCall));
    }
    return turn.value;
  };
  const transactSync = <T>(work: () => T): T => {
    try {
      begin?.run();
      const value = work();
      commit?.run();
      return value;
    } catch (error) {
      // A full disk has already rolled back.
      if (db.inTransaction) rollback?.run();
      if (onFull && isDatabaseFull(error)) onFull();
      throw explainDatabaseError(error);
    }
  };
  const shared = createShared({ db, transactSync, run });

  return {
    builder: createSqliteBuilder(),
    transact: async (script, begun) =>
      transactSync(() => {
        begun?.();
        return run(script);
      }),
    transactRebuildable: async (script, begun) => {
      db.pragma('synchronous = NORMAL');
      try {
        return transactSync(() => {
          begun?.();
          return run(script);
        });
      } finally {
        // guard: L3-commit-on-disk-again
        db.pragma('synchronous = FULL');
      }
    },
    transactShared: shared,
    read: async (query) => {
      const { sql, parameters } = query.compile();
      try {
        let ready = reading.get(sql);
        if (!ready) reading.set(sql, (ready = db.prepare(sql)));
        return ready.all([...parameters]) as never[];
      } catch (error) {
        throw explainDatabaseError(error);
      }
    },
    close: async () => void db.close(),
  };
};

type SharedParts = {
  db: Database;
  transactSync: (work: () => void) => void;
  run: <T>(script: SqlScript<T>) => T;
};
type Waiting = { write: () => void; commit: () => void; fail: (error: unknown) => void };

/** One transaction per turn of the event loop, with a savepoint per script. */
const createShared = ({ db, transactSync, run }: SharedParts): NonNullable<SqlStore['transactShared']> => {
  const [save, release, takeBack] = ['savepoint one', 'release one', 'rollback to one'].map((s) =>
    db.prepare(s),
  );
  let waiting: Waiting[] = [];
  const flushGroup = (): void => {
    const [group, written] = [waiting, [] as Waiting[]];
    waiting = [];
    try {
      transactSync(() => {
        for (const one of group) {
          save?.run();
          try {
            one.write();
            written.push(one);
          } catch (error) {
            if (!db.inTransaction) throw error;
            takeBack?.run();
            one.fail(explainDatabaseError(error));
          }
          release?.run();
        }
      });
    } catch (error) {
      for (const one of group) one.fail(error);
      return;
    }
    for (const one of written) one.commit();
  };
  return (script, begun) =>
    new Promise((resolve, reject) => {
      let commitOne = (): void => {};
      const write = (): void => {
        begun?.();
        const value = run(script);
        commitOne = () => resolve(value);
      };
      waiting.push({ write, commit: () => commitOne(), fail: reject });
      if (waiting.length === 1) setImmediate(flushGroup);
    });
};
