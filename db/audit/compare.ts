/** L5: the rows of a run as its log makes them again, by the very functions that wrote them, against those that are stored. */
import type { ApprovalChange, Effect } from '../../orchestrator/core/machine/effects.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { Fault, Retold } from '../../orchestrator/ports.ts';
import { STATE_COLUMNS } from '../integrity/marked.ts';
import { effectRow } from '../ledger/outbox.ts';
import { orderRow, startedAt, stateRow } from '../ledger/steps.ts';

export type StoredRow = Readonly<Record<string, unknown>>;
export type Stored = Record<
  'runs' | 'run_states' | 'approvals' | 'approval_signatures' | 'effects',
  readonly StoredRow[]
>;
type Made = Record<keyof Stored, Map<string, StoredRow>>;

const keys: Record<keyof Stored, (row: StoredRow) => string> = {
  runs: (row) => String(row['run_id']),
  run_states: (row) => String(row['run_id']),
  approvals: (row) => String(row['id']),
  approval_signatures: (row) => `${String(row['approval_id'])} by ${String(row['user_id'])}`,
  effects: (row) => String(row['id']),
};
/** Columns that the log says all about; of effects the others bear a mark. */
const COLUMNS: Record<keyof Stored, readonly string[]> = {
  runs: [
    'run_id', 'owner', 'repo', 'prompt_version', 'mode', 'budget_json', 'order_json', 'workspace_dir',
    'pr_number', 'created_at', 'updated_at',
  ], // prettier-ignore
  run_states: STATE_COLUMNS.filter((column) => column !== 'head_hash'),
  approvals: [
    'id', 'run_id', 'kind', 'digest', 'state', 'expires_at', 'needed', 'reason', 'consumed_by', 'opened_at',
    'closed_at',
  ], // prettier-ignore
  approval_signatures: ['approval_id', 'user_id', 'name', 'signed_at'],
  effects: ['id', 'run_id', 'kind', 'lane', 'slot', 'chat', 'do_json', 'epoch', 'created_at'],
};

export const compare = (runId: string, steps: readonly Retold[], stored: Stored): Fault[] => {
  const made = retell(steps);
  return (Object.keys(made) as (keyof Stored)[]).flatMap((table) => {
    const fault = (row: string, says: string): Fault => ({ table, row, runId, says });
    const left = new Map(made[table]);
    const seen = stored[table].flatMap((row): Fault[] => {
      const name = keys[table](row);
      const wanted = left.get(name);
      left.delete(name);
      if (!wanted)
        return table === 'effects' && isReply(row, steps) ? [] : [fault(name, 'was asked for by no event')];
      const wrong = COLUMNS[table].filter((column) => !isMade(row[column], wanted[column], column));
      return wrong.length > 0 ? [fault(name, `is not what the log makes: ${wrong.join(', ')}`)] : [];
    });
    return [...seen, ...[...left.keys()].map((name) => fault(name, 'is missing'))];
  });
};

/** Answers to people are not in the log; they bear a mark. Nothing else may be without an event. */
const isReply = (row: StoredRow, steps: readonly Retold[]): boolean => {
  if (row['kind'] !== 'tell') return false;
  const [, seq, index] = /:(\d+):(\d+)$/.exec(String(row['id'])) ?? [];
  const step = /^(in|fx|by):/.test(String(row['id'])) ? undefined : steps[Number(seq) - 1];
  return !step || Number(index) >= step.effects.length;
};

const retell = (steps: readonly Retold[]): Made => {
  const made: Made = {
    runs: new Map(),
    run_states: new Map(),
    approvals: new Map(),
    approval_signatures: new Map(),
    effects: new Map(),
  };
  let before: Run | null = null;
  let started: number | null = null;
  for (const { run, effects, approvals, at } of steps) {
    started = startedAt(before, started, run);
    if (!before) made.runs.set(run.id, orderRow(run));
    const order = made.runs.get(run.id);
    if (order && run.pr && before?.pr?.number !== run.pr.number)
      made.runs.set(run.id, { ...order, pr_number: run.pr.number, updated_at: run.updatedAt });
    for (const change of approvals) approve(made, run, effects, change, at);
    for (const [i, effect] of effects.entries()) {
      const id = `${run.id}:${run.version}:${i}`;
      made.effects.set(id, effectRow(effect, run, id, at));
    }
    before = run;
  }
  if (before) made.run_states.set(before.id, stateRow(before, started, ''));
  return made;
};

const approve = (
  { approvals, approval_signatures }: Made,
  run: Run,
  effects: readonly Effect[],
  c: ApprovalChange,
  at: number,
): void => {
  const change = (patch: StoredRow): void => void approvals.set(c.id, { ...approvals.get(c.id), ...patch });
  switch (c.op) {
    case 'open': {
      const { id, kind, digest, expiresAt: expires_at, needed } = c;
      const fresh = { state: 'open', reason: null, consumed_by: null, opened_at: at, closed_at: null };
      return change({ id, run_id: run.id, kind, digest, expires_at, needed, ...fresh });
    }
    case 'sign': {
      const row = { approval_id: c.id, user_id: c.by, name: c.name, signed_at: c.at };
      return void approval_signatures.set(keys.approval_signatures(row), row);
    }
    case 'consume': {
      const by = effects[c.effectIndex] ? `${run.id}:${run.version}:${c.effectIndex}` : null;
      return change({ state: 'consumed', consumed_by: by, closed_at: c.at });
    }
    case 'close':
      return change({ state: c.state, reason: JSON.stringify(c.reason), closed_at: at });
    default:
      return c satisfies never;
  }
};

/** Whether a stored value is the one that the log makes; the order of the members of an object says nothing. */
const isMade = (stored: unknown, made: unknown, column: string): boolean => {
  if (stored === made) return true;
  if (!column.endsWith('_json') || typeof stored !== 'string' || typeof made !== 'string') return false;
  try {
    return same(JSON.parse(stored), JSON.parse(made), column === 'do_json');
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};

/** A message may have become urgent or loud by one that it replaced. */
const RAISED: ReadonlySet<string> = new Set(['urgent', 'sound']);

const same = (stored: unknown, made: unknown, message = false): boolean => {
  if (stored === made) return true;
  if (typeof stored !== 'object' || typeof made !== 'object' || stored === null || made === null)
    return false;
  if (Array.isArray(stored) !== Array.isArray(made)) return false;
  const [there, wanted] = [Object.entries(stored), new Map(Object.entries(made))];
  if (there.length !== wanted.size) return false;
  return there.every(([name, value]) => {
    if (message && RAISED.has(name) && value === true) return true;
    return wanted.has(name) && same(value, wanted.get(name));
  });
};
