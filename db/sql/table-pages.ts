/** Reads every table page by page, in a fixed order. */
import { sql as raw, type RawBuilder } from 'kysely';
import type { LedgerSchema } from './schema.ts';
import type { SqlStore } from './sql-store.ts';

export type LedgerRow = Record<string, string | number | null>;
export type RowReader = Pick<SqlStore, 'builder' | 'read'>;

const KEYS: { [T in keyof LedgerSchema]: readonly (keyof LedgerSchema[T] & string)[] } = {
  runs: ['run_id'],
  campaigns: ['id'],
  run_states: ['run_id'],
  run_records: ['run_id', 'record'],
  events: ['event_id'],
  effects: ['n'],
  inbox: ['id'],
  approvals: ['id'],
  approval_signatures: ['approval_id', 'user_id'],
  step_attempts: ['id'],
  turns: ['run_id', 'seq'],
  spending: ['attempt_id', 'day'],
  artifacts: ['id'],
  installation_events: ['seq'],
  run_figures: ['run_id'],
  forge_responses: ['key'],
  write_budgets: ['identity'],
  boots: ['id'],
  chat_paces: ['chat'],
  state_counts: ['scope', 'state'],
  installation: ['id'],
};
export type TableName = keyof LedgerSchema;
/** Parents before children; the installation comes last, as it marks a complete ledger. */
export const TABLE_NAMES = Object.keys(KEYS) as TableName[];
const NULLABLE: ReadonlySet<string> = new Set(['user_id']);
const ROWS_PER_PAGE = 1_000;

export async function* readTablePages(
  { builder, read }: RowReader,
  table: TableName,
  { where = raw`1 = 1`, skip = 0 }: { where?: RawBuilder<unknown>; skip?: number } = {},
): AsyncGenerator<LedgerRow[]> {
  const keys = KEYS[table];
  const key = raw.join(keys.map((k) => (NULLABLE.has(k) ? raw`coalesce(${raw.ref(k)}, '')` : raw.ref(k))));
  let after: RawBuilder<unknown> = raw`1 = 1`;
  for (let from = skip; ; from = 0) {
    const page = raw<LedgerRow>`select * from ${raw.table(table)} where ${where} and ${after}
      order by ${key} limit ${ROWS_PER_PAGE} offset ${from}`;
    const rows = await read<LedgerRow>({ compile: () => page.compile(builder) });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_PAGE) return;
    after = raw`(${key}) > (${raw.join(keys.map((k) => last[k] ?? ''))})`;
  }
}
