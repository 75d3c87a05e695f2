/** What is kept about a run besides its events: attempts, artifacts; and people, settings and boots. */
import { hash } from 'node:crypto';
import { sql as raw } from 'kysely';
import type { AttemptRow, UserRow } from '../orchestrator/ports.ts';
import { all, one, type Define, type Script } from './statements.ts';

export type AttemptStart = Omit<
  AttemptRow,
  'id' | 'no' | 'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr'
>;
export type AttemptEnd = Pick<
  AttemptRow,
  'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr' | 'containment' | 'model'
>;
export type NewArtifact = { runId: string; type: string; content: string; at: number };

/** L8: the last characters of a log that are kept, and the size that an artifact may have (UTF-16 units). */
export const MAX_LOG = 262_144;
export const MAX_ARTIFACT = 1_048_576;
/** The outcome of an attempt that has none yet. */
export const RUNNING = 'running';

const recordStatements = (define: Define) => ({
  last: define((db, a: { run_id: string; step: string }) =>
    db
      .selectFrom('step_attempts')
      .select('attempt_no')
      .where('run_id', '=', a.run_id)
      .where('step', '=', a.step)
      .orderBy('attempt_no', 'desc')
      .limit(raw.lit(1)),
  ),
  start: define((db, a: AttemptStart & { no: number; boot: string }) =>
    db
      .insertInto('step_attempts')
      .values({
        run_id: a.runId,
        step: a.step,
        attempt_no: a.no,
        command: a.command,
        outcome: RUNNING,
        duration_ms: raw.lit(0),
        engine: a.engine,
        model: a.model,
        prompt_hash: a.promptHash,
        base_sha: a.baseSha,
        containment: a.containment,
        pid: a.pid,
        pid_start: a.pidStart,
        boot_id: a.boot,
        created_at: a.startedAt,
      })
      .returning('id'),
  ),
  running: define((db, a: { id: number; pid: number; pidStart: string | null }) =>
    db.updateTable('step_attempts').set({ pid: a.pid, pid_start: a.pidStart }).where('id', '=', a.id),
  ),
  end: define((db, a: AttemptEnd & { id: number }) =>
    db
      .updateTable('step_attempts')
      .set({
        exit_code: a.exitCode,
        outcome: a.outcome,
        duration_ms: a.ms,
        stdout_log: a.stdout,
        stderr_log: a.stderr,
        containment: a.containment,
        model: a.model,
      })
      .where('id', '=', a.id),
  ),
  artifact: define((db, a: NewArtifact & { uri: string; metadata: string }) =>
    db
      .insertInto('artifacts')
      .values({
        run_id: a.runId,
        artifact_type: a.type,
        uri: a.uri,
        metadata_json: a.metadata,
        content: a.content,
        created_at: a.at,
      })
      .returning('id'),
  ),
  user: define((db, a: UserRow) =>
    db
      .insertInto('users')
      .values({ id: a.id, name: a.name, role: a.role })
      .onConflict((c) =>
        c
          .column('id')
          .doUpdateSet((eb) => ({ name: eb.ref('excluded.name'), role: eb.ref('excluded.role') })),
      ),
  ),
  removeUser: define((db, a: { id: number }) => db.deleteFrom('users').where('id', '=', a.id)),
  setting: define((db, a: { key: string; value: string }) =>
    db
      .insertInto('settings')
      .values({ key: a.key, value: a.value })
      .onConflict((c) => c.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))),
  ),
  lastBoot: define((db, a: { boot: string }) =>
    db
      .selectFrom('boots')
      .select('last_seen_at')
      .where('id', '!=', a.boot)
      .orderBy('last_seen_at', 'desc')
      .limit(raw.lit(1)),
  ),
  boot: define((db, a: { boot: string; now: number }) =>
    db
      .insertInto('boots')
      .values({ id: a.boot, started_at: a.now, last_seen_at: a.now })
      .onConflict((c) => c.column('id').doNothing()),
  ),
});

export const createRecords = (define: Define, boot: string) => {
  const sql = recordStatements(define);
  return {
    *start(row: AttemptStart): Script<number> {
      const last = yield* one(sql.last, { run_id: row.runId, step: row.step });
      const started = yield* one(sql.start, { ...row, no: (last?.attempt_no ?? 0) + 1, boot });
      if (!started) throw new Error('a new attempt got no number');
      return started.id;
    },
    *running(id: number, pid: number, pidStart: string | null): Script<void> {
      yield* all(sql.running, { id, pid, pidStart });
    },
    *end(id: number, row: AttemptEnd): Script<void> {
      yield* all(sql.end, { ...row, stdout: tail(row.stdout), stderr: tail(row.stderr), id });
    },
    *artifact(row: NewArtifact): Script<string> {
      const { type, content } = row;
      if (content.length > MAX_ARTIFACT) {
        throw new Error(
          `The artifact ${type} is ${content.length} characters long; at most ${MAX_ARTIFACT} are kept. Shorten it first.`,
        );
      }
      const uri = `sha256:${hash('sha256', content)}`;
      const metadata = JSON.stringify({ bytes: Buffer.byteLength(content) });
      const made = yield* one(sql.artifact, { ...row, uri, metadata });
      if (!made) throw new Error('a new artifact got no number');
      return String(made.id);
    },
    *user(user: UserRow): Script<void> {
      yield* all(sql.user, user);
    },
    *removeUser(id: number): Script<void> {
      yield* all(sql.removeUser, { id });
    },
    *setting(key: string, value: string): Script<void> {
      yield* all(sql.setting, { key, value });
    },
    /** Registers this boot and gives the time the last one was seen alive. */
    *boot(now: number): Script<number | null> {
      const last = yield* one(sql.lastBoot, { boot });
      yield* all(sql.boot, { boot, now });
      return last?.last_seen_at ?? null;
    },
  };
};

/** The end of a log says how it ended. */
const tail = (log: string | null): string | null => {
  if (log === null || log.length <= MAX_LOG) return log;
  return `[${log.length - MAX_LOG} characters left out]\n${log.slice(-MAX_LOG)}`;
};
