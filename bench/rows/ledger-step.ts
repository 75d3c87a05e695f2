/** Cost of a ledger step compared with its bare prepared statements (L2). */
import { createSecretKey, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { GENESIS_HASH, linkHash } from '../../db/integrity/hash-chain.ts';
import { macOfEffect, macOfState } from '../../db/integrity/table-macs.ts';
import { toNewEffect } from '../../db/ledger/outbox.ts';
import { createRowMac } from '../../db/integrity/row-mac.ts';
import { recordsHash, toStoredRun, type StoredRun } from '../../db/integrity/stored-run.ts';
import { stateRow } from '../../db/ledger/write-step.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import type { SqlStore } from '../../db/sql/sql-store.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import { bindArguments, type SqlScript } from '../../db/sql/statements.ts';
import type { Run } from '#run';
import type { StepRequest } from '#ports/steps';
import { temporaryDirectory } from '../machine.ts';
import { inPairs, round, spread, timed } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { TO_REVIEW, tellStory } from '../story.ts';

export type Said = { sql: string; values: unknown[]; returns: boolean };
type Rehearsed = { requests: StepRequest[]; transactions: Said[][] };

const KEY = createSecretKey(randomBytes(32));
export const ledgerOver = (store: SqlStore) => createLedger({ store, key: KEY, boot: 'bench', now: () => 0 });

export const overhear = (store: SqlStore, hear: (said: Said) => void): SqlStore => {
  function* listening<T>(script: SqlScript<T>): SqlScript<T> {
    let turn = script.next();
    while (!turn.done) {
      const asked = 'statement' in turn.value ? [turn.value] : turn.value;
      for (const { statement, args } of asked)
        hear({ sql: statement.sql, values: bindArguments(statement, args), returns: statement.returns });
      turn = script.next(yield turn.value);
    }
    return turn.value;
  }
  return { ...store, transact: (script, begun) => store.transact(listening(script), begun) };
};

/** Decides the steps beforehand, so that only writing is measured. */
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
  return (transaction: readonly Said[]): void => {
    begin.run();
    for (const { sql, values, returns } of transaction) {
      if (returns) statement(sql).all(values);
      else statement(sql).run(values);
    }
    commit.run();
  };
};

const seal = createRowMac(KEY);

const createContent = () => {
  const last = new Map<string, { run: Run; stored: StoredRun; hash: string }>();
  return (request: StepRequest): void => {
    const { runId, key } = request;
    const made = request.plan(null);
    if (made.kind !== 'write') throw new Error('a rehearsed step writes');
    const { run, event, effects } = made;
    const before = last.get(runId);
    const stored = toStoredRun(run, before ?? null);
    effects.forEach((effect, i) => {
      const row = toNewEffect(effect, run, `${runId}:${run.lifecycle.version}:${i}`, event.at);
      macOfEffect(seal, { ...row, n: i });
    });
    const link = {
      seq: run.lifecycle.version,
      payload: JSON.stringify(event.body),
      stateAfter: run.lifecycle.state,
    };
    const hash = linkHash(before?.hash ?? GENESIS_HASH, {
      runId,
      key,
      type: event.type,
      at: event.at,
      ...link,
    });
    macOfState(seal, stateRow(run, { started: null, hash, records: recordsHash(stored) }));
    last.set(runId, { run, stored, hash });
  };
};

const openBare = async (dataDir: string): Promise<Database.Database> => {
  await openStore({ dataDir }).then(({ store }) => store.close());
  const db = new Database(join(dataDir, 'ledger.db'));
  for (const pragma of ['synchronous = FULL', 'foreign_keys = ON', 'wal_autocheckpoint = 4000'])
    db.pragma(pragma);
  return db;
};

/** Both sides of a pair write the same steps; the second one consumes them. */
const createScripts = (tell: () => Promise<Rehearsed>) => {
  let waiting: Rehearsed | null = null;
  return async (): Promise<Rehearsed> => {
    const script = waiting ?? (await tell());
    waiting = waiting ? null : script;
    return script;
  };
};

export const ledgerStep: Measurement = {
  name: 'ledger-step',
  about: 'steps of the ledger beside the same rows by raw prepared statements',
  run: async ({ quick, pairs }): Promise<Row[]> => {
    const [ours, bare] = [temporaryDirectory(), temporaryDirectory()];
    const { store } = await openStore({ dataDir: ours.dir });
    const db = await openBare(bare.dir);
    const [ledger, raw, rehearsal, content] = [
      ledgerOver(store),
      createRaw(db),
      await createRehearsal(),
      createContent(),
    ];
    const script = createScripts(() => rehearsal.tell(quick ? 50 : 200));
    let statements = 0;
    const oursUs = async (): Promise<number> => {
      const { requests } = await script();
      const ms = await timed(async () => {
        for (const request of requests) await ledger.step(request);
      });
      return (ms * 1_000) / requests.length;
    };
    const rawUs = (made: 'now' | 'before') => async (): Promise<number> => {
      const { requests, transactions } = await script();
      statements = transactions.flat().length / transactions.length;
      const ms = await timed(() =>
        requests.forEach((request, i) => {
          if (made === 'now') content(request);
          raw(transactions[i] ?? []);
        }),
      );
      return (ms * 1_000) / requests.length;
    };
    try {
      const like = await inPairs(pairs * 2, rawUs('now'), oursUs);
      const harsh = await inPairs(pairs * 2, rawUs('before'), oursUs);
      const says = [
        `a step ${round(like.b)} µs, one transaction`,
        `its ${statements.toFixed(1)} statements raw ${round(like.a)} µs with reads, compare-and-set, JSON, hash and signature`,
        spread(like),
        `with the rows' content made before, raw ${round(harsh.a)} µs: ${harsh.ratio.toFixed(2)} x`,
      ];
      const bar = { is: '>=' as const, at: 0.85 };
      return [{ name: 'ledger-step', value: like.ratio, unit: 'x raw', bar, note: says.join('; ') }];
    } finally {
      await rehearsal.close();
      db.close();
      await store.close();
      ours.remove();
      bare.remove();
    }
  },
};
