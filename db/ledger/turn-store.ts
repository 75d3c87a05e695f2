/** The turns of a run, each chained to the one before, under a MAC (E9, L5). */
import { sql as raw, type Selectable } from 'kysely';
import { GENESIS_HASH, linkHash } from '../integrity/hash-chain.ts';
import { isSameRowMac, type RowMac } from '../integrity/row-mac.ts';
import type { TurnHead } from '#model/turn';
import type { NewTurn, TurnRow } from '#ports/records';
import type { TurnsTable } from '../sql/schema.ts';
import {
  callStatement,
  toCompiledQuery,
  selectAll,
  type DefineStatement,
  type RunQuery,
  type SqlScript,
} from '../sql/statements.ts';

type Linked = Pick<TurnsTable, 'run_id' | 'seq' | 'attempt_id' | 'ended' | 'facts_json' | 'created_at'>;

export const turnHash = (prev: string, row: Linked): string =>
  linkHash(prev, {
    runId: row.run_id,
    seq: row.seq,
    type: 'turn',
    key: String(row.attempt_id),
    payload: row.facts_json,
    stateAfter: row.ended === 1 ? 'ended' : 'under way',
    at: row.created_at,
  });

const MAC_COLUMNS = ['run_id', 'seq', 'hash'] as const;
const macOfTurn = (seal: RowMac, row: Pick<TurnsTable, (typeof MAC_COLUMNS)[number]>): string =>
  seal('turns', MAC_COLUMNS, row);

const defineStatements = (define: DefineStatement) => ({
  newest: define((db, a: { run_id: string }) =>
    db
      .selectFrom('turns')
      .select(['seq', 'attempt_id', 'ended', 'created_at', 'texts_json', 'hash'])
      .where('run_id', '=', a.run_id)
      .orderBy('seq', 'desc')
      .limit(raw.lit(2)),
  ),
  put: define((db, a: TurnsTable) => {
    const { run_id, seq, attempt_id, ended, facts_json, texts_json, created_at, hash, mac } = a;
    const changes = { attempt_id, ended, facts_json, texts_json, hash, mac };
    return db
      .insertInto('turns')
      .values({ run_id, seq, created_at, ...changes })
      .onConflict((c) => c.columns(['run_id', 'seq']).doUpdateSet(changes));
  }),
  all: define((db, a: { run_id: string }) =>
    db.selectFrom('turns').selectAll().where('run_id', '=', a.run_id).orderBy('seq'),
  ),
});

export const createTurnScripts = (define: DefineStatement, seal: RowMac) => {
  const sql = defineStatements(define);
  return {
    *write(turn: NewTurn): SqlScript<TurnHead> {
      const { runId: run_id, seq } = turn;
      const [last, earlier] = yield* selectAll(sql.newest, { run_id });
      const goesOn = last?.seq === seq && last.ended === 0;
      // guard: L5-turn-order
      if (!goesOn && seq !== (last?.seq ?? 0) + 1)
        throw new Error(`turn ${seq} of run ${run_id} does not follow turn ${last?.seq ?? 0}`);
      const prev = (goesOn ? earlier?.hash : last?.hash) ?? GENESIS_HASH;
      const row = {
        run_id,
        seq,
        attempt_id: turn.attempt,
        ended: turn.ended ? 1 : 0,
        facts_json: turn.facts,
        texts_json: turn.texts,
        created_at: goesOn ? last.created_at : turn.at,
      };
      const hash = turnHash(prev, row);
      yield callStatement(sql.put, { ...row, hash, mac: macOfTurn(seal, { run_id, seq, hash }) });
      return { seq, hash };
    },
  };
};

/** Names only rows that were changed themselves: each is compared with the hash stored before it. */
const faultOf = (seal: RowMac, prev: string, row: Selectable<TurnsTable>, nth: number): string | null => {
  if (row.seq !== nth) return `stands where turn ${nth} belongs`;
  // guard: L5-turn-link
  if (turnHash(prev, row) !== row.hash) return 'is not what was written';
  // guard: L5-turn-mac
  if (!isSameRowMac(macOfTurn(seal, row), row.mac)) return 'was not written by this ledger';
  return null;
};

export const createTurnQuery = (define: DefineStatement, read: RunQuery, seal: RowMac) => {
  const { all } = defineStatements(define);
  return async (runId: string): Promise<TurnRow[]> => {
    let prev = GENESIS_HASH;
    const rows = await read(toCompiledQuery(all, { run_id: runId }));
    return rows.map((row, i) => {
      const fault = faultOf(seal, prev, row, i + 1);
      prev = row.hash;
      return {
        runId,
        seq: row.seq,
        attempt: row.attempt_id,
        at: row.created_at,
        ended: row.ended === 1,
        facts: row.facts_json,
        texts: row.texts_json,
        hash: row.hash,
        fault,
      };
    });
  };
};
