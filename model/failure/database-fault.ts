/** Faults of the ledger's database as records, so that each language can say them (S9). */

/** Each fault with the fields of its sentence. */
export const DATABASE_FAULTS = {
  damaged: [],
  not_writable: [],
  not_openable: [],
  folder_for_file: [],
  in_use: [],
  disk_error: [],
  unreached: [],
  no_connection_left: [],
  password_refused: [],
  user_refused: [],
  database_missing: [],
  read_only: [],
  right_missing: [],
  no_schema: [],
  no_ledger: [],
  postgres_damaged: [],
  wants_encryption: [],
  no_encryption: [],
  password_missing: [],
  not_utf8: [],
  pooled: [],
  not_made: [],
  schema_old: [],
  key_missing: ['file'],
  standing_by: ['why'],
  newer_schema: ['migration'],
  newer_found: ['migration'],
  newer_control: [],
  schema_failed: ['says'],
  migration_failed: ['migration', 'says'],
  peers_at_work: [],
  control_taken: ['holder'],
  postgres_taken: ['holder'],
  holder_gone: [],
  directory_taken: ['holder', 'directory'],
  commits_lost: [],
  no_answer: [],
  jobs_timing: ['heartbeat', 'longest'],
  installation_changed: [],
  installation_gone: [],
  export_table_unknown: ['table'],
  export_row_unreadable: ['table'],
  keys_differ: ['folder'],
  places_taken: ['most', 'folder'],
  place_unreadable: ['file'],
  directory_not_made: ['directory', 'says'],
  no_shared_memory: [],
  ledger_lost: ['file', 'anchor'],
  directory_of_other: ['directory', 'owner', 'user'],
  restore_unfinished: ['directory'],
  copy_source_empty: [],
  copy_target_taken: [],
  copy_rows_differ: ['table'],
  ledger_key_lost: ['file'],
  ledger_key_open: ['file'],
  ledger_key_damaged: ['file'],
  ledger_in_file: ['file', 'directory'],
  postgres_ledger_lost: ['anchor'],
  no_ledger_in: ['directory'],
  backup_name_taken: ['file'],
  backup_disk_full: ['file'],
  backup_needs_room: ['directory', 'needed', 'free'],
  file_changed: ['file'],
  restore_not_empty: ['directory', 'names'],
  restore_disk_full: [],
  backup_missing: ['file'],
  not_restored: ['file', 'why'],
  archive_without_keys: [],
  archive_newer: ['migration'],
  archive_of_other_keys: [],
  archive_sealed: [],
  archive_not_opened: [],
  archive_foreign: [],
  archive_cut: [],
  archive_damaged: [],
  archive_differs: [],
  archive_file_unplain: ['name'],
  archive_file_foreign: ['name'],
  archive_goes_on: [],
  archive_without_ledger: [],
  archive_form_unknown: [],
} as const satisfies Record<string, readonly string[]>;

type FaultKind = keyof typeof DATABASE_FAULTS;
export type PlainFaultKind = {
  [K in FaultKind]: (typeof DATABASE_FAULTS)[K] extends readonly [] ? K : never;
}[FaultKind];
/** `detail` is the driver's; a field may be another fault, which is told in the same language. */
export type DatabaseFault =
  | { kind: PlainFaultKind; detail?: string }
  | {
      [K in Exclude<FaultKind, PlainFaultKind>]: { kind: K; detail?: string } & {
        readonly [F in (typeof DATABASE_FAULTS)[K][number]]: string | DatabaseFault;
      };
    }[Exclude<FaultKind, PlainFaultKind>];

/** Tells a fault by the sentences of a language. */
export const renderDatabaseFault = (
  fault: DatabaseFault,
  say: (kind: FaultKind, fields: Readonly<Record<string, string>>) => string,
): string => {
  const { kind, detail = '', ...fields } = fault;
  const told = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'object' ? renderDatabaseFault(value, say) : value] as const,
  );
  const sentence = say(kind, Object.fromEntries(told));
  return detail === '' ? sentence : `${sentence} (${detail})`;
};
