/** L5: reads what replay judges, and finds the rows whose marks are wrong and books that do not add up. */
import { sql as raw, type RawBuilder, type Selectable } from 'kysely';
import { kindsThat } from '../../orchestrator/core/machine/effect-traits.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { Audit, EventRow, Fault, Head, Rollback, Seen } from '../../orchestrator/ports.ts';
import { added, isBook, type Sums } from '../integrity/books.ts';
import { brokenLink } from '../integrity/chain.ts';
import { compare, type Stored, type StoredRow } from './compare.ts';
import { auditHouse, foldHouse, rolledBack, unlisted, type Listed } from './house.ts';
import { markState } from '../integrity/marked.ts';
import { effectOf } from '../sql/rows.ts';
import type { EffectsTable, EventsTable } from '../sql/schema.ts';
import { sameMark, type Seal } from '../integrity/seal.ts';
import type { Builder, Read } from '../sql/statements.ts';
import { createTallies, watchedBy, type Watched } from '../integrity/tallies.ts';

/** Rows that are read at a time. */
const CHUNK = 2_000;
/** Effects that others see, and that a person approved. */
const OUTSIDE: ReadonlySet<string> = new Set(kindsThat((row) => row.publishes));
/** Numbered without a gap, because nothing is ever removed from them. */
const NUMBERED: ReadonlySet<string> = new Set(['effects', 'step_attempts', 'artifacts']);

export const createAudit = (
  db: Builder,
  read: Read,
  seal: Seal,
  rollback: () => Promise<Rollback | null>,
): Audit => {
  const rows = (query: ReturnType<typeof raw<StoredRow>>): Promise<StoredRow[]> =>
    read<StoredRow>({ compile: () => query.compile(db) });
  /** The same query of one run after the other: written once. */
  const ofRun = (query: (runId: string) => ReturnType<typeof raw<StoredRow>>) => {
    const written = query('').compile(db);
    return (runId: string): Promise<StoredRow[]> =>
      read<StoredRow>({ compile: () => ({ ...written, parameters: written.parameters.map(() => runId) }) });
  };
  const watched = watchedBy(seal);

  /** Each row of a table that is meant, in the order of its key. */
  async function* rowsOf({ table, key }: Watched, those: RawBuilder<unknown>): AsyncGenerator<StoredRow[]> {
    const [from, by] = [raw.table(table), raw.ref(key)];
    let after: unknown = null;
    for (;;) {
      const later = after === null ? raw`` : raw`and ${by} > ${after}`;
      const found = await rows(
        raw<StoredRow>`select * from ${from} where ${those} ${later} order by ${by} limit ${raw.lit(CHUNK)}`,
      );
      yield found;
      after = found.at(-1)?.[key] ?? null;
      if (found.length < CHUNK) return;
    }
  }

  /** The numbers that are left out. */
  const gaps = async (tallies: Seen): Promise<Fault[]> => {
    const faults: Fault[] = [];
    for (const [table, { count, most }] of tallies) {
      if (!NUMBERED.has(table) || count === most) continue;
      const key = watched[table]?.key ?? '';
      const there = await rows(
        raw<StoredRow>`select ${raw.ref(key)} as n from ${raw.table(table)} order by 1`,
      );
      let next = 1;
      for (const { n } of there) {
        for (; next < Number(n); next += 1)
          faults.push({ table, row: String(next), runId: null, says: 'is missing' });
        next = Number(n) + 1;
      }
    }
    return faults;
  };

  /** A table whose rows are all marked, and yet not those that were written last. */
  const offBooks = (kept: Sums, tallies: Seen): Fault[] =>
    [...tallies].flatMap(([table, { count, sum }]): Fault[] => {
      const [written, known] = kept[table] ?? [0, '0'];
      const [, found] = added({}, { scope: table, count, by: sum })[table] ?? [0, '0'];
      // guard: L5-sums
      if (written === count && known === found) return [];
      const says =
        written === count
          ? 'has a row that is not as it was written last'
          : `has ${count} rows where ${written} were written`;
      return [{ table, row: '*', runId: null, says }];
    });

  const books = async (tallies: Seen): Promise<Fault[]> => {
    const fault = (says: string): Fault => ({ table: 'books', row: '1', runId: null, says });
    const [book, ...more] = await read(db.selectFrom('books').selectAll());
    // guard: L5-one-sum
    if (book?.id !== 1 || more.length > 0) return [fault('must be one row, and is not')];
    if (!isBook(seal, book)) return [{ ...fault('was changed by somebody else'), forged: true }];
    return offBooks(JSON.parse(book.sums) as Sums, tallies);
  };

  const counts = async (): Promise<Fault[]> => {
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

  const logOf = async (runId: string): Promise<{ head: Head | null; events: EventRow[] }> => {
    const found = await read(db.selectFrom('events').selectAll().where('run_id', '=', runId).orderBy('seq'));
    const events = found.map(eventOf);
    const [state] = await read(db.selectFrom('run_states').selectAll().where('run_id', '=', runId));
    if (!state) return { head: null, events };
    const { seq, head_hash: hash, head_mac: mac } = state;
    const head: Head = {
      // Our own JSON when the mark is right; replay compares it with what the log makes.
      run: readRun(state.fold_json, runId),
      seq,
      hash,
      mac,
      macValid: sameMark(markState(seal, state).mark, mac),
      chainBroken: brokenLink(
        events.map((e) => ({ ...e, payload: e.body })),
        { seq, hash },
      ),
    };
    return { head, events };
  };

  const runsOf = async (only: string | undefined): Promise<string[]> => {
    const those = only === undefined ? raw`1 = 1` : raw`run_id = ${only}`;
    // guard: L5-events-have-run
    const found = await rows(raw<StoredRow>`
      select run_id from runs where ${those} union select run_id from run_states where ${those}
      union select run_id from events where ${those} union select run_id from approvals where ${those} order by 1`);
    return found.map((r) => String(r['run_id']));
  };

  const by = (table: string, order: string) =>
    ofRun(
      (runId) =>
        raw<StoredRow>`select * from ${raw.table(table)} where run_id = ${runId} order by ${raw.ref(order)}`,
    );
  const ordersOf = by('runs', 'run_id');
  const statesOf = by('run_states', 'run_id');
  const approvalsOf = by('approvals', 'id');
  const effectsOf = by('effects', 'n');
  const signaturesOf = ofRun(
    (runId) => raw<StoredRow>`
      select s.* from approval_signatures s join approvals a on a.id = s.approval_id where a.run_id = ${runId}`,
  );
  const storedOf = async (runId: string): Promise<Stored> => ({
    runs: await ordersOf(runId),
    run_states: await statesOf(runId),
    approvals: await approvalsOf(runId),
    approval_signatures: await signaturesOf(runId),
    effects: await effectsOf(runId),
  });

  const behind = async (runId: string, listed: Listed | undefined): Promise<Fault[]> => {
    if (!listed) return [];
    const [event] = await read(
      db.selectFrom('events').select('hash').where('run_id', '=', runId).where('seq', '=', listed.seq),
    );
    // guard: L5-lost-end
    return event?.hash === listed.hash ? [] : [unlisted(runId, listed, false)];
  };

  const changes = async (): Promise<number> =>
    (await read(db.selectFrom('books').select('changes')))[0]?.changes ?? -1;

  return {
    log: logOf,
    look: async (only) => {
      const moment = await changes();
      const log = await foldHouse(db, read);
      /** Runs of which nothing is left, and what is anchored and not there. */
      const lost = async (there: readonly string[]): Promise<Fault[]> => {
        const gone = new Map(log.heads);
        for (const id of there) gone.delete(id);
        const older = await rollback();
        // guard: L5-lost-run
        const faults = [...gone].map(([id, listed]) => unlisted(id, listed, true));
        return older ? [rolledBack(older), ...faults] : faults;
      };
      const runs = await runsOf(only);
      const { tallies, see, add } = createTallies(watched);
      const all = raw`1 = 1`;
      const ofOne = only === undefined ? all : raw`run_id = ${only}`;
      /** Effects are the bulk of a ledger: those of runs are seen with their log. */
      const ofNone = raw`(run_id is null or run_id not in (select value from json_each(${JSON.stringify(runs)})))`;
      const rest: [string, RawBuilder<unknown>][] = [
        ['step_attempts', ofOne],
        ['artifacts', ofOne],
      ];
      if (only === undefined) rest.push(['effects', ofNone]);
      return {
        runs,
        moment,
        moved: async () => (await changes()) !== moment,
        unlike: async (runId, steps) => {
          const stored = await storedOf(runId);
          const marks = [
            ...stored.run_states.map((row) => [watched['run_states'], row] as const),
            ...stored.effects.map((row) => [watched['effects'], row] as const),
          ];
          const unmarked = marks.flatMap(([of, row]) => (of ? (see(of, row) ?? []) : []));
          const outside = stored.effects.filter(({ kind }) => OUTSIDE.has(String(kind)));
          return {
            // guard: L5-replayed-rows
            faults: [
              ...unmarked,
              ...compare(runId, steps, stored),
              ...(await behind(runId, log.heads.get(runId))),
            ],
            outside: outside.map((row) => effectOf(row as Selectable<EffectsTable>)),
          };
        },
        seen: () => tallies,
        rest: async (others) => {
          add(others);
          const faults: Fault[] = [];
          for (const [table, those] of rest) {
            const of = watched[table];
            if (!of) continue;
            for await (const some of rowsOf(of, those))
              for (const row of some) faults.push(...[see(of, row) ?? []].flat());
          }
          if (only !== undefined) return faults;
          const house = [...(await auditHouse(db, read, seal, log)), ...(await lost(runs))];
          // guard: L5-gaps
          return [
            ...faults,
            ...house,
            ...(await gaps(tallies)),
            ...(await books(tallies)),
            ...(await counts()),
          ];
        },
      };
    },
  };
};

/** A state that is not even JSON is judged, too: by its mark. */
const readRun = (fold: string, id: string): Run => {
  try {
    return JSON.parse(fold) as Run;
  } catch {
    return { id } as Run;
  }
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
  prev: row.prev_hash,
  hash: row.hash,
});
