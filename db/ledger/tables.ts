/** The tables that are written row by row: effects, attempts and artifacts. */
import type { Selectable } from 'kysely';
import type { Seal } from '../integrity/seal.ts';
import type { ArtifactsTable, AttemptsTable, EffectsTable } from '../sql/schema.ts';
import type { Define } from '../sql/statements.ts';
import { createTable, type Shape } from '../sql/table.ts';

export type StoredEffect = Selectable<EffectsTable>;
export type StoredAttempt = Selectable<AttemptsTable>;
export type StoredArtifact = Selectable<ArtifactsTable>;

const EFFECTS: Shape<StoredEffect> = {
  table: 'effects',
  key: 'n',
  columns: [
    'n', 'id', 'run_id', 'kind', 'lane', 'prio', 'slot', 'chat', 'do_json', 'epoch', 'mac', 'loud', 'state', 'due_at',
    'tries', 'lease_epoch', 'lease_until', 'lease_owner', 'result_json', 'reason', 'created_at', 'updated_at',
  ], // oxfmt-ignore
};
const ATTEMPTS: Shape<StoredAttempt> = {
  table: 'step_attempts',
  key: 'id',
  columns: [
    'id', 'run_id', 'step', 'attempt_no', 'command', 'exit_code', 'outcome', 'stdout_log', 'stderr_log',
    'duration_ms', 'engine', 'model', 'prompt_hash', 'base_sha', 'containment', 'pid', 'pid_start', 'billed_json', 'boot_id',
    'created_at',
  ], // oxfmt-ignore
};
const ARTIFACTS: Shape<StoredArtifact> = {
  table: 'artifacts',
  key: 'id',
  columns: ['id', 'run_id', 'artifact_type', 'uri', 'metadata_json', 'content', 'created_at'],
};

export type LedgerTables = ReturnType<typeof createTables>;
export const createTables = (define: Define, seal: Seal) => ({
  seal,
  effects: createTable(define, EFFECTS),
  attempts: createTable(define, ATTEMPTS),
  artifacts: createTable(define, ARTIFACTS),
});
