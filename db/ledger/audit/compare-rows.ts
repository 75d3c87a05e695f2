/** Compares a run's stored rows with those that the same functions make from its log (L5). */
import { selectEffectKinds, type ApprovalChange, type Effect } from '#effects';
import { RUN_RECORDS, type Run } from '#run';
import { canonicalJson } from '#model/seal';
import type { LedgerFault, RefoldedStep } from '#ports/ledger';
import { STATE_COLUMNS } from '../../integrity/table-macs.ts';
import { toNewEffect } from '../outbox.ts';
import { orderRow, startTimeOf, stateRow } from '../write-step.ts';

export type StoredRow = Readonly<Record<string, unknown>>;
type Table = 'runs' | 'run_states' | 'run_records' | 'approvals' | 'approval_signatures';
export type StoredRows = Record<Table | 'effects', readonly StoredRow[]> & { names: readonly string[] };
type Made = Record<Table, Map<string, StoredRow>>;

const keys: Record<Table, (row: StoredRow) => string> = {
  runs: (row) => String(row['run_id']),
  run_states: (row) => String(row['run_id']),
  run_records: (row) => `${String(row['run_id'])} ${String(row['record'])}`,
  approvals: (row) => String(row['id']),
  approval_signatures: (row) => `${String(row['approval_id'])} by ${String(row['user_id'])}`,
};
const COLUMNS: Record<Table | 'effects', readonly string[]> = {
  runs: [
    'run_id', 'owner', 'repo', 'prompt_version', 'budget_json', 'order_json', 'workspace_dir', 'campaign',
    'pr_number', 'created_at', 'updated_at',
  ], // oxfmt-ignore
  // The hashes are covered by the MAC; a replayed run may order its keys differently.
  run_states: STATE_COLUMNS.filter((column) => column !== 'head_hash' && column !== 'records_hash'),
  run_records: ['run_id', 'record', 'body_json'],
  approvals: [
    'id', 'run_id', 'kind', 'digest', 'state', 'expires_at', 'needed', 'reason', 'consumed_by', 'passed_to',
    'opened_at', 'closed_at',
  ], // oxfmt-ignore
  approval_signatures: ['approval_id', 'user_id', 'name', 'signed_at'],
  effects: ['id', 'run_id', 'kind', 'lane', 'slot', 'chat', 'request_json', 'epoch', 'created_at'],
};

export const compareStoredRows = (
  runId: string,
  steps: readonly RefoldedStep[],
  stored: StoredRows,
): LedgerFault[] => {
  const made = refoldRows(steps);
  const tables = (Object.keys(made) as Table[]).flatMap((table) => {
    const rowFault = (row: string, says: string): LedgerFault => ({ table, row, runId, says });
    const left = new Map(made[table]);
    const seen = stored[table].flatMap((row): LedgerFault[] => {
      const name = keys[table](row);
      const wanted = left.get(name);
      left.delete(name);
      if (!wanted) return [rowFault(name, 'was asked for by no event')];
      const wrong = wrongColumns(table, row, wanted);
      return wrong.length > 0 ? [rowFault(name, `is not what the log makes: ${wrong.join(', ')}`)] : [];
    });
    return [...seen, ...[...left.keys()].map((name) => rowFault(name, 'is missing'))];
  });
  return [...tables, ...compareEffects(runId, steps, stored)];
};

const wrongColumns = (table: Table | 'effects', row: StoredRow, wanted: StoredRow): string[] =>
  COLUMNS[table].filter((column) => !isMade(row[column], wanted[column], column));

export const PUBLISHING_EFFECTS: ReadonlySet<string> = new Set(selectEffectKinds((row) => row.publishes));

const compareEffects = (
  runId: string,
  steps: readonly RefoldedStep[],
  { effects, names }: StoredRows,
): LedgerFault[] => {
  const rowFault = (row: string, says: string): LedgerFault => ({ table: 'effects', row, runId, says });
  const left = new Set<string>();
  const outside = new Set<string>();
  for (const { run, effects: asked } of steps)
    for (const [i, { do: what }] of asked.entries()) {
      const name = `${run.id}:${run.lifecycle.version}:${i}`;
      left.add(name);
      if (PUBLISHING_EFFECTS.has(what.kind)) outside.add(name);
    }
  const known = new Set(left);
  const strange = names.filter((name) => !left.delete(name) && !isReply(name, steps));
  const wrong = effects.flatMap((row): LedgerFault[] => {
    const name = String(row['id']);
    outside.delete(name);
    const wanted = known.has(name) ? findAskedEffect(name, steps) : null;
    if (!wanted)
      return row['kind'] === 'chat_message' || strange.includes(name)
        ? []
        : [rowFault(name, 'was asked for by no event')];
    const columns = wrongColumns('effects', row, wanted);
    return columns.length > 0 ? [rowFault(name, `is not what the log makes: ${columns.join(', ')}`)] : [];
  });
  return [
    ...strange.map((name) => rowFault(name, 'was asked for by no event')),
    ...wrong,
    ...[...left].map((name) => rowFault(name, 'is missing')),
    // Published effects are judged even if their row claims another kind.
    ...[...outside]
      .filter((name) => !left.has(name))
      .map((name) => rowFault(name, 'is not what the log makes: kind')),
  ];
};

const EFFECT_POSITION = /:(\d+):(\d+)$/;
const findAskedEffect = (name: string, steps: readonly RefoldedStep[]): StoredRow | null => {
  const [, seq, index] = EFFECT_POSITION.exec(name) ?? [];
  const step = steps[Number(seq) - 1];
  const effect = step?.effects[Number(index)];
  return step && effect ? toNewEffect(effect, step.run, name, step.at) : null;
};

/** Replies to people are not in the log; everything else needs an event. */
const isReply = (name: string, steps: readonly RefoldedStep[]): boolean => {
  const [, seq, index] = EFFECT_POSITION.exec(name) ?? [];
  const step = /^(in|fx|by):/.test(name) ? undefined : steps[Number(seq) - 1];
  return !step || Number(index) >= step.effects.length;
};

const refoldRows = (steps: readonly RefoldedStep[]): Made => {
  const made: Made = {
    runs: new Map(),
    run_states: new Map(),
    run_records: new Map(),
    approvals: new Map(),
    approval_signatures: new Map(),
  };
  let before: Run | null = null;
  let started: number | null = null;
  for (const { run, effects, approvals, at } of steps) {
    started = startTimeOf(before, started, run);
    if (!before) made.runs.set(run.id, orderRow(run));
    const order = made.runs.get(run.id);
    if (order && run.upstream.pullRequest && before?.upstream.pullRequest?.id !== run.upstream.pullRequest.id)
      made.runs.set(run.id, {
        ...order,
        pr_number: run.upstream.pullRequest.id,
        updated_at: run.lifecycle.updatedAt,
      });
    for (const change of approvals) applyApproval(made, run, effects, change, at);
    before = run;
  }
  if (!before) return made;
  made.run_states.set(before.id, stateRow(before, { started, hash: '', records: '' }));
  for (const record of RUN_RECORDS) {
    const row = { run_id: before.id, record, body_json: JSON.stringify(before[record]) };
    made.run_records.set(keys.run_records(row), row);
  }
  return made;
};

const applyApproval = (
  { approvals, approval_signatures }: Made,
  run: Run,
  effects: readonly Effect[],
  approvalChange: ApprovalChange,
  at: number,
): void => {
  const patchApproval = (patch: StoredRow): void =>
    void approvals.set(approvalChange.id, { ...approvals.get(approvalChange.id), ...patch });
  switch (approvalChange.op) {
    case 'open': {
      const { id, kind, digest, expiresAt: expires_at, needed } = approvalChange;
      const fresh = { state: 'open', reason: null, consumed_by: null, passed_to: null };
      const times = { opened_at: at, closed_at: null };
      return patchApproval({ id, run_id: run.id, kind, digest, expires_at, needed, ...fresh, ...times });
    }
    case 'extend':
      return patchApproval({ expires_at: approvalChange.expiresAt });
    case 'sign': {
      const row = {
        approval_id: approvalChange.id,
        user_id: approvalChange.by,
        name: approvalChange.name,
        signed_at: approvalChange.at,
      };
      return void approval_signatures.set(keys.approval_signatures(row), row);
    }
    case 'consume': {
      const by = effects[approvalChange.effectIndex]
        ? `${run.id}:${run.lifecycle.version}:${approvalChange.effectIndex}`
        : null;
      return patchApproval({ state: 'consumed', consumed_by: by, closed_at: approvalChange.at });
    }
    case 'pass_on': {
      const to = effects[approvalChange.effectIndex]
        ? `${run.id}:${run.lifecycle.version}:${approvalChange.effectIndex}`
        : null;
      return patchApproval({ passed_to: to });
    }
    case 'close':
      return patchApproval({
        state: approvalChange.state,
        reason: JSON.stringify(approvalChange.reason),
        closed_at: at,
      });
    default:
      return approvalChange satisfies never;
  }
};

const isMade = (stored: unknown, made: unknown, column: string): boolean => {
  if (stored === made) return true;
  if (!column.endsWith('_json') || typeof stored !== 'string' || typeof made !== 'string') return false;
  try {
    return canonicalJson(JSON.parse(stored)) === canonicalJson(JSON.parse(made));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};
