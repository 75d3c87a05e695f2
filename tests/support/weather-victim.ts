/** Opens a ledger and reports the result. Arguments: data directory, fatal DDL statement. */
import { writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openLedger } from '../../db/directory/open-ledger.ts';

const [dir = '', dieAt] = process.argv.slice(2);
type Handle = {
  prepare: (sql: string) => { run: (...args: unknown[]) => unknown; all: (...args: unknown[]) => unknown };
};
let ddl = 0;
if (dieAt !== undefined) {
  const handle = Database.prototype as unknown as Handle;
  const { prepare } = handle;
  handle.prepare = function (this: Handle, sql) {
    if (/^\s*(create|alter)\b|insert into "books"/i.test(sql) && String((ddl += 1)) === dieAt)
      process.kill(process.pid, 'SIGKILL');
    return prepare.call(this, sql);
  };
}
try {
  const ledger = await openLedger({ dataDir: dir, now: Date.now });
  writeSync(1, JSON.stringify({ opened: true, ddl }));
  if (dieAt === undefined) await new Promise((resolve) => process.stdin.once('end', resolve).resume());
  await ledger.close();
} catch (error) {
  writeSync(1, JSON.stringify({ refused: error instanceof Error ? error.message : String(error) }));
}
