/** Translates database errors into faults, which the catalogue of each language tells. */
import english from './database-faults.json' with { type: 'json' };
import { renderDatabaseFault, type DatabaseFault, type PlainFaultKind, failureDetail } from '#model/failure';
import { failureWithDetail, type OutsideFailure } from '#ports/forge';
import { networkFaultOf, networkWords } from '#network-faults';

type FaultKind = DatabaseFault['kind'];
const ENGLISH: Readonly<Record<FaultKind, string>> = english;
const englishOf = (fault: DatabaseFault): string =>
  renderDatabaseFault(fault, (kind, fields) =>
    ENGLISH[kind].replaceAll(/\{ \$(\w+) \}/g, (_, name: string) => String(fields[name])),
  );

/** A fault that every language can tell; `message` is English for the log. */
export class DatabaseFailure extends Error {
  readonly fault: DatabaseFault;
  constructor(fault: DatabaseFault, cause?: unknown) {
    super(englishOf(fault), { cause });
    this.fault = fault;
  }
}

export const isDatabaseFault = (error: unknown, ...kinds: readonly FaultKind[]): error is DatabaseFailure =>
  error instanceof DatabaseFailure && kinds.includes(error.fault.kind);

const BY_CODE: readonly (readonly [RegExp, PlainFaultKind])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, 'damaged'],
  [/^(SQLITE_(READONLY|PERM)|EACCES|EPERM|EROFS)/, 'not_writable'],
  [/^SQLITE_CANTOPEN/, 'not_openable'],
  [/^(EISDIR|ENOTDIR)/, 'folder_for_file'],
  [/^SQLITE_(BUSY|LOCKED)/, 'in_use'],
  [/^SQLITE_IOERR/, 'disk_error'],
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

export const isTransientDatabaseError = (error: unknown): boolean =>
  /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P0|53[34]00)/.test(
    errorCodeOf(error),
  );

const errorCodeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // pg gives no code for a lost connection.
  return CONNECTION.test(error.message) ? 'ECONNRESET' : '';
};
const CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout expired|timeout exceeded when trying to connect)/;

/** 53100: Postgres disk full. */
const FULL: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG', '53100']);
export const isDatabaseFull = (error: unknown): boolean => FULL.has(errorCodeOf(error));

export const isReadOnlyError = (error: unknown): boolean => errorCodeOf(error) === '25006';

export const diskFullFailure = (): OutsideFailure =>
  failureWithDetail(
    'disk_full',
    'The disk of the data directory is full: nothing new can be stored. Free some space; what was acknowledged is safe.',
    failureDetail({ kind: 'data_disk_full' }),
  );

/** Messages of Postgres and its client without a useful code. */
const BY_MESSAGE: readonly (readonly [RegExp, PlainFaultKind])[] = [
  [/no pg_hba\.conf entry.{0,300}(no encryption|SSL off)/, 'wants_encryption'],
  [/server does not support SSL connections/, 'no_encryption'],
  [/client password must be a (non-empty )?string/, 'password_missing'],
];
const TLS_PARTY = 'the Postgres of the ledger';

/** Other errors stay as they are, so that bugs keep their messages. */
export const explainDatabaseError = (error: unknown): unknown => {
  const about = errorCodeOf(error);
  if (isDatabaseFull(error)) return diskFullFailure();
  const message = error instanceof Error ? error.message : '';
  const [, told] = BY_MESSAGE.find(([pattern]) => pattern.test(message)) ?? [];
  if (told !== undefined) return new DatabaseFailure({ kind: told }, error);
  const fault = networkFaultOf(error);
  if (fault?.kind === 'certificate_untrusted')
    return new Error(networkWords(TLS_PARTY, fault), { cause: error });
  const [, known] = about === '' ? [] : (BY_CODE.find(([pattern]) => pattern.test(about)) ?? []);
  return known === undefined ? error : new DatabaseFailure({ kind: known, detail: about }, error);
};
