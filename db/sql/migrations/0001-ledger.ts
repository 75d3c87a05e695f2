/** The first schema (L1). */
import { sql } from 'kysely';
import type { DatabaseEngine } from '../database-engine.ts';
import { createIndex, createNumberedTable, type MigrationDatabase } from './schema-builders.ts';

export const ledgerMigration = (engine: DatabaseEngine) => ({
  up: async (db: MigrationDatabase): Promise<void> => {
    for (const create of [
      createRunsTable,
      createEventsTable,
      createEffectsTable,
      createInboxTable,
      createApprovalsTables,
      createAttemptsTable,
      createInstallationTables,
      createBootsTable,
      chatPaces,
      forgeResponses,
    ])
      await create(db, engine);
    await appendOnly(db, engine);
  },
});

const createRunsTable = async (db: MigrationDatabase): Promise<void> => {
  await db.schema
    .createTable('runs')
    .addColumn('run_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('repo', 'text', (c) => c.notNull())
    .addColumn('prompt_version', 'text', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('budget_json', 'text', (c) => c.notNull())
    .addColumn('order_json', 'text', (c) => c.notNull())
    .addColumn('workspace_dir', 'text')
    .addColumn('pr_number', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('run_states')
    .addColumn('run_id', 'text', (c) => c.primaryKey().notNull().references('runs.run_id'))
    .addColumn('repo', 'text', (c) => c.notNull())
    .addColumn('repo_id', 'text')
    .addColumn('current_state', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('epoch', 'integer', (c) => c.notNull())
    .addColumn('busy', 'integer', (c) => c.notNull())
    .addColumn('live', 'integer', (c) => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('records_hash', 'text', (c) => c.notNull())
    .addColumn('last_error', 'text')
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('head_hash', 'text', (c) => c.notNull())
    .addColumn('head_mac', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('run_records')
    .addColumn('run_id', 'text', (c) => c.notNull().references('runs.run_id'))
    .addColumn('record', 'text', (c) => c.notNull())
    .addColumn('body_json', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('run_records_key', ['run_id', 'record'])
    .execute();
  await createIndex(db, 'run_states_newest', 'run_states', ['live', 'updated_at']);
  await createIndex(db, 'run_states_repo', 'run_states', ['repo', 'repo_id', 'live', 'updated_at']);
  await createIndex(db, 'run_states_repo_id', 'run_states', ['repo_id', 'live', 'updated_at']);
  await createIndex(db, 'run_states_busy', 'run_states', ['busy'], 'busy = 1');
  await createIndex(db, 'run_states_started', 'run_states', ['started_at'], 'started_at is not null');
  await db.schema
    .createTable('state_counts')
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('n', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('state_counts_key', ['scope', 'state'])
    .execute();
};

const createEventsTable = async (db: MigrationDatabase, engine: DatabaseEngine): Promise<void> => {
  await createNumberedTable(db, engine, { table: 'events', id: 'event_id' }, (table) =>
    table
      .addColumn('run_id', 'text', (c) => c.notNull().references('runs.run_id'))
      .addColumn('seq', 'integer', (c) => c.notNull())
      .addColumn('event_type', 'text', (c) => c.notNull())
      .addColumn('idempotency_key', 'text', (c) => c.notNull())
      .addColumn('payload_json', 'text', (c) => c.notNull())
      .addColumn('state_after', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addUniqueConstraint('events_order', ['run_id', 'seq'])
      .addUniqueConstraint('events_cause', ['run_id', 'idempotency_key']),
  );
};

const createEffectsTable = async (db: MigrationDatabase, engine: DatabaseEngine): Promise<void> => {
  await createNumberedTable(db, engine, { table: 'effects', id: 'n' }, (table) =>
    table
      .addColumn('id', 'text', (c) => c.notNull().unique())
      // No foreign key, as replies may concern a missing run.
      .addColumn('run_id', 'text')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('lane', 'text')
      .addColumn('priority', 'integer', (c) => c.notNull())
      .addColumn('slot', 'text')
      .addColumn('chat', 'text')
      .addColumn('request_json', 'text', (c) => c.notNull())
      .addColumn('epoch', 'integer')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('lease_epoch', 'integer', (c) => c.notNull())
      .addColumn('lease_until', 'bigint')
      .addColumn('lease_owner', 'text')
      .addColumn('result_json', 'text')
      .addColumn('reason', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('mac', 'text', (c) => c.notNull())
      .addColumn('loud', 'integer', (c) => c.notNull()),
  );
  await createIndex(db, 'effects_due', 'effects', ['priority', 'due_at', 'n'], "state = 'pending'");
  await createIndex(db, 'effects_run', 'effects', ['run_id', 'state'], 'run_id is not null');
  await createIndex(db, 'effects_slot', 'effects', ['slot', 'state', 'n'], 'slot is not null');
  await createIndex(
    db,
    'effects_chat',
    'effects',
    ['chat', 'priority', 'due_at'],
    "state = 'pending' and chat is not null",
  );
  await createIndex(db, 'effects_dead', 'effects', ['n'], "state = 'dead'");
  // The database itself keeps lanes serial.
  await db.schema
    .createIndex('effects_lane')
    .unique()
    .on('effects')
    .column('lane')
    .where(sql.raw<boolean>("state = 'claimed'"))
    .execute();
  await createIndex(db, 'effects_leased', 'effects', ['lease_until'], "state = 'claimed'");
};

const createInboxTable = async (db: MigrationDatabase, engine: DatabaseEngine): Promise<void> => {
  await createNumberedTable(db, engine, { table: 'inbox', id: 'id' }, (table) =>
    table
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('note', 'text')
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('handled_at', 'bigint')
      .addColumn('lane', 'text')
      .addColumn('priority', 'integer', (c) => c.notNull())
      .addColumn('turn', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('mac', 'text')
      .addUniqueConstraint('inbox_cause', ['source', 'key']),
  );
  // Bodies are short-lived, so compression costs more than it saves.
  if (engine === 'postgres') await sql`alter table inbox alter body set storage external`.execute(db);
  await createIndex(db, 'inbox_new', 'inbox', ['turn', 'priority', 'id'], "state = 'new'");
  await createIndex(db, 'inbox_lane', 'inbox', ['lane', 'priority', 'turn'], "state = 'new'");
  await createIndex(db, 'inbox_handled', 'inbox', ['handled_at'], 'handled_at is not null');
};

const createApprovalsTables = async (db: MigrationDatabase): Promise<void> => {
  await db.schema
    .createTable('approvals')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('run_id', 'text', (c) => c.notNull().references('runs.run_id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('digest', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('needed', 'integer', (c) => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('consumed_by', 'text', (c) => c.unique())
    .addColumn('passed_to', 'text', (c) => c.unique())
    .addColumn('opened_at', 'bigint', (c) => c.notNull())
    .addColumn('closed_at', 'bigint')
    .execute();
  await createIndex(db, 'approvals_run', 'approvals', ['run_id']);
  await db.schema
    .createIndex('approvals_open')
    .unique()
    .on('approvals')
    .column('run_id')
    .where(sql.raw<boolean>("state = 'open'"))
    .execute();
  await db.schema
    .createTable('approval_signatures')
    .addColumn('approval_id', 'text', (c) => c.notNull().references('approvals.id'))
    .addColumn('user_id', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('signed_at', 'bigint', (c) => c.notNull())
    .execute();
  // One signature per person; null is the operator on the host.
  await db.schema
    .createIndex('approval_signatures_once')
    .unique()
    .on('approval_signatures')
    .expression(sql`approval_id, coalesce(user_id, '')`)
    .execute();
};

const createAttemptsTable = async (db: MigrationDatabase, engine: DatabaseEngine): Promise<void> => {
  await createNumberedTable(db, engine, { table: 'step_attempts', id: 'id' }, (table) =>
    table
      .addColumn('run_id', 'text', (c) => c.notNull().references('runs.run_id'))
      .addColumn('step', 'text', (c) => c.notNull())
      .addColumn('attempt_no', 'integer', (c) => c.notNull())
      .addColumn('command', 'text', (c) => c.notNull())
      .addColumn('exit_code', 'integer')
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('stdout_log', 'text')
      .addColumn('stderr_log', 'text')
      .addColumn('duration_ms', 'bigint', (c) => c.notNull())
      .addColumn('engine', 'text')
      .addColumn('model', 'text')
      .addColumn('prompt_hash', 'text')
      .addColumn('base_sha', 'text')
      .addColumn('containment', 'text')
      .addColumn('pid', 'integer')
      .addColumn('pid_start', 'text')
      .addColumn('boot_id', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('step_attempts_order', ['run_id', 'step', 'attempt_no']),
  );
  await createIndex(db, 'step_attempts_running', 'step_attempts', ['id'], "outcome = 'running'");
  await createNumberedTable(db, engine, { table: 'artifacts', id: 'id' }, (table) =>
    table
      .addColumn('run_id', 'text', (c) => c.notNull().references('runs.run_id'))
      .addColumn('artifact_type', 'text', (c) => c.notNull())
      .addColumn('uri', 'text', (c) => c.notNull())
      .addColumn('metadata_json', 'text', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull()),
  );
  await createIndex(db, 'artifacts_named', 'artifacts', ['run_id', 'uri']);
};

const createInstallationTables = async (db: MigrationDatabase, engine: DatabaseEngine): Promise<void> => {
  await db.schema
    .createTable('installation_events')
    .addColumn('seq', engine === 'sqlite' ? 'integer' : 'bigint', (c) => c.primaryKey().notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('body_json', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('installation')
    .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('head_hash', 'text', (c) => c.notNull())
    .addColumn('fold_json', 'text', (c) => c.notNull())
    .addColumn('head_mac', 'text', (c) => c.notNull())
    .execute();
};

const createBootsTable = async (db: MigrationDatabase): Promise<void> => {
  await db.schema
    .createTable('boots')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
    .execute();
};

const chatPaces = async (db: MigrationDatabase): Promise<void> => {
  let table = db.schema.createTable('chat_paces').addColumn('chat', 'text', (c) => c.primaryKey().notNull());
  for (const column of [
    'owed_at',
    'strict_until',
    'card_at',
    'answer_at',
    'message_at',
    'progress_at',
  ] as const)
    table = table.addColumn(column, 'bigint', (c) => c.notNull());
  await table.execute();
};

const forgeResponses = async (db: MigrationDatabase): Promise<void> => {
  await db.schema
    .createTable('forge_responses')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('etag', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('more', 'integer', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await createIndex(db, 'forge_responses_old', 'forge_responses', ['at']);
  const budgets = db.schema
    .createTable('write_budgets')
    .addColumn('identity', 'text', (c) => c.primaryKey().notNull());
  await budgets.addColumn('budget_json', 'text', (c) => c.notNull()).execute();
};

const appendOnly = async (db: MigrationDatabase, engine: DatabaseEngine): Promise<void> => {
  const says = sql.lit('the event log is append-only');
  if (engine === 'postgres')
    await sql`create function append_only() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception 'the event log is append-only'; end`)}`.execute(db);
  for (const table of ['events', 'installation_events']) {
    for (const verb of ['update', 'delete']) {
      const does =
        engine === 'sqlite'
          ? sql`begin select raise(abort, ${says}); end`
          : sql`for each row execute function append_only()`;
      await sql`create trigger ${sql.raw(`${table}_no_${verb}`)} before ${sql.raw(verb)} on ${sql.raw(table)}
        ${does}`.execute(db);
    }
    if (engine === 'postgres')
      await sql`create trigger ${sql.raw(`${table}_no_truncate`)} before truncate on ${sql.raw(table)}
        for each statement execute function append_only()`.execute(db);
  }
};
