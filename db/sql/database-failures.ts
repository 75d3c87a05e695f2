/** Translates database errors into sentences for people: what happened and what to do. */
import type { DatabaseFault } from '../../orchestrator/model/database-fault.ts';
import { failureDetail } from '../../orchestrator/model/failure-detail.ts';
import { detailedFailure, type OutsideFailure } from '../../orchestrator/kernel/ports/index.ts';
import { networkFaultOf, networkWords } from '#network-faults';

const SENTENCES: Readonly<Record<DatabaseFault, string>> = {
  damaged:
    'The ledger file is damaged. Stop agentpr, keep a copy of the data directory, and restore ledger.db from a backup.',
  not_writable:
    'The ledger cannot be written: its directory or file is read-only. Give this user the right to write the data directory.',
  not_openable:
    'The ledger cannot be opened. Check that the data directory exists and that this user may read and write it.',
  folder_for_file:
    'In the data directory there is a folder where a file belongs, or a file where a folder does. Move it away, or restore the directory from a backup.',
  in_use:
    'The ledger is in use by another program for too long. Close whatever has ledger.db open, then try again.',
  disk_error:
    'The disk gave an error while the ledger was read or written. Check the disk and its free space, then start again.',
  unreached:
    'The Postgres of the ledger cannot be reached. Start it, or check DATABASE_URL and the network; agentpr goes on by itself once it answers.',
  no_connection_left:
    'The Postgres of the ledger has no connection left. Raise its max_connections, or close what holds them; each process of agentpr needs up to 15.',
  password_refused: 'The Postgres of the ledger refused the user or password in DATABASE_URL.',
  user_refused:
    'The Postgres of the ledger does not let this user in from this machine. Look at the user in DATABASE_URL, and at its pg_hba.conf.',
  database_missing: 'The database that DATABASE_URL names does not exist. Make it: createdb <name>.',
  read_only:
    'The Postgres of the ledger takes no writes: it is a standby, or was made read-only. Point DATABASE_URL at the primary.',
  right_missing:
    'The user in DATABASE_URL may not do that in its database: tables, functions and triggers are made there at the start. Make it the owner: alter database <name> owner to <user>.',
  no_schema:
    'The search_path of the user in DATABASE_URL names no schema that is there. Make it (create schema <name> authorization <user>), or set another one (alter role <user> set search_path = <name>).',
  no_ledger: 'There is no ledger in the database that DATABASE_URL names. Start agentpr with it first.',
  postgres_damaged:
    'The Postgres of the ledger found its own files damaged. Stop agentpr, keep a copy, and restore the database from a backup.',
  wants_encryption:
    'The Postgres of the ledger lets no unencrypted connection of this user in from this machine. Most often it takes only encrypted ones: add ?sslmode=verify-full to DATABASE_URL. Otherwise its pg_hba.conf lacks an entry.',
  no_encryption:
    'The Postgres of the ledger takes no encrypted connections, and DATABASE_URL wants one (sslmode). Turn TLS on there, or take sslmode away where nobody listens in between.',
  password_missing:
    'The Postgres of the ledger wants a password, and DATABASE_URL has none: postgres://user:password@host:5432/name.',
  not_utf8:
    'The database that DATABASE_URL names cannot hold every text. Make one in UTF8: createdb -E UTF8 -T template0 <name>.',
  pooled:
    'DATABASE_URL leads to a pooler in transaction mode (PgBouncer, Supavisor or the like), which hands one session to several programs: the lock that keeps a second AgentPR away would not hold. Give the address of Postgres itself, or of a pool in session mode.',
};

/** A fault that every language can tell; `message` is English, and `detail` what the driver added. */
export class DatabaseFailure extends Error {
  readonly fault: DatabaseFault;
  readonly detail: string;
  constructor(fault: DatabaseFault, detail = '', cause?: unknown) {
    super(detail === '' ? SENTENCES[fault] : `${SENTENCES[fault]} (${detail})`, { cause });
    this.fault = fault;
    this.detail = detail;
  }
}

const BY_CODE: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, 'damaged'],
  [/^(SQLITE_(READONLY|PERM)|EACCES|EPERM|EROFS)/, 'not_writable'],
  [/^SQLITE_CANTOPEN/, 'not_openable'],
  [/^(EISDIR|ENOTDIR)/, 'folder_for_file'],
  [/^SQLITE_(BUSY|LOCKED)/, 'in_use'],
  [/^SQLITE_IOERR/, 'disk_error'],
  // SQLSTATE classes (Postgres manual, appendix A), and connection errors.
  [/^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P0)/, 'unreached'],
  [/^53[34]00$/, 'no_connection_left'],
  [/^28P01$/, 'password_refused'],
  [/^28/, 'user_refused'],
  [/^3D000$/, 'database_missing'],
  [/^25006$/, 'read_only'],
  [/^42501$/, 'right_missing'],
  [/^3F000$/, 'no_schema'],
  [/^42P01$/, 'no_ledger'],
  [/^XX00[12]$/, 'postgres_damaged'],
];

/** Temporary: worth waiting for at a start. */
export const comesBack = (error: unknown): boolean =>
  /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P0|53[34]00)/.test(code(error));

const code = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // pg gives no code for a lost connection.
  return CONNECTION.test(error.message) ? 'ECONNRESET' : '';
};
const CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|timeout exceeded when trying to connect)/;

/** 53100: Postgres disk full. */
const FULL: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG', '53100']);
export const isDatabaseFull = (error: unknown): boolean => FULL.has(code(error));

export const isReadOnly = (error: unknown): boolean => code(error) === '25006';

export const noRoom = (): OutsideFailure =>
  detailedFailure(
    'disk_full',
    'The disk of the data directory is full: nothing new can be stored. Free some space; what was acknowledged is safe.',
    failureDetail({ kind: 'data_disk_full' }),
  );

/** Messages of Postgres and its client without a useful code. */
const BY_MESSAGE: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/no pg_hba\.conf entry.*(no encryption|SSL off)/, 'wants_encryption'],
  [/server does not support SSL connections/, 'no_encryption'],
  [/client password must be a (non-empty )?string/, 'password_missing'],
];
const TLS_PARTY = 'the Postgres of the ledger';

/** Other errors stay as they are, so that bugs keep their messages. */
export const explainDatabaseError = (error: unknown): unknown => {
  const about = code(error);
  if (isDatabaseFull(error)) return noRoom();
  const message = error instanceof Error ? error.message : '';
  const [, told] = BY_MESSAGE.find(([pattern]) => pattern.test(message)) ?? [];
  if (told !== undefined) return new DatabaseFailure(told, '', error);
  const fault = networkFaultOf(error);
  if (fault?.kind === 'certificate') return new Error(networkWords(TLS_PARTY, fault), { cause: error });
  const [, known] = about === '' ? [] : (BY_CODE.find(([pattern]) => pattern.test(about)) ?? []);
  return known === undefined ? error : new DatabaseFailure(known, about, error);
};
