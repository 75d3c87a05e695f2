/** L2: what a step of the ledger costs beside its rows written by bare prepared statements. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createLedger, type Store } from '../../db/ledger.ts';
import { openStore } from '../../db/open.ts';
import { bind, type Script } from '../../db/statements.ts';
import type { StepRequest } from '../../orchestrator/ports.ts';
import { temporaryDirectory } from '../machine.ts';
import { inPairs, round, spread, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { TO_REVIEW, tellStory } from '../story.ts';

/** One statement of a transaction, as SQLite got it. */
type Said = { sql: string; values: unknown[]; returns: boolean };
/** The same steps twice: as requests to the ledger, and as the statements that they come to. */
type Rehearsed = { requests: StepRequest[]; transactions: Said[][] };

const KEY = createSecretKey(randomBytes(32));
const ledgerOver = (store: Store) => createLedger({ store, key: KEY, boot: 'bench', now: () => 0 });

/** Listens to what a store executes. */
const overhear = (store: Store, hear: (said: Said) => void): Store => {
  function* listening<T>(script: Script<T>): Script<T> {
    let turn = script.next();
    while (!turn.done) {
      const { statement, args } = turn.value;
      hear({ sql: statement.sql, values: bind(statement, args), returns: statement.returns });
      turn = script.next(yield turn.value);
    }
    return turn.value;
  }
  return { ...store, transact: (script) => store.transact(listening(script)) };
};

/** Tells stories to a ledger in memory, so that the measured ones are only asked to write what is decided already. */
const createRehearsal = async () => {
  const { store } = await openStore({ dataDir: ':memory:' });
  let heard: Said[] = [];
  let made = 0;
  const ledger = ledgerOver(overhear(store, (said) => heard.push(said)));
  return {
    async tell(runs: number): Promise<Rehearsed> {
      const requests: StepRequest[] = [];
      const transactions: Said[][] = [];
      const onStep = (request: StepRequest): void => {
        requests.push(request);
        transactions.push((heard = []));
      };
      for (let i = 0; i < runs; i += 1)
        await tellStory({ ledger, from: 1_000, claims: false, onStep }, `r${(made += 1)}`, TO_REVIEW);
      return { requests, transactions };
    },
    close: () => store.close(),
  };
};

const createRaw = (db: Database.Database) => {
  const prepared = new Map<string, Database.Statement>();
  const [begin, commit] = [db.prepare('begin immediate'), db.prepare('commit')];
  const statement = (sql: string): Database.Statement => {
    const ready = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, ready);
    return ready;
  };
  return (transactions: readonly Said[][]): void => {
    for (const said of transactions) {
      begin.run();
      for (const { sql, values, returns } of said) {
        if (returns) statement(sql).all(values);
        else statement(sql).run(values);
      }
      commit.run();
    }
  };
};

export const ledgerStep: Measurement = {
  name: 'ledger-step',
  about: 'steps of the ledger beside the same rows by raw prepared statements',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const [ours, bare] = [temporaryDirectory(), temporaryDirectory()];
    const { store } = await openStore({ dataDir: ours.dir });
    await openStore({ dataDir: bare.dir }).then((made) => made.store.close());
    const db = new Database(join(bare.dir, 'ledger.db'));
    for (const pragma of ['synchronous = FULL', 'foreign_keys = ON', 'wal_autocheckpoint = 4000'])
      db.pragma(pragma);
    const [ledger, raw, rehearsal] = [ledgerOver(store), createRaw(db), await createRehearsal()];
    try {
      const runs = quick ? 50 : 200;
      let next: Rehearsed | null = null;
      let statements = 0;
      /** Both sides write what was rehearsed last; whoever comes second lets it go. */
      const script = async (): Promise<Rehearsed> => {
        if (next) {
          const second = next;
          next = null;
          return second;
        }
        next = await rehearsal.tell(runs);
        statements = next.transactions.flat().length / next.transactions.length;
        return next;
      };
      const oursUs = async (): Promise<number> => {
        const { requests } = await script();
        const ms = await timed(async () => {
          for (const request of requests) await ledger.step(request);
        });
        return (ms * 1_000) / requests.length;
      };
      const rawUs = async (): Promise<number> => {
        const { transactions } = await script();
        return ((await timed(() => raw(transactions))) * 1_000) / transactions.length;
      };
      const { a, b, ratio, ...rest } = await inPairs(pairs * 3, rawUs, oursUs);
      const note = `a step ${round(b)} µs, its ${statements.toFixed(1)} statements raw ${round(a)} µs (reads and compare-and-set included, JSON, hash and signature made before); ${spread({ a, b, ratio, ...rest })}; one transaction each`;
      return [{ name: 'ledger-step', value: ratio, unit: 'x raw', bar: { is: '>=', at: 0.8 }, note }];
    } finally {
      await rehearsal.close();
      db.close();
      await store.close();
      ours.remove();
      bare.remove();
    }
  },
};
