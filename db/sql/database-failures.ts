/** Translates database errors into sentences for people: what happened and what to do. */
import { networkFaultOf, networkWords, OutsideFailure } from '../../orchestrator/ports.ts';

export const DAMAGED_LEDGER_MESSAGE =
  'The ledger file is damaged. Stop agentpr, keep a copy of the data directory, and restore ledger.db from a backup.';

export const NO_WRITES =
  'The Postgres of the ledger takes no writes: it is a standby, or was made read-only. Point DATABASE_URL at the primary.';

const sentences: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, DAMAGED_LEDGER_MESSAGE],
  [
    /^(SQLITE_(READONLY|PERM)|EACCES|EPERM|EROFS)/,
    'The ledger cannot be written: its directory or file is read-only. Give this user the right to write the data directory.',
  ],
  [
    /^SQLITE_CANTOPEN/,
    'The ledger cannot be opened. Check that the data directory exists and that this user may read and write it.',
  ],
  [
    /^(EISDIR|ENOTDIR)/,
    'In the data directory there is a folder where a file belongs, or a file where a folder does. Move it away, or restore the directory from a backup.',
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    'The ledger is in use by another program for too long. Close whatever has ledger.db open, then try again.',
  ],
  [
    /^SQLITE_IOERR/,
    'The disk gave an error while the ledger was read or written. Check the disk and its free space, then start again.',
  ],
  // SQLSTATE classes (Postgres manual, appendix A), and connection errors.
  [
    /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P0)/,
    'The Postgres of the ledger cannot be reached. Start it, or check DATABASE_URL and the network; agentpr goes on by itself once it answers.',
  ],
  [
    /^53[34]00$/,
    'The Postgres of the ledger has no connection left. Raise its max_connections, or close what holds them; each process of agentpr needs up to 15.',
  ],
  [/^28P01$/, 'The Postgres of the ledger refused the user or password in DATABASE_URL.'],
  [
    /^28/,
    'The Postgres of the ledger does not let this user in from this machine. Look at the user in DATABASE_URL, and at its pg_hba.conf.',
  ],
  [/^3D000$/, 'The database that DATABASE_URL names does not exist. Make it: createdb <name>.'],
  [/^25006$/, NO_WRITES],
  [
    /^42501$/,
    'The user in DATABASE_URL may not do that in its database: tables, functions and triggers are made there at the start. Make it the owner: alter database <name> owner to <user>.',
  ],
  [
    /^3F000$/,
    'The search_path of the user in DATABASE_URL names no schema that is there. Make it (create schema <name> authorization <user>), or set another one (alter role <user> set search_path = <name>).',
  ],
  [/^42P01$/, 'There is no ledger in the database that DATABASE_URL names. Start agentpr with it first.'],
  [
    /^XX00[12]$/,
    'The Postgres of the ledger found its own files damaged. Stop agentpr, keep a copy, and restore the database from a backup.',
  ],
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
  new OutsideFailure(
    'disk_full',
    'The disk of the data directory is full: nothing new can be stored. Free some space; what was acknowledged is safe.',
  );

/** Messages of Postgres and its client without a useful code. */
const words: readonly (readonly [RegExp, string])[] = [
  [
    /no pg_hba\.conf entry.*(no encryption|SSL off)/,
    'The Postgres of the ledger lets no unencrypted connection of this user in from this machine. Most often it takes only encrypted ones: add ?sslmode=verify-full to DATABASE_URL. Otherwise its pg_hba.conf lacks an entry.',
  ],
  [
    /server does not support SSL connections/,
    'The Postgres of the ledger takes no encrypted connections, and DATABASE_URL wants one (sslmode). Turn TLS on there, or take sslmode away where nobody listens in between.',
  ],
  [
    /client password must be a (non-empty )?string/,
    'The Postgres of the ledger wants a password, and DATABASE_URL has none: postgres://user:password@host:5432/name.',
  ],
];
const TLS_PARTY = 'the Postgres of the ledger';

const saidOf = (error: unknown): string | null => {
  const said = error instanceof Error ? error.message : '';
  const known = words.find(([pattern]) => pattern.test(said));
  if (known) return known[1];
  const fault = networkFaultOf(error);
  return fault?.kind === 'certificate' ? networkWords(TLS_PARTY, fault) : null;
};

/** Other errors stay as they are, so that bugs keep their messages. */
export const explainDatabaseError = (error: unknown): unknown => {
  const about = code(error);
  if (isDatabaseFull(error)) {
    return noRoom();
  }
  const said = saidOf(error);
  if (said !== null) return new Error(said, { cause: error });
  const known = about === '' ? undefined : sentences.find(([pattern]) => pattern.test(about));
  return known ? new Error(`${known[1]} (${about})`, { cause: error }) : error;
};
