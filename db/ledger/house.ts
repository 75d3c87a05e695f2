/**
 * L5: the house's own log: a chain like a run's, whose fold lies in one row with a MAC and is kept
 * in memory.
 */
import { sql as raw } from 'kysely';
import { EMPTY, evolveHouse, type House, type HouseEvent } from './house-fold.ts';
import type { Reached } from '../integrity/anchor.ts';
import { GENESIS, linkHash, type Link } from '../integrity/chain.ts';
import { sameMac, type Seal } from '../integrity/seal.ts';
import { TABLE_NAMES } from '../sql/order.ts';
import type { HouseTable } from '../sql/schema.ts';
import { asked, call, one, type Define, type RunQuery, type Script } from '../sql/statements.ts';

const ID = 1;
export const HOUSE_COLUMNS = ['id', 'seq', 'head_hash', 'fold_json'] as const;
type Unsigned = Omit<HouseTable, 'head_mac'>;

const macOf = (seal: Seal, row: Unsigned): string => seal('house', HOUSE_COLUMNS, row);
export const isHouse = (seal: Seal, row: HouseTable): boolean => sameMac(macOf(seal, row), row.head_mac);
const signed = (seal: Seal, row: Unsigned): HouseTable => ({ ...row, head_mac: macOf(seal, row) });

/** An event of the house as a link of its chain. */
export const houseLink = (e: { seq: number; type: string; body_json: string; created_at: number }): Link => ({
  runId: 'house',
  seq: e.seq,
  type: e.type,
  key: '',
  payload: e.body_json,
  stateAfter: '',
  at: e.created_at,
});

const CHANGED =
  'The users and settings in the ledger were changed by somebody other than agentpr. See agentpr replay --all, and restore ledger.db from a backup.';

/** Half of a copy may have rows in any table. */
const ANYTHING = raw.join(
  TABLE_NAMES.filter((name) => name !== 'house').map(
    (name) => raw`exists (select 1 from ${raw.table(name)})`,
  ),
  raw` or `,
);

const houseStatements = (define: Define) => ({
  read: define((db, _: object) => db.selectFrom('house').selectAll().where('id', '=', raw.lit(ID))),
  open: define((db, a: HouseTable) =>
    db.insertInto('house').values({
      id: a.id,
      seq: a.seq,
      head_hash: a.head_hash,
      fold_json: a.fold_json,
      head_mac: a.head_mac,
    }),
  ),
  advance: define((db, a: HouseTable) =>
    db
      .updateTable('house')
      .set({ seq: a.seq, head_hash: a.head_hash, fold_json: a.fold_json, head_mac: a.head_mac })
      .where('id', '=', a.id),
  ),
  log: define((db, a: { seq: number; type: string; body_json: string; created_at: number; hash: string }) =>
    db.insertInto('house_events').values({
      seq: a.seq,
      type: a.type,
      body_json: a.body_json,
      created_at: a.created_at,
      hash: a.hash,
    }),
  ),
  any: define((db, _: object) => ({
    compile: () => raw<{ found: number }>`select 1 as found where ${ANYTHING}`.compile(db),
  })),
});

/**
 * At each start: gives an empty ledger its house. Throws when somebody changed it, or took it away.
 */
export function* openHouse(define: Define, seal: Seal): Script<void> {
  const sql = houseStatements(define);
  const row = yield* one(sql.read, {});
  if (row && !isHouse(seal, row)) throw new Error(CHANGED);
  if (row) return;
  if (yield* one(sql.any, {}))
    throw new Error(
      'The users and settings of the ledger are gone, so it cannot be told from a forged one. Restore ledger.db from a backup.',
    );
  const fresh = { id: ID, seq: 0, head_hash: GENESIS, fold_json: JSON.stringify(EMPTY) };
  yield call(sql.open, signed(seal, fresh));
}

/** The house as it is; an empty one where there is none, as in an export of one run. */
export const createHouse = (define: Define, read: RunQuery, seal: Seal) => {
  const sql = houseStatements(define);
  /** What was verified last. Whatever somebody writes beside us, nobody's rights follow from it. */
  let known: { row: HouseTable; house: House } | null = null;

  const verified = (row: HouseTable): { row: HouseTable; house: House } => {
    if (known?.row.head_mac === row.head_mac && known.row.fold_json === row.fold_json) return known;
    // guard: L5-own-rights
    if (row.seq < (known?.row.seq ?? 0) || !isHouse(seal, row)) throw new Error(CHANGED);
    // Our own JSON: the MAC covers it.
    return { row, house: JSON.parse(row.fold_json) as House };
  };

  function* stored(): Script<{ row: HouseTable; house: House }> {
    const row = yield* one(sql.read, {});
    if (!row) throw new Error(CHANGED);
    return verified(row);
  }

  return {
    async now(): Promise<House> {
      const [row] = await read(asked(sql.read, {}));
      if (!row) return known?.house ?? EMPTY;
      try {
        known = verified(row);
      } catch (error) {
        if (!known) throw error;
      }
      return known.house;
    },

    /** In a transaction. */
    *stored(): Script<{ seq: number; house: House }> {
      const { row, house } = yield* stored();
      return { seq: row.seq, house };
    },

    /** The last event, to be anchored. */
    async head(): Promise<Reached | null> {
      const [row] = await read(asked(sql.read, {}));
      return row ? { seq: row.seq, hash: row.head_hash } : null;
    },

    /**
     * What `decide` makes of the house as it is, in the same transaction; null when there is
     * nothing to change.
     */
    *append(now: number, decide: (house: House) => HouseEvent | null): Script<void> {
      const { row, house } = yield* stored();
      const event = decide(house);
      if (!event) return;
      const { type, ...body } = event;
      const next = { seq: row.seq + 1, type, body_json: JSON.stringify(body), created_at: now };
      const hash = linkHash(row.head_hash, houseLink(next));
      yield call(sql.log, { ...next, hash });
      const fold_json = JSON.stringify(evolveHouse(house, event, next.seq));
      yield call(sql.advance, signed(seal, { id: ID, seq: next.seq, head_hash: hash, fold_json }));
    },
  };
};
export type HouseLog = ReturnType<typeof createHouse>;
