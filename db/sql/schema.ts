/**
 * The ledger's tables as Kysely sees them. Times are epoch milliseconds, JSON is text, flags are 0
 * or 1.
 */
import type { Generated } from 'kysely';
import type { EffectKind } from '../../orchestrator/core/machine/effect-types.ts';
import type { ContainmentLevel } from '../../orchestrator/core/change-facts.ts';
import type { ApprovalKind } from '../../orchestrator/core/machine/run.ts';
import type { ApprovalRow, EffectRow, IncomingItem } from '../../orchestrator/ports.ts';
import type { ChatPace } from './chat-pace.ts';

/** What a person ordered. Only `pr_number`, `workspace_dir` and `updated_at` ever change. */
export type RunsTable = {
  run_id: string;
  owner: string;
  repo: string;
  prompt_version: string;
  mode: string;
  budget_json: string;
  order_json: string;
  workspace_dir: string | null;
  /** The campaign that it is a part of. */
  campaign: string | null;
  /** As the code host writes it. */
  pr_number: string | null;
  created_at: number;
  updated_at: number;
};

/** The fold of a run's events: can be rebuilt from them. */
export type RunStatesTable = {
  run_id: string;
  /** The repository's name in lower case: until its id is known, however somebody writes it. */
  repo: string;
  /**
   * The code host's id of it: a renamed repository keeps it. Null until the run has seen its
   * repository.
   */
  repo_id: string | null;
  current_state: string;
  version: number;
  epoch: number;
  /** Holds a slot: a process of ours works for it and no person is waited for. */
  busy: number;
  /** Not terminal. */
  live: number;
  /** When it last left the queue for work. */
  started_at: number | null;
  fold_json: string;
  last_error: string | null;
  seq: number;
  head_hash: string;
  head_mac: string;
  updated_at: number;
};

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
  /** Effects of one lane are done one after the other; null is in nobody's way. */
  lane: string | null;
  /** Who goes first: see RANK. */
  prio: number;
  slot: string | null;
  chat: string | null;
  do_json: string;
  /** The run's epoch when it was asked for; null is never void. */
  epoch: number | null;
  state: EffectRow['state'];
  due_at: number;
  tries: number;
  lease_epoch: number;
  lease_until: number | null;
  /** The boot that holds the lease. */
  lease_owner: string | null;
  result_json: string | null;
  reason: string | null;
  created_at: number;
  updated_at: number;
  /** Of what never changes: see state-macs.ts. */
  mac: string;
  /** Whether a message makes a sound: its own, or that of one it replaced. */
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
  /** What shares a lane is handled one after the other; null has none. */
  lane: string | null;
  /** 0 goes first in its lane. */
  prio: number;
  /**
   * How many of its lane and prio were before it: whoever sends much waits behind those who send
   * little.
   */
  turn: Generated<number>;
  /** Of a row that a person sent and that is not handled yet. */
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
  /** The one effect that used it up. */
  consumed_by: string | null;
  /** The opening that goes on by the same signature once that push is done. */
  passed_to: string | null;
  opened_at: number;
  closed_at: number | null;
};

export type SignaturesTable = {
  approval_id: string;
  /** Null is the operator at the host's command line. */
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
  /** Usage, as JSON. */
  billed_json: string | null;
  boot_id: string;
  created_at: number;
};

export type ArtifactsTable = {
  id: Generated<number>;
  run_id: string;
  artifact_type: string;
  /** `sha256:` and the hash of the content. */
  uri: string;
  metadata_json: string;
  content: string;
  created_at: number;
};

/** One row: the fold of the house's events. */
export type InstallationTable = {
  id: number;
  seq: number;
  head_hash: string;
  fold_json: string;
  head_mac: string;
};

/** What a campaign is to do, never changed; the house's log names it by its digest. */
export type CampaignsTable = { id: string; order_json: string; created_at: number };

/** `body` is deflated, in base64. */
export type AnswersTable = { key: string; etag: string; body: string; more: number; at: number };

/** What a run took, folded from its log; `upto` is the event that was looked at last. */
export type FiguresTable = {
  run_id: string;
  seq: number;
  /** Of the folding. */
  version: number;
  upto: number;
  created_at: number;
  body: string;
};

export type LedgerSchema = {
  runs: RunsTable;
  run_states: RunStatesTable;
  events: EventsTable;
  effects: EffectsTable;
  inbox: InboxTable;
  approvals: ApprovalsTable;
  approval_signatures: SignaturesTable;
  step_attempts: AttemptsTable;
  artifacts: ArtifactsTable;
  house: InstallationTable;
  campaigns: CampaignsTable;
  house_events: { seq: number; type: string; body_json: string; created_at: number; hash: string };
  /**
   * Rows by state, kept in the transaction that moves them, so that a status costs the same for
   * ever.
   */
  state_counts: { scope: 'run' | 'inbox'; state: string; n: number };
  run_figures: FiguresTable;
  answers: AnswersTable;
  writers: { identity: string; book_json: string };
  boots: { id: string; started_at: number; last_seen_at: number };
  paces: ChatPace;
};
