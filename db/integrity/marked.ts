/** Which tables bear marks, and which columns a mark covers: all of them. */
import type { Selectable } from 'kysely';
import { markedTable, type Shape } from './marked-table.ts';
import type { ArtifactsTable, AttemptsTable, EffectsTable, RunStatesTable } from '../sql/schema.ts';
import { sameMark, type Seal } from './seal.ts';
import type { Define } from '../sql/statements.ts';

export type StoredEffect = Omit<Selectable<EffectsTable>, 'mark'>;
export type StoredAttempt = Omit<Selectable<AttemptsTable>, 'mark'>;
export type StoredArtifact = Omit<Selectable<ArtifactsTable>, 'mark'>;

export const EFFECTS: Shape<StoredEffect> = {
  table: 'effects',
  key: 'n',
  columns: [
    'n', 'id', 'run_id', 'kind', 'lane', 'prio', 'slot', 'chat', 'do_json', 'epoch', 'state', 'due_at', 'tries',
    'lease_epoch', 'lease_until', 'lease_owner', 'result_json', 'reason', 'created_at', 'updated_at',
  ], // prettier-ignore
};
export const ATTEMPTS: Shape<StoredAttempt> = {
  table: 'step_attempts',
  key: 'id',
  columns: [
    'id', 'run_id', 'step', 'attempt_no', 'command', 'exit_code', 'outcome', 'stdout_log', 'stderr_log',
    'duration_ms', 'engine', 'model', 'prompt_hash', 'base_sha', 'containment', 'pid', 'pid_start', 'boot_id',
    'created_at',
  ], // prettier-ignore
};
export const ARTIFACTS: Shape<StoredArtifact> = {
  table: 'artifacts',
  key: 'id',
  columns: ['id', 'run_id', 'artifact_type', 'uri', 'metadata_json', 'content', 'created_at'],
};

export const MARKED = [EFFECTS, ATTEMPTS, ARTIFACTS] as const;

/** A run's state bears its mark in `head_mac`. */
export const STATE_COLUMNS = [
  'run_id', 'repo', 'repo_id', 'current_state', 'version', 'epoch', 'busy', 'live', 'started_at', 'fold_json', 'last_error',
  'seq', 'head_hash', 'updated_at',
] as const satisfies (keyof RunStatesTable)[]; // prettier-ignore
export type StateRow = Omit<RunStatesTable, 'head_mac'>;
export const markState = (seal: Seal, row: StateRow) => seal('run_states', STATE_COLUMNS, row);

export const isState = (seal: Seal, row: RunStatesTable): boolean =>
  sameMark(markState(seal, row).mark, row.head_mac);

/** What came from people is handled only when we took it in; what the code host says is a hint and needs no mark. */
export const INBOX_COLUMNS = ['source', 'key', 'body', 'received_at'] as const;

export type Tables = ReturnType<typeof createMarkedTables>;
export const createMarkedTables = (define: Define, seal: Seal) => ({
  seal,
  effects: markedTable<StoredEffect>(define, seal, EFFECTS),
  attempts: markedTable<StoredAttempt>(define, seal, ATTEMPTS),
  artifacts: markedTable<StoredArtifact>(define, seal, ARTIFACTS),
});
