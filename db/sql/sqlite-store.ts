/**
 * SQLite: runs scripts as synchronous immediate transactions on one connection, and reads on the
 * same one.
 */
import type { Database, Statement as Prepared } from 'better-sqlite3';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { explained, isFull } from './failures.ts';
import type { Store } from './store.ts';
import type { Tables } from './schema.ts';
import { bind, type AnyStatement, type Builder, type Call } from './statements.ts';

const createSqliteBuilder = (): Builder =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });

/** Nothing is awaited between `begin` and `commit`, so transactions cannot interleave. */
export const createSqliteStore = (db: Database, { onFull }: { onFull?: () => void } = {}): Store => {
  const prepared = new Map<AnyStatement, Prepared>();
  const reading = new Map<string, Prepared>();
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((s) => db.prepare(s));

  const execute = ({ statement, args }: Call): unknown[] => {
    let ready = prepared.get(statement);
    if (!ready) prepared.set(statement, (ready = db.prepare(statement.sql)));
    if (statement.returns) return ready.all(bind(statement, args));
    ready.run(bind(statement, args));
    return [];
  };

  return {
    builder: createSqliteBuilder(),
    transact: async (script, begun) => {
      try {
        begin?.run();
        begun?.();
        let turn = script.next();
        while (!turn.done) {
          const { value } = turn;
          turn = script.next('statement' in value ? execute(value) : value.map(execute));
        }
        commit?.run();
        return turn.value;
      } catch (error) {
        // A full disk has rolled back already.
        if (db.inTransaction) rollback?.run();
        if (onFull && isFull(error)) onFull();
        throw explained(error);
      }
    },
    read: async (query) => {
      const { sql, parameters } = query.compile();
      try {
        let ready = reading.get(sql);
        if (!ready) reading.set(sql, (ready = db.prepare(sql)));
        return ready.all([...parameters]) as never[];
      } catch (error) {
        throw explained(error);
      }
    },
    close: async () => void db.close(),
  };
};
