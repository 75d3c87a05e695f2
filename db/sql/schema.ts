/** The ledger's tables for Kysely. Times are epoch ms, JSON is text, flags are 0 or 1. */
import type { Generated } from 'kysely';
import type { EffectKind } from '#effects';
import type { ApprovalKind } from '#run';
import type { ContainmentLevel } from '#model/evidence';
import type { ApprovalRow, EffectRow } from '#ports/ledger';
import type { IncomingItem } from '#ports/steps';
import type { ChatPace } from './chat-pace.ts';

/** Immutable except for `pr_number`, `workspace_dir` and `updated_at`. */
export type RunsTable = {
  run_id: string;
  owner: string;
  repo: string;
  prompt_version: string;
  budget_json: string;
  order_json: string;
  workspace_dir: string | null;
  campaign: string | null;
  pr_number: string | null;
  created_at: number;
  updated_at: number;
};

/** Fold of a run's events, rebuildable; its records stand in `run_records`. */
export type RunStatesTable = {
  run_id: string;
  repo: string;
  /** Stable across renames; null until the run has seen its repository. */
  repo_id: string | null;
  current_state: string;
  version: number;
  epoch: number;
  /** Occupies a slot: a process works and no person is awaited. */
  busy: number;
  live: number;
  started_at: number | null;
  /** Covers the run's records, see stored-run.ts. */
  records_hash: string;
  last_error: string | null;
  seq: number;
  head_hash: string;
  head_mac: string;
  updated_at: number;
};

export type RunRecordsTable = { run_id: string; record: string; body_json: string };

export type EventsTable = {
  event_id: Generated<number>;
  run_id: string;
  seq: number;
  event_type: string;
  idempotency_key: string;
  payload_json: string;
  state_after: string;
  created_at: number;
  hash: string;
};

export type EffectsTable = {
  n: Generated<number>;
  id: string;
  run_id: string | null;
  kind: EffectKind;
  lane: string | null;
  priority: number;
  slot: string | null;
  chat: string | null;
  request_json: string;
  /** The run's epoch at the request; null never becomes void. */
  epoch: number | null;
  state: EffectRow['state'];
  due_at: number;
  tries: number;
  lease_epoch: number;
  lease_until: number | null;
  lease_owner: string | null;
  result_json: string | null;
  reason: string | null;
  created_at: number;
  updated_at: number;
  /** Covers the immutable columns, see table-macs.ts. */
  mac: string;
  loud: number;
};

export type InboxTable = {
  id: Generated<number>;
  source: IncomingItem['source'];
  key: string;
  body: string;
  state: 'new' | 'done' | 'dead';
  tries: number;
  note: string | null;
  received_at: number;
  handled_at: number | null;
  lane: string | null;
  /** Lower goes first in its lane. */
  priority: number;
  /** Earlier inputs of the lane; gives lanes round-robin turns. */
  turn: Generated<number>;
  /** Set for unhandled inputs of people. */
  mac: string | null;
};

export type ApprovalsTable = {
  id: string;
  run_id: string;
  kind: ApprovalKind;
  digest: string;
  state: ApprovalRow['state'];
  expires_at: number;
  needed: number;
  reason: string | null;
  consumed_by: string | null;
  /** The opening that inherits the signature from this push. */
  passed_to: string | null;
  opened_at: number;
  closed_at: number | null;
};

type SignaturesTable = {
  approval_id: string;
  /** Null is the operator on the host's command line. */
  user_id: string | null;
  name: string;
  signed_at: number;
};

export type AttemptsTable = {
  id: Generated<number>;
  run_id: string;
  step: string;
  attempt_no: number;
  command: string;
  exit_code: number | null;
  outcome: string;
  stdout_log: string | null;
  stderr_log: string | null;
  duration_ms: number;
  engine: string | null;
  model: string | null;
  prompt_hash: string | null;
  base_sha: string | null;
  containment: ContainmentLevel | null;
  pid: number | null;
  pid_start: string | null;
  billed_json: string | null;
  /** While it runs. */
  activity_json: string | null;
  boot_id: string;
  created_at: number;
};

export type ArtifactsTable = {
  id: Generated<number>;
  run_id: string;
  artifact_type: string;
  /** `sha256:` and the content's hash. */
  uri: string;
  metadata_json: string;
  content: string;
  created_at: number;
};

export type InstallationTable = {
  id: number;
  seq: number;
  head_hash: string;
  fold_json: string;
  head_mac: string;
};

/** Immutable; the installation's log holds its digest. */
type CampaignsTable = { id: string; order_json: string; created_at: number };

/** `body` is deflated, in base64. */
type ForgeResponsesTable = { key: string; etag: string; body: string; more: number; at: number };

export type FiguresTable = {
  run_id: string;
  seq: number;
  version: number;
  upto: number;
  created_at: number;
  body: string;
};

/** Amounts of one attempt on one day (its start, epoch ms); `pending`: a request under way may add it. */
export type SpendingTable = {
  attempt_id: number;
  day: number;
  run_id: string;
  person: string;
  person_name: string;
  campaign: string | null;
  repo: string;
  engine: string;
  cost_usd: number;
  tokens: number;
  pending_usd: number;
  pending_tokens: number;
};

export type TurnsTable = {
  run_id: string;
  seq: number;
  attempt_id: number;
  ended: number;
  facts_json: string;
  texts_json: string;
  created_at: number;
  hash: string;
  mac: string;
};

export type LedgerSchema = {
  runs: RunsTable;
  run_states: RunStatesTable;
  run_records: RunRecordsTable;
  events: EventsTable;
  effects: EffectsTable;
  inbox: InboxTable;
  approvals: ApprovalsTable;
  approval_signatures: SignaturesTable;
  step_attempts: AttemptsTable;
  turns: TurnsTable;
  artifacts: ArtifactsTable;
  installation: InstallationTable;
  campaigns: CampaignsTable;
  installation_events: { seq: number; type: string; body_json: string; created_at: number; hash: string };
  /** Counters kept by transactions, so that a status is cheap. */
  state_counts: { scope: 'run' | 'inbox'; state: string; n: number };
  run_figures: FiguresTable;
  forge_responses: ForgeResponsesTable;
  spending: SpendingTable;
  write_budgets: { identity: string; budget_json: string };
  boots: { id: string; started_at: number; last_seen_at: number };
  chat_paces: ChatPace;
};
