/** Loads data for replay and finds rows that contradict the log, a MAC or the installation (L5). */
import { sql as raw, type Selectable } from 'kysely';
import type { Run } from '#run';
import type { LedgerAudit, EventRow, LedgerFault, ChainHead, LedgerRollback } from '#ports/ledger';
import { findBrokenLink } from '../../integrity/hash-chain.ts';
import { hasValidEffectMac, hasValidStateMac } from '../../integrity/table-macs.ts';
import type { RowMac } from '../../integrity/row-mac.ts';
import { effectOf } from '../../sql/stored-rows.ts';
import type { EffectsTable, EventsTable } from '../../sql/schema.ts';
import {
  toCompiledQuery,
  createStatementDefiner,
  type SqlBuilder,
  type RunQuery,
} from '../../sql/statements.ts';
import { parseRecords, readRecords, recordsHash, type StoredRun } from '../../integrity/stored-run.ts';
import { compareStoredRows, PUBLISHING_EFFECTS, type StoredRows, type StoredRow } from './compare-rows.ts';
import {
  auditInstallation,
  foldInstallation,
  toRollbackFault,
  checkpointFault,
  type CheckpointedHead,
} from './audit-installation-log.ts';

/** Done or void effects without outside reach are irrelevant. */
const verifiable = raw`(state in ('pending', 'claimed', 'dead') or kind in (${raw.join([...PUBLISHING_EFFECTS].map((k) => raw.lit(k)))}))`;

export const createAudit = (
  db: SqlBuilder,
  read: RunQuery,
  seal: RowMac,
  rollback: () => Promise<LedgerRollback | null>,
): LedgerAudit => {
  const queryRows = (query: ReturnType<typeof raw<StoredRow>>): Promise<StoredRow[]> =>
    read<StoredRow>({ compile: () => query.compile(db) });
  const ofRun = (query: (runId: string) => ReturnType<typeof raw<StoredRow>>) => {
    const written = query('').compile(db);
    return (runId: string): Promise<StoredRow[]> =>
      read<StoredRow>({ compile: () => ({ ...written, parameters: written.parameters.map(() => runId) }) });
  };

  const findCountFaults = async (): Promise<LedgerFault[]> => {
    const kept = await read(
      db.selectFrom('state_counts').select(['state', 'n']).where('scope', '=', 'run').where('n', '!=', 0),
    );
    const found = await read(
      db
        .selectFrom('run_states')
        .select((eb) => ['current_state as state', eb.fn.countAll<number>().as('n')])
        .groupBy('current_state'),
    );
    const there = new Map(found.map(({ state, n }) => [state, n]));
    return [...new Set([...kept.map((k) => k.state), ...there.keys()])]
      .filter((state) => (kept.find((k) => k.state === state)?.n ?? 0) !== (there.get(state) ?? 0))
      .map((state) => ({
        table: 'state_counts',
        row: `run ${state}`,
        runId: null,
        says: 'is not the number of such runs',
      }));
  };

  const define = createStatementDefiner(db);
  const eventsOf = define((q, { runId }: { runId: string }) =>
    q.selectFrom('events').selectAll().where('run_id', '=', runId).orderBy('seq'),
  );
  const stateOf = define((q, { runId }: { runId: string }) =>
    q.selectFrom('run_states').selectAll().where('run_id', '=', runId),
  );
  const recordsOf = define((q, { runId }: { runId: string }) =>
    q.selectFrom('run_records').select(['record', 'body_json']).where('run_id', '=', runId),
  );
  const logOf = async (runId: string): Promise<{ head: ChainHead | null; events: EventRow[] }> => {
    const found = await read(toCompiledQuery(eventsOf, { runId }));
    const events = found.map(eventOf);
    const [state] = await read(toCompiledQuery(stateOf, { runId }));
    if (!state) return { head: null, events };
    const { seq, head_hash: hash, head_mac: mac } = state;
    const stored = readRecords(await read(toCompiledQuery(recordsOf, { runId })));
    const head: ChainHead = {
      // Safe when the MAC is right; replay compares it with the log.
      run: readRun(runId, stored),
      seq,
      hash,
      mac,
      macValid:
        hasValidStateMac(seal, state) && stored !== null && recordsHash(stored) === state.records_hash,
      chainBroken: findBrokenLink(
        events.map((e) => ({ ...e, payload: e.body })),
        { seq, hash },
      ),
    };
    return { head, events };
  };

  // guard: L5-events-have-run
  const selectRunIds = (those: ReturnType<typeof raw>) => raw<StoredRow>`
    select run_id from runs where ${those} union select run_id from run_states where ${those}
    union select run_id from run_records where ${those} union select run_id from events where ${those} union select run_id from turns where ${those} union select run_id from approvals where ${those}`;
  const runsOf = async (only: string | undefined): Promise<string[]> => {
    const those = only === undefined ? raw`1 = 1` : raw`run_id = ${only}`;
    const found = await queryRows(raw<StoredRow>`${selectRunIds(those)} order by 1`);
    return found.map((r) => String(r['run_id']));
  };

  const selectByRun = (table: string, order: string) =>
    ofRun(
      (runId) =>
        raw<StoredRow>`select * from ${raw.table(table)} where run_id = ${runId} order by ${raw.ref(order)}`,
    );
  const ordersOf = selectByRun('runs', 'run_id');
  const statesOf = selectByRun('run_states', 'run_id');
  const recordRowsOf = selectByRun('run_records', 'record');
  const approvalsOf = selectByRun('approvals', 'id');
  const effectsOf = ofRun(
    (runId) => raw<StoredRow>`select * from effects where run_id = ${runId} and ${verifiable}`,
  );
  // One aggregated row is cheaper. Our names have no comma, so foreign commas are replaced.
  const namesOf = ofRun(
    (runId) =>
      raw<StoredRow>`select string_agg(replace(id, ',', '%'), ',') as names from effects where run_id = ${runId}`,
  );
  const signaturesOf = ofRun(
    (runId) => raw<StoredRow>`
      select s.* from approval_signatures s join approvals a on a.id = s.approval_id where a.run_id = ${runId}`,
  );
  const loadStoredRows = async (runId: string): Promise<StoredRows> => ({
    runs: await ordersOf(runId),
    run_states: await statesOf(runId),
    run_records: await recordRowsOf(runId),
    approvals: await approvalsOf(runId),
    approval_signatures: await signaturesOf(runId),
    effects: await effectsOf(runId),
    names: (await namesOf(runId)).flatMap(({ names }) => (typeof names === 'string' ? names.split(',') : [])),
  });

  const findLostEnd = async (runId: string, listed: CheckpointedHead | undefined): Promise<LedgerFault[]> => {
    if (!listed) return [];
    const [event] = await read(
      db.selectFrom('events').select('hash').where('run_id', '=', runId).where('seq', '=', listed.seq),
    );
    // guard: L5-lost-end
    return event?.hash === listed.hash ? [] : [checkpointFault(runId, listed, { gone: false })];
  };

  const findUnaskedEffects = (found: readonly StoredRow[]): LedgerFault[] =>
    found.flatMap((row): LedgerFault[] => {
      const effect = row as Selectable<EffectsTable>;
      if (hasValidEffectMac(seal, effect)) return [];
      const says = 'was changed or put in by somebody else';
      return [{ table: 'effects', row: String(effect.n), runId: effect.run_id, says, forged: true }];
    });

  const countChanges = async (): Promise<number> => {
    const [found] = await queryRows(raw<StoredRow>`
      select (select coalesce(max(event_id), 0) from events) + (select coalesce(max(seq), 0) from installation) as n`);
    return Number(found?.['n']);
  };

  const rowsUnlike: LedgerAudit['unlike'] = async (runId, steps) => {
    const stored = await loadStoredRows(runId);
    const outside = stored.effects.filter(({ kind }) => PUBLISHING_EFFECTS.has(String(kind)));
    return {
      // guard: L5-replayed-rows
      faults: [...findUnaskedEffects(stored.effects), ...compareStoredRows(runId, steps, stored)],
      outside: outside.map((row) => effectOf(row as Selectable<EffectsTable>)),
    };
  };

  return {
    log: logOf,
    unlike: rowsUnlike,
    cutLogs: async () =>
      (
        await queryRows(raw<StoredRow>`
          select s.run_id from run_states s where not exists (
            select 1 from events e where e.run_id = s.run_id and e.seq = s.seq and e.hash = s.head_hash)
          order by 1`)
      ).map((row) => String(row['run_id'])),
    snapshot: async (only) => {
      const moment = await countChanges();
      const installation = await foldInstallation(db, read);
      const runs = await runsOf(only);
      /** Runs that were anchored but have no rows left. */
      const findLostRuns = async (): Promise<LedgerFault[]> => {
        const gone = new Map(installation.heads);
        for (const id of runs) gone.delete(id);
        const older = await rollback();
        // guard: L5-lost-run
        const faults = [...gone].map(([id, listed]) => checkpointFault(id, listed, { gone: true }));
        return older ? [toRollbackFault(older), ...faults] : faults;
      };
      return {
        runs,
        moment,
        moved: async () => (await countChanges()) !== moment,
        unlike: async (runId, steps) => {
          const { faults, outside } = await rowsUnlike(runId, steps);
          return {
            faults: [...faults, ...(await findLostEnd(runId, installation.heads.get(runId)))],
            outside,
          };
        },
        rest: async () => {
          if (only !== undefined) return [];
          const answers = await queryRows(raw<StoredRow>`
            select * from effects where ${verifiable}
            and (run_id is null or run_id not in (${selectRunIds(raw`1 = 1`)}))`);
          return [
            ...findUnaskedEffects(answers),
            ...(await auditInstallation(db, read, seal, installation)),
            ...(await findLostRuns()),
            ...(await findCountFaults()),
          ];
        },
      };
    },
  };
};

const readRun = (id: string, stored: StoredRun | null): Run => {
  try {
    if (stored) return parseRecords(id, stored);
  } catch {
    // A record is no JSON.
  }
  return { id } as Run;
};

const eventOf = (row: Selectable<EventsTable>): EventRow => ({
  id: row.event_id,
  runId: row.run_id,
  seq: row.seq,
  type: row.event_type,
  key: row.idempotency_key,
  body: row.payload_json,
  stateAfter: row.state_after,
  at: row.created_at,
  hash: row.hash,
});
