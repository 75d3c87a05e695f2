/** Converts stored rows into the types of the ports. */
import { sql as raw, type Selectable } from 'kysely';
import type { Effect } from '#effects';
import { Reason, RUN_RECORDS, type Run } from '#run';
import { z } from 'zod';
import { Activity } from '#model/agent';
import { ModelUsage } from '#model/reports';
import { SET_ASIDE, type DeadInboxRow, type InboxRow } from '#ports/steps';
import type { AttemptRow, EffectRow, SentMessage } from '#ports/ledger';
import { MESSAGE_RANK } from './chat-pace.ts';
import type { ApprovalsTable, AttemptsTable, EffectsTable, InboxTable } from './schema.ts';

export type StoredFold = { run_id: string; fold_json: string | null };

export const concurrentChangeError = (runId: string): Error =>
  new Error(
    `The stored state of run ${runId} was changed by somebody other than agentpr. Nothing is done for it; see agentpr replay ${runId}.`,
  );

/** A run's records as one JSON object; null when there are none. */
export const storedFold = raw<
  string | null
>`(select '{' || string_agg('"' || record || '":' || body_json, ',') || '}'
  from run_records where run_records.run_id = run_states.run_id)`.as('fold_json');

const parseStoredRun = (row: StoredFold): Run => {
  try {
    const run = { id: row.run_id, ...(JSON.parse(row.fold_json ?? '{}') as Omit<Run, 'id'>) };
    if (RUN_RECORDS.every((name) => run[name])) return run;
  } catch {
    // The text is no JSON.
  }
  throw concurrentChangeError(row.run_id);
};

/** Skips unreadable runs, so that they hide no others. */
export const readableRuns = (row: StoredFold): Run[] => {
  try {
    return [parseStoredRun(row)];
  } catch {
    return [];
  }
};

export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

export const deadInboxOf = (row: Selectable<InboxTable>): DeadInboxRow => ({
  id: row.id,
  source: row.source,
  key: row.key,
  body: JSON.parse(row.body),
  receivedAt: row.received_at,
  why: row.note ?? '',
});

export const inboxOf = (row: Selectable<InboxTable>): InboxRow => ({
  id: row.id,
  source: row.source,
  key: row.key,
  body: JSON.parse(row.body),
  tries: row.tries,
  receivedAt: row.received_at,
  lane: row.lane,
  urgent: row.priority === 0,
  wasSetAside: row.note === SET_ASIDE,
});

/** A message may inherit urgency or sound from one it replaced. */
export const parseEffectRequest = ({
  request_json,
  priority,
  loud,
}: Pick<Selectable<EffectsTable>, 'request_json' | 'priority' | 'loud'>) => {
  const asked = JSON.parse(request_json) as Effect['do'];
  if (asked.kind !== 'chat_message') return asked;
  return {
    ...asked,
    urgent: priority === MESSAGE_RANK.card || priority === MESSAGE_RANK.answer,
    sound: loud === 1,
  };
};

export const effectOf = (row: Selectable<EffectsTable>): EffectRow => ({
  n: row.n,
  id: row.id,
  runId: row.run_id,
  kind: row.kind,
  do: parseEffectRequest(row),
  state: row.state,
  epoch: row.epoch,
  slot: row.slot,
  chat: row.chat,
  tries: row.tries,
  dueAt: row.due_at,
  result: row.result_json === null ? null : JSON.parse(row.result_json),
  reason: row.reason,
});

export const parseSentMessage = (json: string | null): SentMessage | null => {
  const result: unknown = json === null ? null : JSON.parse(json);
  if (typeof result !== 'object' || result === null || !('chat' in result) || !('messageId' in result))
    return null;
  const { chat, messageId } = result;
  return typeof chat === 'string' && typeof messageId === 'string' ? { chat, messageId } : null;
};

/** Also null for foreign content, so that the card still shows; replay reports it. */
const reasonIn = (text: string | null): Reason | null =>
  text !== null && isJson(text) ? (Reason.safeParse(JSON.parse(text)).data ?? null) : null;

export const approvalOf = (row: Selectable<ApprovalsTable>) => ({
  id: row.id,
  runId: row.run_id,
  kind: row.kind,
  digest: row.digest,
  state: row.state,
  expiresAt: row.expires_at,
  needed: row.needed,
  reason: reasonIn(row.reason),
  consumedBy: row.consumed_by,
  passedTo: row.passed_to,
  openedAt: row.opened_at,
  closedAt: row.closed_at,
});

const StoredActivity = Activity.extend({ at: z.number(), usage: ModelUsage });
const activityIn = (json: string | null): AttemptRow['activity'] =>
  json === null ? null : (StoredActivity.safeParse(JSON.parse(json)).data ?? null);

export const attemptOf = (row: Selectable<AttemptsTable>): AttemptRow => ({
  id: row.id,
  runId: row.run_id,
  step: row.step,
  no: row.attempt_no,
  command: row.command,
  exitCode: row.exit_code,
  outcome: row.outcome,
  startedAt: row.created_at,
  ms: row.duration_ms,
  engine: row.engine,
  model: row.model,
  promptHash: row.prompt_hash,
  baseSha: row.base_sha,
  containment: row.containment,
  pid: row.pid,
  pidStart: row.pid_start,
  billed: row.billed_json === null ? null : (JSON.parse(row.billed_json) as ModelUsage),
  activity: activityIn(row.activity_json),
  stdout: row.stdout_log,
  stderr: row.stderr_log,
});
