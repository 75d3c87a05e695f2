/** The statements of a step, compiled once (L2). */
import { sql } from 'kysely';
import { selectEffectKinds, type EffectKind } from '#effects';
import type { IncomingItem } from '#ports/steps';
import type {
  ApprovalsTable,
  EventsTable,
  RunRecordsTable,
  RunsTable,
  RunStatesTable,
} from '../sql/schema.ts';
import { defineMany, type DefineStatement } from '../sql/statements.ts';

/** A started opening may have succeeded, so its handler must finish. */
const FINISH_ONCE_TRIED = selectEffectKinds(({ finishes }) => finishes === 'tried').map((kind) =>
  sql.lit(kind),
);
const FINISH_ONCE_CLAIMED = selectEffectKinds(({ finishes }) => finishes === 'claimed').map((kind) =>
  sql.lit(kind),
);

type NewIncoming = {
  source: IncomingItem['source'];
  key: string;
  body: string;
  state: 'new' | 'done';
  note: string | null;
  received_at: number;
  handled_at: number | null;
  mac: string | null;
  lane: string | null;
  priority: number;
  before: number;
};
type NewEvent = Omit<EventsTable, 'event_id'>;
type NewApproval = Pick<
  ApprovalsTable,
  'id' | 'run_id' | 'kind' | 'digest' | 'expires_at' | 'needed' | 'opened_at'
>;
type Closing = { id: string; run_id: string; state: ApprovalsTable['state']; reason: string; at: number };
type Extending = { id: string; run_id: string; expires_at: number };
type PassingOn = { id: string; run_id: string; digest: string; to: string };
type Consuming = { id: string; run_id: string; digest: string; at: number; by: string };
type Signing = { id: string; run_id: string; user_id: string | null; name: string; at: number };

export const runStatements = (define: DefineStatement) => ({
  read: define((db, a: { run_id: string }) =>
    db.selectFrom('run_states').selectAll().where('run_id', '=', a.run_id),
  ),
  records: define((db, a: { run_id: string }) =>
    db.selectFrom('run_records').select(['record', 'body_json']).where('run_id', '=', a.run_id),
  ),
  putRecords: defineMany(define, (db, rows: RunRecordsTable[]) =>
    db
      .insertInto('run_records')
      .values(rows.map((a) => pickFields(a, RECORD)))
      .onConflict((c) =>
        c.columns(['run_id', 'record']).doUpdateSet((eb) => ({ body_json: eb.ref('excluded.body_json') })),
      ),
  ),
  seen: define((db, a: { run_id: string; key: string }) =>
    db
      .selectFrom('events')
      .select('event_id')
      .where('run_id', '=', a.run_id)
      .where('idempotency_key', '=', a.key),
  ),
  order: define((db, a: RunsTable) => db.insertInto('runs').values(pickFields(a, RUN_COLUMNS))),
  create: define((db, a: RunStatesTable) =>
    db.insertInto('run_states').values({ run_id: a.run_id, repo: a.repo, ...pickFields(a, STATE) }),
  ),
  /** Compare-and-set: returns no row when another writer was faster. */
  advance: define((db, a: RunStatesTable & { before: number }) =>
    db
      .updateTable('run_states')
      .set(pickFields(a, STATE))
      .where('run_id', '=', a.run_id)
      .where('version', '=', a.before)
      .returning('run_id'),
  ),
  pull: define((db, a: { run_id: string; pr_number: string; at: number }) =>
    db.updateTable('runs').set({ pr_number: a.pr_number, updated_at: a.at }).where('run_id', '=', a.run_id),
  ),
  log: define((db, a: NewEvent) => db.insertInto('events').values(pickFields(a, EVENT))),
  count: define((db, a: { scope: 'run' | 'inbox'; state: string; by: number }) =>
    db
      .insertInto('state_counts')
      .values({ scope: a.scope, state: a.state, n: a.by })
      .onConflict((c) =>
        c
          .columns(['scope', 'state'])
          .doUpdateSet((eb) => ({ n: eb('state_counts.n', '+', eb.ref('excluded.n')) })),
      ),
  ),
  saw: define((db, a: { boot: string; now: number }) =>
    db.updateTable('boots').set({ last_seen_at: a.now }).where('id', '=', a.boot),
  ),
});

export const outboxStatements = (define: DefineStatement) => ({
  // No order: rarely more than one row, and sorting is expensive.
  waiting: define((db, a: { slot: string; chat: string }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('slot', '=', a.slot)
      .where('state', '=', sql.lit('pending'))
      .where('chat', '=', a.chat),
  ),
  waitingOfKind: define((db, a: { run_id: string; kind: EffectKind }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('run_id', '=', a.run_id)
      .where('state', '=', sql.lit('pending'))
      .where('kind', '=', a.kind),
  ),
  known: define((db, a: { id: string }) => db.selectFrom('effects').select('n').where('id', '=', a.id)),
  byNumber: define((db, a: { n: number }) => db.selectFrom('effects').selectAll().where('n', '=', a.n)),
  /** Unstarted effects of an older epoch become void. */
  earlier: define((db, a: { run_id: string }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('run_id', '=', a.run_id)
      .where('state', '=', sql.lit('pending'))
      .where('epoch', 'is not', sql.lit(null))
      .where((eb) => eb.or([eb('kind', 'not in', FINISH_ONCE_TRIED), eb('tries', '=', sql.lit(0))]))
      .where((eb) => eb.or([eb('kind', 'not in', FINISH_ONCE_CLAIMED), eb('lease_epoch', '=', sql.lit(0))])),
  ),
});

type ClosedInboxRow = {
  id: number;
  state: 'done' | 'dead';
  note: string | null;
  mac: string | null;
  now: number;
};

export const causeStatements = (define: DefineStatement) => ({
  /** Returns no row when it was closed already. */
  closeInbox: define((db, a: ClosedInboxRow) =>
    db
      .updateTable('inbox')
      // Drops the body, whose facts are in events now; the key stays to detect duplicates.
      .set({
        state: a.state,
        note: a.note,
        handled_at: a.now,
        // A handled row loses its MAC, so that nobody can reopen it; a dead one gets another.
        mac: a.mac,
        body: sql<string>`case when source = 'forge' and ${a.state} = 'done' then '' else body end`,
      })
      .where('id', '=', a.id)
      // guard: S4-handled-once
      .where('state', '=', sql.lit<'new'>('new'))
      .returning('id'),
  ),
  word: define((db, a: { id: number; state: 'new' | 'dead' }) =>
    db
      .selectFrom('inbox')
      .select(['source', 'key', 'body', 'received_at', 'mac', 'note'])
      .where('id', '=', a.id)
      .where('state', '=', a.state),
  ),
  reopenInbox: define((db, a: { id: number; mac: string | null }) =>
    db
      .updateTable('inbox')
      .set({ state: sql.lit('new'), handled_at: null, tries: sql.lit(0), mac: a.mac })
      .where('id', '=', a.id)
      .where('state', '=', sql.lit<'dead'>('dead'))
      .returning('id'),
  ),
  dropInbox: define((db, a: { id: number; note: string }) =>
    db
      .updateTable('inbox')
      .set({ state: sql.lit('done'), note: a.note, mac: null })
      .where('id', '=', a.id)
      .where('state', '=', sql.lit<'dead'>('dead'))
      .returning('id'),
  ),
  openInbox: define((db, a: { id: number }) =>
    db.selectFrom('inbox').select('id').where('id', '=', a.id).where('state', '=', sql.lit<'new'>('new')),
  ),
  noteInbox: define((db, a: { id: number; note: string }) =>
    db.updateTable('inbox').set({ note: a.note }).where('id', '=', a.id),
  ),
  retryInbox: define((db, a: { id: number; note: string }) =>
    db
      .updateTable('inbox')
      .set((eb) => ({ tries: eb('tries', '+', eb.lit(1)), note: a.note }))
      .where('id', '=', a.id)
      .where('state', '=', sql.lit<'new'>('new'))
      .returning('tries'),
  ),
  receive: defineMany(define, (db, rows: NewIncoming[]) =>
    db
      .insertInto('inbox')
      .values(
        rows.map((a) => ({
          source: a.source,
          key: a.key,
          body: a.body,
          state: a.state,
          note: a.note,
          handled_at: a.handled_at,
          tries: sql.lit(0),
          received_at: a.received_at,
          mac: a.mac,
          lane: a.lane,
          priority: a.priority,
          turn: sql<number>`(select coalesce(max(turn) + 1, 0) + ${a.before} from inbox
            where state = 'new' and lane = ${a.lane} and priority = ${a.priority})`,
        })),
      )
      .onConflict((c) => c.columns(['source', 'key']).doNothing())
      .returning(['id', 'source', 'key']),
  ),
  received: define((db, a: { source: IncomingItem['source']; key: string }) =>
    db.selectFrom('inbox').select('id').where('source', '=', a.source).where('key', '=', a.key),
  ),
});

export const approvalStatements = (define: DefineStatement) => ({
  open: define((db, a: NewApproval) =>
    db
      .insertInto('approvals')
      .values({
        ...pickFields(a, ['id', 'run_id', 'kind', 'digest', 'expires_at', 'needed', 'opened_at']),
        state: sql.lit('open'),
      })
      .returning('id'),
  ),
  close: define((db, a: Closing) =>
    db
      .updateTable('approvals')
      .set({ state: a.state, reason: a.reason, closed_at: a.at })
      .where('id', '=', a.id)
      .where('run_id', '=', a.run_id)
      .where('state', '=', sql.lit<'open'>('open'))
      .returning('id'),
  ),
  extend: define((db, a: Extending) =>
    db
      .updateTable('approvals')
      .set({ expires_at: a.expires_at })
      .where('id', '=', a.id)
      .where('run_id', '=', a.run_id)
      .where('state', '=', sql.lit<'open'>('open'))
      .where('expires_at', '<', a.expires_at)
      .returning('id'),
  ),
  sign: define((db, a: Signing) =>
    db
      .insertInto('approval_signatures')
      .columns(['approval_id', 'user_id', 'name', 'signed_at'])
      .expression(
        db
          .selectFrom('approvals')
          .select((eb) => [
            'id',
            eb.val(a.user_id).as('user_id'),
            eb.val(a.name).as('name'),
            eb.val(a.at).as('signed_at'),
          ])
          .where('id', '=', a.id)
          .where('run_id', '=', a.run_id)
          .where('state', '=', sql.lit<'open'>('open'))
          .where('expires_at', '>', a.at),
      )
      .returning('approval_id'),
  ),
  consume: define((db, a: Consuming) =>
    db
      .updateTable('approvals')
      .set({ state: sql.lit('consumed'), consumed_by: a.by, closed_at: a.at })
      .where('id', '=', a.id)
      .where('run_id', '=', a.run_id)
      // guard: G1-consumed-digest
      .where('digest', '=', a.digest)
      .where('state', '=', sql.lit<'open'>('open'))
      .where('expires_at', '>', a.at)
      .where('consumed_by', 'is', sql.lit(null))
      .where((eb) =>
        eb(
          eb
            .selectFrom('approval_signatures as s')
            .whereRef('s.approval_id', '=', 'approvals.id')
            .select((c) => c.fn.countAll<number>().as('signed')),
          '>=',
          eb.ref('approvals.needed'),
        ),
      )
      .returning('id'),
  ),
  passOn: define((db, a: PassingOn) =>
    db
      .updateTable('approvals')
      .set({ passed_to: a.to })
      .where('id', '=', a.id)
      .where('run_id', '=', a.run_id)
      .where('kind', '=', sql.lit<'open_pr'>('open_pr'))
      .where('digest', '=', a.digest)
      .where('state', '=', sql.lit<'consumed'>('consumed'))
      // guard: G1-passed-on-once
      .where('passed_to', 'is', sql.lit(null))
      .returning('id'),
  ),
});

const RUN_COLUMNS = [
  'run_id', 'owner', 'repo', 'prompt_version', 'budget_json', 'order_json', 'workspace_dir', 'campaign', 'pr_number',
  'created_at', 'updated_at',
] as const satisfies (keyof RunsTable)[]; // oxfmt-ignore
const STATE = [
  'repo_id', 'current_state', 'version', 'epoch', 'busy', 'live', 'started_at', 'records_hash', 'last_error', 'seq',
  'head_hash', 'head_mac', 'updated_at',
] as const satisfies (keyof RunStatesTable)[]; // oxfmt-ignore
const RECORD = ['run_id', 'record', 'body_json'] as const satisfies (keyof RunRecordsTable)[];
const EVENT = [
  'run_id', 'seq', 'event_type', 'idempotency_key', 'payload_json', 'state_after', 'created_at', 'hash',
] as const satisfies (keyof NewEvent)[]; // oxfmt-ignore
/** The columns are named, as argument placeholders have no keys. */
const pickFields = <T extends object, K extends keyof T>(args: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((n) => [n, args[n]])) as Pick<T, K>;
