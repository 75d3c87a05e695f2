/**
 * L7: a ledger in Postgres. The data directory beside it still holds its key and its anchor, and
 * the lock of its one process.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KeyObject } from 'node:crypto';
import { anchorFile, keyFile, ledgerFile } from '../backup/places.ts';
import type { Beside } from '../ledger/ledger.ts';
import { sql as raw } from 'kysely';
import { openHouse } from '../ledger/house.ts';
import { createSeal } from '../integrity/seal.ts';
import { NO_WRITES } from '../sql/failures.ts';
import { isPooled, POOLED } from '../sql/postgres-pooler.ts';
import { createPostgresReader, createPostgresStore, type PostgresStore } from '../sql/postgres-store.ts';
import { migrations } from '../sql/migrations/all.ts';
import { createDefine } from '../sql/statements.ts';
import type { Store } from '../sql/store.ts';
import { anchorOf, markOlder } from './anchored.ts';
import { createKey } from './key.ts';
import { retryWhileAway, type Hearing } from './patience.ts';

export type PostgresPlace = Hearing & { dataDir: string; database: string; key?: KeyObject | undefined };

export const openPostgres = async ({
  dataDir,
  database,
  key: given,
  onWaiting,
  onTaken,
}: PostgresPlace): Promise<{ store: Store; key: KeyObject; beside: Beside }> => {
  const store = createPostgresStore(database, { onTaken, onOlder: noteOlder(dataDir, given) });
  try {
    return { store, ...(await readyStore(store, { dataDir, key: given, onWaiting })) };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** What a start finds, although the newest anchor may be there. */
export const noteOlder = (dataDir: string, given?: KeyObject) => (): void =>
  markOlder(anchorOf(dataDir, given ?? createKey(keyFile(dataDir), { mayMake: false })));

/** Brings a ledger to the newest schema, and makes it where there is none. */
export const readyStore = async (
  store: PostgresStore,
  { dataDir, key: given, onWaiting }: Pick<PostgresPlace, 'dataDir' | 'key' | 'onWaiting'>,
): Promise<{ key: KeyObject; beside: Beside }> => {
  const { made, encoding } = await whenThere(store, onWaiting);
  if (encoding !== 'UTF8') throw new Error(WRONG_ENCODING);
  const key = given ?? createKey(keyFile(dataDir), { mayMake: !made });
  const anchor = anchorOf(dataDir, key);
  if (!made && anchor.reached() !== null) throw new Error(elsewhere(dataDir));
  await store.migrate();
  mkdirSync(dirname(keyFile(dataDir)), { recursive: true, mode: 0o700 });
  await store.transact(openHouse(createDefine(store.builder), createSeal(key)));
  // The room is that of another host, which looks after it.
  const reserve = { free: () => {}, low: () => false, refill: () => {} };
  return { key, beside: { anchor, reserve, size: () => store.size() } };
};

const WRONG_ENCODING =
  'The database that DATABASE_URL names cannot hold every text. Make one in UTF8: createdb -E UTF8 -T template0 <name>.';

const elsewhere = (dataDir: string): string =>
  existsSync(ledgerFile(dataDir))
    ? `The database that DATABASE_URL names holds no ledger, and ${ledgerFile(dataDir)} does. Bring it over first: agentpr ledger copy --from ${dataDir} --to postgres.`
    : `The database that DATABASE_URL names holds no ledger, and there was one. Restore it from a backup; to begin a new one, remove ${anchorFile(dataDir)} first.`;

/** A host starts its parts in any order. */
export const whenThere = (
  store: Pick<PostgresStore, 'look'>,
  onWaiting: Hearing['onWaiting'],
): Promise<{ made: boolean; encoding: string }> => retryWhileAway(() => store.look(), onWaiting);

/**
 * For `agentpr doctor`: what is wrong with the ledger there, as a sentence; and what is good, when
 * nothing is.
 */
export const lookAtPostgres = async (
  dataDir: string,
  database: string,
): Promise<{ wrong: string } | { says: string }> => {
  const { builder, read, close } = createPostgresReader(database, { snapshot: false });
  const ask = async <R>(sql: string): Promise<R[]> =>
    read<R>({ compile: () => raw<R>`${raw.raw(sql)}`.compile(builder) });
  try {
    const [found] = await ask<{ version: string; encoding: string; readonly: string; made: boolean }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        case when pg_is_in_recovery() then 'on' else current_setting('default_transaction_read_only') end as readonly,
        to_regclass('kysely_migration') is not null as made`,
    );
    if (!found) return { wrong: 'Postgres gave no answer.' };
    if (found.encoding !== 'UTF8') return { wrong: WRONG_ENCODING };
    if (found.readonly === 'on') return { wrong: NO_WRITES };
    if (await isPooled(database)) return { wrong: POOLED };
    if (!found.made) return { says: `Postgres ${found.version}, not made yet` };
    const executed = await ask<{ name: string }>('select name from kysely_migration');
    const newer = executed.find(({ name }) => !(name in migrations('postgres')));
    if (newer)
      return { wrong: `The ledger was made by a newer version of agentpr (migration ${newer.name}).` };
    createKey(keyFile(dataDir), { mayMake: false });
    return { says: `Postgres ${found.version}` };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  } finally {
    await close();
  }
};
