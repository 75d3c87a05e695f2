/**
 * Preloaded by tests: kills the process right before or after its n-th writing commit. KILL_AT is
 * `<n>:before` or `<n>:after`; KILL_LOG gets a line per commit, just before it. With KILL_ON, only
 * commits count that write to this table.
 */
import { appendFileSync } from 'node:fs';
import Database from 'better-sqlite3';

const [at, phase] = (process.env.KILL_AT ?? '').split(':');
const log = process.env.KILL_LOG;
const on = process.env.KILL_ON;
let commits = 0;
let written = new Set<string>();

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Returns e.g. `insert events`; null for statements that do not write. */
const writes = (sql: string): string | null => {
  const [, verb, table] =
    /^\s*(insert|update|delete)\s+(?:or \w+ )?(?:into |from )?"?(\w+)"?/i.exec(sql) ?? [];
  return verb && table ? `${verb.toLowerCase()} ${table}` : null;
};

const committing = <T>(commit: () => T): T => {
  if (written.size === 0) return commit();
  if (on === undefined || [...written].some((what) => what.endsWith(` ${on}`))) commits += 1;
  if (log) appendFileSync(log, `${commits} ${[...written].sort().join(', ')}\n`);
  written = new Set();
  if (String(commits) === at && phase === 'before') die();
  const done = commit();
  if (String(commits) === at && phase === 'after') die();
  return done;
};

/** Properties, because they replace the real functions. */
type Statement = { run: (...args: unknown[]) => { changes: number }; all: (...args: unknown[]) => unknown[] };
type Handle = { prepare: (sql: string) => Statement; exec: (sql: string) => unknown };

const watched = (statement: Statement, sql: string): Statement => {
  const [run, all] = [statement.run.bind(statement), statement.all.bind(statement)];
  const what = writes(sql);
  if (/^\s*commit\b/i.test(sql)) {
    statement.run = (...args) => committing(() => run(...args));
  } else if (/^\s*rollback\b/i.test(sql)) {
    statement.run = (...args) => {
      written = new Set();
      return run(...args);
    };
  } else if (what !== null) {
    statement.run = (...args) => {
      const ran = run(...args);
      if (ran.changes > 0) written.add(what);
      return ran;
    };
    statement.all = (...args) => {
      const rows = all(...args);
      if (rows.length > 0) written.add(what);
      return rows;
    };
  }
  return statement;
};

const handle = Database.prototype as unknown as Handle;
const { prepare, exec } = handle;
handle.prepare = function (this: Handle, sql) {
  return watched(prepare.call(this, sql), sql);
};
handle.exec = function (this: Handle, sql) {
  if (/^\s*begin immediate\b/i.test(sql)) written.add('migrate');
  return /^\s*commit\b/i.test(sql) ? committing(() => exec.call(this, sql)) : exec.call(this, sql);
};
