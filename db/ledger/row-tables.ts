/** The tables that are written row by row: effects, attempts and artifacts. */
import type { Selectable } from 'kysely';
import type { RowMac } from '../integrity/row-mac.ts';
import type { ArtifactsTable, AttemptsTable, EffectsTable } from '../sql/schema.ts';
import type { DefineStatement } from '../sql/statements.ts';
import { createTableWriter, type TableShape } from '../sql/table-writer.ts';

export type StoredEffect = Selectable<EffectsTable>;
export type StoredAttempt = Selectable<AttemptsTable>;
type StoredArtifact = Selectable<ArtifactsTable>;

const EFFECTS: TableShape<StoredEffect> = {
  table: 'effects',
  key: 'n',
  columns: [
    'n', 'id', 'run_id', 'kind', 'lane', 'priority', 'slot', 'chat', 'request_json', 'epoch', 'mac', 'loud', 'state', 'due_at',
    'tries', 'lease_epoch', 'lease_until', 'lease_owner', 'result_json', 'reason', 'created_at', 'updated_at',
  ], // oxfmt-ignore
};
const ATTEMPTS: TableShape<StoredAttempt> = {
  table: 'step_attempts',
  key: 'id',
  columns: [
    'id', 'run_id', 'step', 'attempt_no', 'command', 'exit_code', 'outcome', 'stdout_log', 'stderr_log',
    'duration_ms', 'engine', 'model', 'prompt_hash', 'base_sha', 'containment', 'pid', 'pid_start', 'billed_json',
    'activity_json', 'boot_id', 'created_at',
  ], // oxfmt-ignore
};
const ARTIFACTS: TableShape<StoredArtifact> = {
  table: 'artifacts',
  key: 'id',
  columns: ['id', 'run_id', 'artifact_type', 'uri', 'metadata_json', 'content', 'created_at'],
};

export type LedgerTables = ReturnType<typeof createTableWriters>;
export const createTableWriters = (define: DefineStatement, seal: RowMac) => ({
  seal,
  effects: createTableWriter(define, EFFECTS),
  attempts: createTableWriter(define, ATTEMPTS),
  artifacts: createTableWriter(define, ARTIFACTS),
});
