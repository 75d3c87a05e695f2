/** The installation's log, a chain like a run's; its fold is one row with a MAC (L5). */
import { sql as raw } from 'kysely';
import {
  EMPTY_INSTALLATION,
  evolveInstallation,
  type Installation,
  type InstallationEvent,
} from './installation-fold.ts';
import type { AnchoredEvent } from '../integrity/anchor.ts';
import { GENESIS_HASH, linkHash, type ChainedEvent } from '../integrity/hash-chain.ts';
import { isSameRowMac, type RowMac } from '../integrity/row-mac.ts';
import { DatabaseFailure } from '../sql/database-failures.ts';
import { TABLE_NAMES } from '../sql/table-pages.ts';
import type { InstallationTable } from '../sql/schema.ts';
import {
  toCompiledQuery,
  callStatement,
  selectOne,
  type DefineStatement,
  type RunQuery,
  type SqlScript,
} from '../sql/statements.ts';

const ID = 1;
export const INSTALLATION_COLUMNS = ['id', 'seq', 'head_hash', 'fold_json'] as const;
type Unsigned = Omit<InstallationTable, 'head_mac'>;

const macOf = (seal: RowMac, row: Unsigned): string => seal('installation', INSTALLATION_COLUMNS, row);
export const hasValidInstallationMac = (seal: RowMac, row: InstallationTable): boolean =>
  isSameRowMac(macOf(seal, row), row.head_mac);
const signRow = (seal: RowMac, row: Unsigned): InstallationTable => ({ ...row, head_mac: macOf(seal, row) });

export const installationLink = (event: {
  seq: number;
  type: string;
  body_json: string;
  created_at: number;
}): ChainedEvent => ({
  runId: 'installation',
  seq: event.seq,
  type: event.type,
  key: '',
  payload: event.body_json,
  stateAfter: '',
  at: event.created_at,
});

/** Half of a copy may have rows in any table. */
const ANY_LEDGER_ROW = raw.join(
  TABLE_NAMES.filter((name) => name !== 'installation').map(
    (name) => raw`exists (select 1 from ${raw.table(name)})`,
  ),
  raw` or `,
);

const installationStatements = (define: DefineStatement) => ({
  read: define((db, _: object) => db.selectFrom('installation').selectAll().where('id', '=', raw.lit(ID))),
  open: define((db, a: InstallationTable) =>
    db.insertInto('installation').values({
      id: a.id,
      seq: a.seq,
      head_hash: a.head_hash,
      fold_json: a.fold_json,
      head_mac: a.head_mac,
    }),
  ),
  advance: define((db, a: InstallationTable) =>
    db
      .updateTable('installation')
      .set({ seq: a.seq, head_hash: a.head_hash, fold_json: a.fold_json, head_mac: a.head_mac })
      .where('id', '=', a.id),
  ),
  log: define((db, a: { seq: number; type: string; body_json: string; created_at: number; hash: string }) =>
    db.insertInto('installation_events').values({
      seq: a.seq,
      type: a.type,
      body_json: a.body_json,
      created_at: a.created_at,
      hash: a.hash,
    }),
  ),
  any: define((db, _: object) => ({
    compile: () => raw<{ found: number }>`select 1 as found where ${ANY_LEDGER_ROW}`.compile(db),
  })),
});

/** Creates the installation of an empty ledger. Throws when it was changed or removed. */
export function* openInstallationLog(define: DefineStatement, seal: RowMac): SqlScript<void> {
  const sql = installationStatements(define);
  const row = yield* selectOne(sql.read, {});
  if (row && !hasValidInstallationMac(seal, row)) throw new DatabaseFailure({ kind: 'installation_changed' });
  if (row) return;
  if (yield* selectOne(sql.any, {})) throw new DatabaseFailure({ kind: 'installation_gone' });
  const fresh = { id: ID, seq: 0, head_hash: GENESIS_HASH, fold_json: JSON.stringify(EMPTY_INSTALLATION) };
  yield callStatement(sql.open, signRow(seal, fresh));
}

export const createInstallationLog = (define: DefineStatement, read: RunQuery, seal: RowMac) => {
  const sql = installationStatements(define);
  /** Last verified row, so that foreign writes grant no rights. */
  let known: { row: InstallationTable; installation: Installation } | null = null;

  const verifyRow = (row: InstallationTable): { row: InstallationTable; installation: Installation } => {
    if (known?.row.head_mac === row.head_mac && known.row.fold_json === row.fold_json) return known;
    // guard: L5-own-rights
    if (row.seq < (known?.row.seq ?? 0) || !hasValidInstallationMac(seal, row))
      throw new DatabaseFailure({ kind: 'installation_changed' });
    // Safe to parse: covered by the MAC.
    return { row, installation: JSON.parse(row.fold_json) as Installation };
  };

  function* readStoredRow(): SqlScript<{ row: InstallationTable; installation: Installation }> {
    const row = yield* selectOne(sql.read, {});
    if (!row) throw new DatabaseFailure({ kind: 'installation_changed' });
    return verifyRow(row);
  }

  return {
    async readCurrent(): Promise<Installation> {
      const [row] = await read(toCompiledQuery(sql.read, {}));
      if (!row) return known?.installation ?? EMPTY_INSTALLATION;
      try {
        known = verifyRow(row);
      } catch (error) {
        if (!known) throw error;
      }
      return known.installation;
    },

    *readStored(): SqlScript<{ seq: number; installation: Installation }> {
      const { row, installation } = yield* readStoredRow();
      return { seq: row.seq, installation };
    },

    async readChainHead(): Promise<AnchoredEvent | null> {
      const [row] = await read(toCompiledQuery(sql.read, {}));
      return row ? { seq: row.seq, hash: row.head_hash } : null;
    },

    /** `decide` runs in the same transaction; null changes nothing. */
    *append(now: number, decide: (installation: Installation) => InstallationEvent | null): SqlScript<void> {
      const { row, installation } = yield* readStoredRow();
      const event = decide(installation);
      if (!event) return;
      const { type, ...body } = event;
      const next = { seq: row.seq + 1, type, body_json: JSON.stringify(body), created_at: now };
      const hash = linkHash(row.head_hash, installationLink(next));
      yield callStatement(sql.log, { ...next, hash });
      const fold_json = JSON.stringify(evolveInstallation(installation, event, next.seq));
      yield callStatement(sql.advance, signRow(seal, { id: ID, seq: next.seq, head_hash: hash, fold_json }));
    },
  };
};
export type InstallationLog = ReturnType<typeof createInstallationLog>;
