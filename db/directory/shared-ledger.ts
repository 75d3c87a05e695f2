/** A Postgres ledger with several writers: one control, any number of workers, shared keys (L7). */
import { randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { SystemClock } from '#ports/processes';
import type { JobQueue } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { ChatLimits } from '#ports/chat';
import { MINUTE } from '#model/values';
import { BACKUP_KEY_FILES } from '../backup/backup.ts';
import { ledgerKeyFile, keysFolder } from '../data-directory-paths.ts';
import { createRowMac } from '../integrity/row-mac.ts';
import { openInstallationLog } from '../ledger/installation-log.ts';
import { createLedger, type LedgerSurroundings } from '../ledger/ledger.ts';
import { formatBootId, type CommitNotices, type WorkPlace } from '../ledger/peer-processes.ts';
import {
  createPgBossQueue,
  jobsSchemaStanding,
  type PgBossQueue,
  type BossParts,
} from '../queue/pg-boss-queue.ts';
import { listenForNotifications, NOTIFY_SQL, toNotification } from '../sql/postgres-notifications.ts';
import { DatabaseFailure, isDatabaseFault } from '../sql/database-failures.ts';
import { createPostgresStore, type PostgresStore } from '../sql/postgres-store.ts';
import { createStatementDefiner } from '../sql/statements.ts';
import { loadOrCreateKey } from './ledger-key.ts';
import { lockDirectory, tryLockDirectory, type DirectoryLock } from './directory-lock.ts';
import { makeDirectory } from './make-directory.ts';
import { assertDataDirUsable } from './open-ledger.ts';
import { isTemporaryFailure, retryWhileUnavailable, type ConnectionListeners } from './retry-connection.ts';
import { createOlderMarker, readyStore, whenThere } from './open-postgres.ts';

export type FleetRequest = ConnectionListeners & {
  dataDir: string;
  database: string;
  role: WorkPlace['role'];
  limits?: ChatLimits;
  onTrouble: (error: unknown) => void;
};

export type OpenedFleet = {
  ledger: Ledger;
  jobs: JobQueue;
  /** The database's clock, shared by all programs. */
  clock: SystemClock;
  place: string;
  /** Called for commits of other programs: a run's id, or an empty text. */
  onNews: (hear: (runId: string) => void) => void;
};

/** Wait of a worker for the control, and its polling interval (ms). */
const CONTROL_TIMEOUT_MS = 2 * MINUTE;
const CLAIM_RETRY_MS = 500;
const MOST_WORKERS = 1_000;
const CLOCK_EVERY = MINUTE;

type Seated = {
  store: PostgresStore;
  key: KeyObject;
  beside?: LedgerSurroundings;
  place: string;
  lock: DirectoryLock;
};

export const openSharedLedger = async (request: FleetRequest): Promise<OpenedFleet> => {
  makeDirectory(request.dataDir);
  assertDataDirUsable(request.dataDir);
  // guard: L7-start-waits
  return retryWhileUnavailable(() => tryOpenFleet(request), request.onWaiting);
};

const tryOpenFleet = async (request: FleetRequest): Promise<OpenedFleet> => {
  const { dataDir, database, role, limits, onTrouble } = request;
  const outgoing: CommitNotices = { errands: [], news: null };
  let boss: PgBossQueue | null = null;
  let boot = '';
  let seated = false;
  const createStore = (): PostgresStore =>
    createPostgresStore(database, {
      onTaken: (error) => seated && request.onTaken?.(error),
      onOlder: createOlderMarker(dataDir),
      seat: role,
      ending: async (execute) => {
        const { errands, news } = outgoing;
        if (boss && errands.length > 0) await boss.send(errands, execute);
        if (news !== null || errands.length > 0)
          await execute(NOTIFY_SQL, [toNotification(boot, news ?? '')]);
      },
    });
  const { store, key, beside, place, lock } =
    role === 'control' ? await takeSeat(request, createStore) : await takePlace(request, createStore);
  seated = true;
  const closing: (() => Promise<void> | void)[] = [() => lock.release(), () => store.close()];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const clock = await clockOf(store, closing, onTrouble);
    const at = { role, id: nameOf(place) };
    boot = formatBootId(at, randomUUID());
    const bossed = await bossOf(store, {
      url: database,
      application: `agentpr jobs ${hostname()} ${process.pid}`,
      onTrouble,
      place: role === 'worker' ? at.id : null,
      supervises: role === 'control',
      now: () => clock.now(),
    });
    boss = bossed;
    closing.push(() => bossed.close());
    const ledger = createLedger({
      store: { ...store, close },
      key,
      now: () => clock.now(),
      boot,
      ...(beside ? { beside } : {}),
      ...(limits ? { limits } : {}),
      others: { place: at, outgoing },
    });
    const onNews: OpenedFleet['onNews'] = (hear) => {
      const news = listenForNotifications(database, boot, hear);
      closing.push(() => news.close());
    };
    return { ledger, jobs: bossed, clock, place, onNews };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Migrates pg-boss's tables first, while nobody else is connected. */
const bossOf = async (store: PostgresStore, parts: BossParts): Promise<PgBossQueue> => {
  const standing = jobsSchemaStanding(await store.jobsVersion());
  if (standing === 'newer') throw new DatabaseFailure({ kind: 'newer_control' });
  // guard: L7-jobs-migrate-alone
  if (standing === 'ours' || !parts.supervises) return createPgBossQueue(parts);
  const made = Promise.withResolvers<PgBossQueue>();
  await store.whileAlone(async () => made.resolve(await createPgBossQueue(parts)));
  return made.promise;
};

/** Waits until no other control is active, not even one that is ending. */
const takeSeat = async ({ dataDir, onWaiting }: FleetRequest, make: () => PostgresStore): Promise<Seated> => {
  let said = '';
  for (;;) {
    const store = make();
    try {
      const ready = await readyStore(store, { dataDir, onWaiting });
      return { store, ...ready, place: dataDir, lock: lockDirectory(dataDir) };
    } catch (error) {
      await store.close();
      // guard: L7-directory-stands-by
      if (!isDatabaseFault(error, 'control_taken', 'directory_taken')) throw error;
      const why = new DatabaseFailure({ kind: 'standing_by', why: error.fault }, error);
      if (why.message !== said) onWaiting?.(why);
      said = why.message;
      await new Promise((ring) => setTimeout(ring, CLAIM_RETRY_MS));
    }
  }
};

/** Takes the first free worker directory, then waits for the ledger. */
const takePlace = async (
  { dataDir, onWaiting }: FleetRequest,
  make: () => PostgresStore,
): Promise<Seated> => {
  const { place, lock } = firstFree(join(dataDir, 'workers'));
  let store = make();
  try {
    await whenThere(store, onWaiting);
    let said = '';
    for (const end = performance.now() + CONTROL_TIMEOUT_MS; ;) {
      const why = await whyNotYet(store, dataDir, onWaiting);
      if (why === null) break;
      if (performance.now() >= end) throw why;
      if (why.message !== said) onWaiting?.(why);
      said = why.message;
      // Disconnects, as a control migrates only without workers.
      await store.close();
      await new Promise((ring) => setTimeout(ring, CLAIM_RETRY_MS));
      store = make();
    }
    const key = loadOrCreateKey(ledgerKeyFile(dataDir), { mayMake: false });
    await store
      .transact(openInstallationLog(createStatementDefiner(store.builder), createRowMac(key)))
      .catch((error: unknown) => {
        if (isTemporaryFailure(error)) throw error;
        throw new DatabaseFailure({ kind: 'keys_differ', folder: join(dataDir, 'keys') }, error);
      });
    return { store, key, place, lock };
  } catch (error) {
    await store.close();
    lock.release();
    throw error;
  }
};

const firstFree = (workers: string): { place: string; lock: DirectoryLock } => {
  for (let n = 1; n <= MOST_WORKERS; n += 1) {
    const place = join(workers, String(n));
    makeDirectory(place);
    const lock = tryLockDirectory(place);
    if (lock) return { place, lock };
  }
  throw new DatabaseFailure({ kind: 'places_taken', most: String(MOST_WORKERS), folder: workers });
};

const whyNotYet = async (
  store: PostgresStore,
  dataDir: string,
  onWaiting: ConnectionListeners['onWaiting'],
): Promise<DatabaseFailure | null> => {
  const { made } = await whenThere(store, onWaiting);
  if (!made) return new DatabaseFailure({ kind: 'not_made' });
  const { lacks, foreign } = await store.standing();
  if (foreign !== null) throw new DatabaseFailure({ kind: 'newer_control' });
  const [installation] = await store.read(store.builder.selectFrom('installation').select('id'));
  const jobs = jobsSchemaStanding(await store.jobsVersion());
  if (jobs === 'newer') throw new DatabaseFailure({ kind: 'newer_control' });
  if (lacks.length > 0 || !installation || jobs === 'lacks')
    return new DatabaseFailure({ kind: 'schema_old' });
  const lacking = BACKUP_KEY_FILES.find((name) => !existsSync(join(keysFolder(dataDir), name)));
  return lacking === undefined
    ? null
    : new DatabaseFailure({ kind: 'key_missing', file: join(keysFolder(dataDir), lacking) });
};

const nameOf = (place: string): string => {
  const file = join(place, 'place');
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, randomBytes(6).toString('hex'), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  const name = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{12}$/.test(name)) throw new DatabaseFailure({ kind: 'place_unreadable', file });
  return name;
};

/** Machines' clocks differ by minutes, so leases use the database's clock. */
const clockOf = async (
  store: PostgresStore,
  closing: (() => void)[],
  onTrouble: (error: unknown) => void,
): Promise<SystemClock> => {
  let base = 0;
  const readClock = async (): Promise<void> => {
    const before = performance.now();
    const theirs = await store.clock();
    base = theirs - (before + performance.now()) / 2;
  };
  await readClock();
  const timer = setInterval(() => void readClock().catch(onTrouble), CLOCK_EVERY).unref();
  closing.push(() => clearInterval(timer));
  return { now: () => Math.round(performance.now() + base) };
};
