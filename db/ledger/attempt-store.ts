/** Stores attempts, artifacts and boots. */
import { hash } from 'node:crypto';
import { sql as raw } from 'kysely';
import type { ModelUsage } from '#model/reports';
import type { AttemptRow } from '#ports/ledger';
import type { StoredAttempt, LedgerTables } from './row-tables.ts';
import {
  selectAll,
  callStatement,
  selectOne,
  type DefineStatement,
  type SqlScript,
} from '../sql/statements.ts';

export type AttemptStart = Omit<
  AttemptRow,
  'id' | 'no' | 'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr' | 'billed' | 'activity'
>;
export type AttemptEnd = Pick<
  AttemptRow,
  'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr' | 'containment' | 'model'
>;
export type ArtifactRemoval = { runId: string; types: readonly string[]; except: readonly string[] };
export type NewArtifact = { runId: string; type: string; content: string; at: number };

/** L8: maximum length of a log (its end is kept) and of an artifact (UTF-16 units). */
export const MAX_LOG = 262_144;
export const MAX_ARTIFACT = 1_048_576;
export const RUNNING_OUTCOME = 'running';

const recordStatements = (define: DefineStatement) => ({
  full: define((db, a: { run_id: string; type: string }) =>
    db
      .selectFrom('artifacts')
      .selectAll()
      .where('run_id', '=', a.run_id)
      .where('artifact_type', '=', a.type)
      .where('content', '!=', raw.lit('')),
  ),
  last: define((db, a: { run_id: string; step: string }) =>
    db
      .selectFrom('step_attempts')
      .select('attempt_no')
      .where('run_id', '=', a.run_id)
      .where('step', '=', a.step)
      .orderBy('attempt_no', 'desc')
      .limit(raw.lit(1)),
  ),
  /** A run's work is serial, so an earlier attempt is over. */
  interrupt: define((db, a: { run_id: string; boot: string }) =>
    db
      .updateTable('step_attempts')
      .set({ outcome: raw.lit('interrupted') })
      .where('run_id', '=', a.run_id)
      .where('outcome', '=', raw.lit(RUNNING_OUTCOME))
      .where('boot_id', '!=', a.boot),
  ),
  attempt: define((db, a: { id: number }) =>
    db.selectFrom('step_attempts').selectAll().where('id', '=', a.id),
  ),
  lastBoot: define((db, a: { boot: string }) =>
    db
      .selectFrom('boots')
      .select('last_seen_at')
      .where('id', '!=', a.boot)
      // Workers do not receive inputs, so their life signs do not count.
      .where('id', 'not like', raw.lit('worker:%'))
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

export const createAttemptStore = (
  define: DefineStatement,
  tables: LedgerTables,
  boot: string,
  { beside }: { beside: boolean },
) => {
  const sql = recordStatements(define);
  const { attempts, artifacts } = tables;

  function* changeAttempt(id: number, patch: Partial<StoredAttempt>): SqlScript<void> {
    const row = yield* selectOne(sql.attempt, { id });
    if (row) yield* attempts.change(row, patch);
  }

  return {
    *start(attempt: AttemptStart): SqlScript<number> {
      const last = yield* selectOne(sql.last, { run_id: attempt.runId, step: attempt.step });
      // A single process has ended all earlier attempts.
      if (beside) yield callStatement(sql.interrupt, { run_id: attempt.runId, boot });
      const id = yield* attempts.next();
      yield* attempts.insert({
        id,
        run_id: attempt.runId,
        step: attempt.step,
        attempt_no: (last?.attempt_no ?? 0) + 1,
        command: attempt.command,
        exit_code: null,
        outcome: RUNNING_OUTCOME,
        stdout_log: null,
        stderr_log: null,
        duration_ms: 0,
        engine: attempt.engine,
        model: attempt.model,
        prompt_hash: attempt.promptHash,
        base_sha: attempt.baseSha,
        containment: attempt.containment,
        pid: attempt.pid,
        pid_start: attempt.pidStart,
        billed_json: null,
        activity_json: null,
        boot_id: boot,
        created_at: attempt.startedAt,
      });
      return id;
    },
    *recordBill(id: number, most: ModelUsage): SqlScript<void> {
      yield* changeAttempt(id, { billed_json: JSON.stringify(most) });
    },
    *recordActivity(id: number, activity: NonNullable<AttemptRow['activity']>): SqlScript<void> {
      yield* changeAttempt(id, { activity_json: JSON.stringify(activity) });
    },
    *recordProcess(id: number, pid: number, pidStart: string | null): SqlScript<void> {
      yield* changeAttempt(id, { pid, pid_start: pidStart });
    },
    *end(id: number, ending: AttemptEnd): SqlScript<void> {
      yield* changeAttempt(id, {
        exit_code: ending.exitCode,
        outcome: ending.outcome,
        duration_ms: ending.ms,
        stdout_log: clipLog(ending.stdout),
        stderr_log: clipLog(ending.stderr),
        containment: ending.containment,
        model: ending.model,
        activity_json: null,
      });
    },
    *storeArtifact({ runId, type, content, at }: NewArtifact): SqlScript<string> {
      if (content.length > MAX_ARTIFACT) {
        throw new Error(
          `The artifact ${type} is ${content.length} characters long; at most ${MAX_ARTIFACT} are kept. Shorten it first.`,
        );
      }
      const digest = artifactDigest(content);
      yield* artifacts.insert({
        id: yield* artifacts.next(),
        run_id: runId,
        artifact_type: type,
        uri: digest,
        metadata_json: JSON.stringify({ bytes: Buffer.byteLength(content) }),
        content,
        created_at: at,
      });
      return digest;
    },
    /** The rows stay, with the digest of their content. */
    *forgetArtifacts({ runId, types, except }: ArtifactRemoval): SqlScript<void> {
      for (const type of types)
        for (const row of yield* selectAll(sql.full, { run_id: runId, type }))
          if (!except.includes(row.uri)) yield* artifacts.change(row, { content: '' });
    },
    *recordBoot(now: number): SqlScript<number | null> {
      const last = yield* selectOne(sql.lastBoot, { boot });
      yield* selectAll(sql.boot, { boot, now });
      return last?.last_seen_at ?? null;
    },
  };
};

export type AttemptScripts = ReturnType<typeof createAttemptStore>;

export const artifactDigest = (content: string): string => `sha256:${hash('sha256', content)}`;

const clipLog = (log: string | null): string | null => {
  if (log === null || log.length <= MAX_LOG) return log;
  return `[${log.length - MAX_LOG} characters left out]\n${log.slice(-MAX_LOG)}`;
};
