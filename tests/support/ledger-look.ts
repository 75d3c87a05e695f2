/** Reads a ledger's database directly, without the product's code. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Run } from '#run';

export type Unfinished = {
  kind: string;
  state: string;
  run: string | null;
  slot: string | null;
  reason: string | null;
};
export type Looking = ReturnType<typeof lookInto>;

export const lookInto = (dataDir: string) => {
  const db = new Database(join(dataDir, 'ledger.db'), { readonly: true, timeout: 5_000 });
  const all = <T>(sql: string): T[] => {
    try {
      return db.prepare(sql).all() as T[];
    } catch (error) {
      // Tables are missing before the first migration.
      if (error instanceof Error && /no such table/.test(error.message)) return [];
      throw error;
    }
  };
  return {
    /** Newest first. */
    runs: (): Run[] =>
      all<{ run_id: string; records: string }>(
        `select run_id, json_group_object(record, json(body_json)) as records
         from run_records join runs using (run_id) group by run_id order by created_at desc`,
      ).map((row) => ({ id: row.run_id, ...(JSON.parse(row.records) as Omit<Run, 'id'>) })),
    states: (runId: string): string[] =>
      all<{ run_id: string; state_after: string }>(
        'select run_id, state_after from events order by run_id, seq',
      )
        .filter((e) => e.run_id === runId)
        .map((e) => e.state_after),
    /** Oldest first. */
    approvals: (runId: string): { kind: string; state: string; digest: string }[] =>
      all<{ run_id: string; kind: string; state: string; digest: string }>(
        'select run_id, kind, state, digest from approvals order by opened_at, id',
      ).filter((one) => one.run_id === runId),
    inbox: (): Record<string, number> =>
      Object.fromEntries(
        all<{ state: string; n: number }>('select state, count(*) as n from inbox group by state').map(
          (r) => [r.state, r.n],
        ),
      ),
    /** Newest last. */
    notes: (): string[] =>
      all<{ note: string | null }>('select note from inbox order by id').map((r) => r.note ?? ''),
    effects: (): (Unfinished & { tries: number })[] =>
      all('select kind, state, run_id as run, reason, tries, slot from effects order by n'),
    /** Of one run, or of all; oldest first. */
    attempts: (runId?: string): { step: string; outcome: string }[] =>
      all<{ run: string; step: string; outcome: string }>(
        'select run_id as run, step, outcome from step_attempts order by id',
      )
        .filter(({ run }) => runId === undefined || run === runId)
        .map(({ step, outcome }) => ({ step, outcome })),
    /** Oldest first. */
    printed: (runId: string): { step: string; stdout: string; stderr: string }[] =>
      all<{ run: string; step: string; stdout: string | null; stderr: string | null }>(
        'select run_id as run, step, stdout_log as stdout, stderr_log as stderr from step_attempts order by id',
      )
        .filter((row) => row.run === runId)
        .map((row) => ({ step: row.step, stdout: row.stdout ?? '', stderr: row.stderr ?? '' })),
    /** The facts of a run's turns, oldest first. */
    turns: (runId: string): { seq: number; context: { tokens: number } }[] =>
      all<{ run: string; seq: number; facts: string }>(
        'select run_id as run, seq, facts_json as facts from turns order by run_id, seq',
      )
        .filter((row) => row.run === runId)
        .map((row) => ({ seq: row.seq, ...(JSON.parse(row.facts) as { context: { tokens: number } }) })),
    /** Work that the product still has to do; polls and timers are excluded. */
    unfinished: (): Unfinished[] => [
      ...all<Unfinished>(
        "select kind, state, run_id as run, slot, reason from effects where state in ('pending', 'claimed') and kind not in ('offer_input', 'poll', 'expedite_poll')",
      ),
      ...all<Unfinished>(
        "select 'inbox' as kind, state, null as run, null as slot, note as reason from inbox where state = 'new'",
      ),
    ],
    close: (): void => void db.close(),
  };
};
