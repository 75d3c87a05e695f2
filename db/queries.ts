/** Reading the ledger. Nothing here writes, and nothing here is used inside a step. */
import type { KeyObject } from 'node:crypto';
import { sql as raw, type Selectable } from 'kysely';
import type { Effect } from '../orchestrator/core/effects.ts';
import type { Run } from '../orchestrator/core/run.ts';
import type {
  AttemptRow,
  EffectRow,
  EventRow,
  Head,
  InboxRow,
  Queries,
  SentMessage,
} from '../orchestrator/ports.ts';
import { brokenLink, isHead } from './chain.ts';
import { RUNNING } from './records.ts';
import type { ApprovalsTable, AttemptsTable, EffectsTable, EventsTable, InboxTable } from './schema.ts';
import type { Builder, Compilable } from './statements.ts';

export type Read = <R>(query: Compilable<R>) => Promise<R[]>;

export const createQueries = (db: Builder, read: Read, key: KeyObject): Queries => {
  const one = async <R>(query: Compilable<R>): Promise<R | null> => (await read(query))[0] ?? null;
  const counts = async (scope: 'run' | 'inbox'): Promise<Record<string, number>> => {
    const rows = await read(db.selectFrom('state_counts').select(['state', 'n']).where('scope', '=', scope));
    return Object.fromEntries(rows.filter((r) => r.n !== 0).map((r) => [r.state, r.n]));
  };
  const newest = (live: number, limit: number, repo: string | undefined) =>
    read(
      db
        .selectFrom('run_states')
        .select(['fold_json', 'updated_at'])
        .where('live', '=', live)
        .$if(repo !== undefined, (q) => q.where('repo', '=', repo?.toLowerCase() ?? ''))
        .orderBy('updated_at', 'desc')
        .limit(limit),
    );

  const events = async (runId: string): Promise<EventRow[]> => {
    const rows = await read(db.selectFrom('events').selectAll().where('run_id', '=', runId).orderBy('seq'));
    return rows.map(eventOf);
  };

  return {
    run: async (id) => {
      const row = await one(db.selectFrom('run_states').select('fold_json').where('run_id', '=', id));
      return row && runOf(row);
    },
    runs: async ({ live, limit, repo }) => {
      const rows = [...(await newest(1, limit, repo)), ...(live ? [] : await newest(0, limit, repo))];
      return rows
        .sort((a, b) => b.updated_at - a.updated_at)
        .slice(0, limit)
        .map(runOf);
    },
    load: async (since) => {
      const amount = (q: Compilable<{ n: number }>): Promise<number> => one(q).then((r) => r?.n ?? 0);
      const some = db.selectFrom('run_states').select((eb) => eb.fn.countAll<number>().as('n'));
      return {
        busy: await amount(some.where('busy', '=', raw.lit(1))),
        started: await amount(some.where('started_at', '>=', since)),
        queued: (await counts('run'))['QUEUED'] ?? 0,
      };
    },
    counts: () => counts('run'),
    incoming: (id) => one(db.selectFrom('inbox').select(['state', 'note']).where('id', '=', id)),
    inboxCounts: () => counts('inbox'),
    events,
    effects: async ({ runId, state, kind }) => {
      const rows = await read(
        db
          .selectFrom('effects')
          .selectAll()
          .$if(runId !== undefined, (q) => q.where('run_id', '=', runId ?? ''))
          // Literals, so that the indexes over one state serve them.
          .$if(state !== undefined, (q) => q.where('state', '=', raw.lit(state ?? 'pending')))
          .$if(kind !== undefined, (q) => q.where('kind', '=', kind ?? 'tell'))
          .orderBy('n'),
      );
      return rows.map(effectOf);
    },
    effect: async (n) => {
      const row = await one(db.selectFrom('effects').selectAll().where('n', '=', n));
      return row && effectOf(row);
    },
    sent: async (slot) => {
      const rows = await read(
        db
          .selectFrom('effects')
          .select('result_json')
          .where('slot', '=', slot)
          .where('state', '=', 'done')
          .where('result_json', 'is not', null)
          .orderBy('n', 'desc')
          .limit(10),
      );
      return rows.map((r) => messageOf(r.result_json)).find((m) => m !== null) ?? null;
    },
    approval: async (id) => {
      const row = await one(db.selectFrom('approvals').selectAll().where('id', '=', id));
      return row && approvalOf(row);
    },
    approvals: async ({ runId, state }) => {
      const rows = await read(
        db
          .selectFrom('approvals')
          .selectAll()
          .$if(runId !== undefined, (q) => q.where('run_id', '=', runId ?? ''))
          .$if(state !== undefined, (q) => q.where('state', '=', raw.lit(state ?? 'open')))
          .orderBy('opened_at')
          .orderBy('id'),
      );
      return rows.map(approvalOf);
    },
    attempts: async (runId) => {
      const rows = await read(
        db.selectFrom('step_attempts').selectAll().where('run_id', '=', runId).orderBy('id'),
      );
      return rows.map(attemptOf);
    },
    artifact: async (id) => {
      if (!/^\d{1,15}$/.test(id)) return null;
      const row = await one(
        db
          .selectFrom('artifacts')
          .select(['run_id as runId', 'artifact_type as type', 'content'])
          .where('id', '=', Number(id)),
      );
      return row;
    },
    latest: async (runId, type) => {
      const row = await one(
        db
          .selectFrom('artifacts')
          .select('id')
          .where('run_id', '=', runId)
          .where('artifact_type', '=', type)
          .orderBy('id', 'desc')
          .limit(1),
      );
      return row && String(row.id);
    },
    user: (id) => one(db.selectFrom('users').selectAll().where('id', '=', id)),
    users: () => read(db.selectFrom('users').selectAll().orderBy('id')),
    setting: async (name) => {
      const row = await one(db.selectFrom('settings').select('value').where('key', '=', name));
      return row && row.value;
    },
    heads: async (only) => {
      const rows = await read(
        db
          .selectFrom('run_states')
          .select(['run_id', 'seq', 'head_hash', 'head_mac', 'fold_json'])
          .$if(only !== undefined, (q) => q.where('run_id', '=', only ?? ''))
          .orderBy('run_id'),
      );
      const heads: Head[] = [];
      for (const { run_id: runId, seq, head_hash: hash, head_mac: mac, fold_json: fold } of rows) {
        const log = (await events(runId)).map((e) => ({ ...e, payload: e.body }));
        heads.push({
          run: runOf({ fold_json: fold }),
          seq,
          hash,
          mac,
          macValid: isHead(key, { runId, seq, hash, fold }, mac),
          chainBroken: brokenLink(log, { seq, hash }),
        });
      }
      return heads;
    },
  };
};

/** Inbox rows that are not handled yet, oldest first. */
export const unhandled = async (db: Builder, read: Read, limit: number): Promise<InboxRow[]> => {
  const rows = await read(
    db.selectFrom('inbox').selectAll().where('state', '=', raw.lit<'new'>('new')).orderBy('id').limit(limit),
  );
  return rows.map(inboxOf);
};

/** Attempts of earlier boots that never ended. */
export const orphans = async (db: Builder, read: Read, boot: string): Promise<AttemptRow[]> => {
  const rows = await read(
    db
      .selectFrom('step_attempts')
      .selectAll()
      .where('outcome', '=', raw.lit(RUNNING))
      .where('boot_id', '!=', boot)
      .orderBy('id'),
  );
  return rows.map(attemptOf);
};

// The JSON below is our own: written from values of these very types.
const runOf = (row: { fold_json: string }): Run => JSON.parse(row.fold_json) as Run;

const inboxOf = (row: Selectable<InboxTable>): InboxRow => ({
  id: row.id,
  source: row.source,
  key: row.key,
  body: JSON.parse(row.body),
  tries: row.tries,
  receivedAt: row.received_at,
});

const eventOf = (row: Selectable<EventsTable>) => ({
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

const effectOf = (row: Selectable<EffectsTable>): EffectRow => ({
  n: row.n,
  id: row.id,
  runId: row.run_id,
  kind: row.kind,
  do: JSON.parse(row.do_json) as Effect['do'],
  state: row.state,
  epoch: row.epoch,
  slot: row.slot,
  chat: row.chat,
  tries: row.tries,
  dueAt: row.due_at,
  result: row.result_json === null ? null : JSON.parse(row.result_json),
  reason: row.reason,
});

const messageOf = (json: string | null): SentMessage | null => {
  const result: unknown = json === null ? null : JSON.parse(json);
  if (typeof result !== 'object' || result === null || !('chat' in result) || !('messageId' in result))
    return null;
  const { chat, messageId } = result;
  return typeof chat === 'number' && typeof messageId === 'number' ? { chat, messageId } : null;
};

const approvalOf = (row: Selectable<ApprovalsTable>) => ({
  id: row.id,
  runId: row.run_id,
  kind: row.kind,
  digest: row.digest,
  state: row.state,
  expiresAt: row.expires_at,
  needed: row.needed,
  reason: row.reason,
  consumedBy: row.consumed_by,
  openedAt: row.opened_at,
  closedAt: row.closed_at,
});

const attemptOf = (row: Selectable<AttemptsTable>): AttemptRow => ({
  id: row.id,
  runId: row.run_id,
  step: row.step,
  no: row.attempt_no,
  command: row.command,
  exitCode: row.exit_code,
  outcome: row.outcome,
  startedAt: row.created_at,
  ms: row.duration_ms,
  engine: row.engine,
  model: row.model,
  promptHash: row.prompt_hash,
  baseSha: row.base_sha,
  containment: row.containment,
  pid: row.pid,
  pidStart: row.pid_start,
  stdout: row.stdout_log,
  stderr: row.stderr_log,
});
