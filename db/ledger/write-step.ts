/** The script of a step, which writes everything in one transaction (L2). */
import { isPublishing, type ApprovalChange } from '#effects';
import { isHoldingSlot, RUN_RECORDS, type Run } from '#run';
import { isTerminal, isWorking, STATE_TRAITS } from '#model/run';
import {
  CHANGED_RECORD,
  type StepPlan,
  type ChatReply,
  type StepOutcome,
  type StepRequest,
} from '#ports/steps';
import { GENESIS_HASH, linkHash } from '../integrity/hash-chain.ts';
import type { CauseStore } from './cause-store.ts';
import { STATE_COLUMNS, hasValidStateMac, macOfState, type StateRow } from '../integrity/table-macs.ts';
import type { LedgerTables } from './row-tables.ts';
import type { AttemptScripts } from './attempt-store.ts';
import type { EffectOutbox } from './outbox.ts';
import { concurrentChangeError } from '../sql/stored-rows.ts';
import type { RunStatesTable } from '../sql/schema.ts';
import { approvalStatements, runStatements } from './step-statements.ts';
import {
  hasSameRecords,
  parseRecords,
  readRecords,
  recordsHash,
  toStoredRun,
  type RecordRow,
  type StoredRun,
} from '../integrity/stored-run.ts';
import {
  selectAll,
  callStatement,
  executeMany,
  selectOne,
  type DefineStatement,
  type SqlScript,
  type SqlStatement,
} from '../sql/statements.ts';

type StepParts = {
  define: DefineStatement;
  tables: LedgerTables;
  outbox: EffectOutbox;
  causes: CauseStore;
  records: Pick<AttemptScripts, 'storeArtifact'>;
};
type Write = Extract<StepPlan, { kind: 'write' }>;
type Known = { row: RunStatesTable; stored: StoredRun };
type Before = (Known & { run: Run }) | null;
const MAX_REMEMBERED_RUNS = 64;

export const createStepScript = ({ define, tables: { seal }, outbox, causes, records }: StepParts) => {
  const sql = { ...runStatements(define), approval: approvalStatements(define) };
  const known = new Map<string, Known>();
  const rememberRun = (row: RunStatesTable, stored: StoredRun): void => {
    known.delete(row.run_id);
    known.set(row.run_id, { row, stored });
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED_RUNS && oldest !== undefined) known.delete(oldest);
  };

  const readStoredRun = (row: RunStatesTable, records: readonly RecordRow[]): StoredRun => {
    const last = known.get(row.run_id);
    // guard: L5-whole-head
    const same = last !== undefined && HEAD_COLUMNS.every((column) => last.row[column] === row[column]);
    // guard: L5-whole-records
    if (same && hasSameRecords(last.stored, records)) return last.stored;
    const stored = readRecords(records);
    // guard: L5-own-state
    if (!hasValidStateMac(seal, row)) throw concurrentChangeError(row.run_id);
    // guard: L5-own-records
    if (!stored || recordsHash(stored) !== row.records_hash) throw concurrentChangeError(row.run_id);
    rememberRun(row, stored);
    return stored;
  };

  function* readBefore(runId: string): SqlScript<Before> {
    const of = { run_id: runId };
    const [states, records] = (yield [callStatement(sql.read, of), callStatement(sql.records, of)]) as [
      RunStatesTable[],
      RecordRow[],
    ];
    const [row] = states;
    if (!row) return null;
    const stored = readStoredRun(row, records);
    // Safe to parse: covered by the MAC.
    return { run: parseRecords(runId, stored), row, stored };
  }

  function* tellAll(replies: readonly ChatReply[], id: (i: number) => string, now: number): SqlScript<void> {
    for (const [i, reply] of replies.entries()) yield* outbox.addReply(reply, id(i), now);
  }

  function* writePlan(request: StepRequest, before: Before, plan: Write): SqlScript<void> {
    const { runId, now } = request;
    const { run, event, effects, replies } = plan;
    assertNext(request, before?.run ?? null, run);
    const link = {
      runId,
      seq: run.lifecycle.version,
      type: event.type,
      key: request.key,
      payload: JSON.stringify(event.body),
      stateAfter: run.lifecycle.state,
      at: event.at,
    };
    const prev = before?.row.head_hash ?? GENESIS_HASH;
    const hash = linkHash(prev, link);
    yield* saveRun(before, run, hash);
    for (const { type, content } of request.artifacts ?? [])
      yield* records.storeArtifact({ runId, type, content, at: now });
    yield callStatement(sql.log, {
      run_id: runId,
      seq: link.seq,
      event_type: link.type,
      idempotency_key: link.key,
      payload_json: link.payload,
      state_after: link.stateAfter,
      created_at: link.at,
      hash,
    });
    const effectId = (index: number): string => `${runId}:${run.lifecycle.version}:${index}`;
    // guard: S2-void-effects
    if (before && before.run.lifecycle.epoch !== run.lifecycle.epoch) {
      yield* outbox.voidEarlier(runId, `the run moved on to ${run.lifecycle.state}`, now);
    }
    for (const change of plan.approvals) yield* changeApproval(plan, change, effectId, now);
    for (const [i, effect] of effects.entries()) yield* outbox.addEffect(effect, run, effectId(i), now);
    yield* tellAll(replies, (i) => effectId(effects.length + i), now);
  }

  function* saveRun(before: Before, run: Run, hash: string): SqlScript<void> {
    const stored = toStoredRun(run, before);
    const started = startTimeOf(before?.run ?? null, before?.row.started_at ?? null, run);
    const state = stateRow(run, { started, hash, records: recordsHash(stored) });
    const row = { ...state, head_mac: macOfState(seal, state) };
    if (before) {
      const rows = yield callStatement(sql.advance, { ...row, before: before.run.lifecycle.version });
      if (rows.length !== 1)
        throw new Error(`run ${run.id} was changed by somebody else at version ${run.lifecycle.version}`);
    } else {
      yield callStatement(sql.order, orderRow(run));
      yield callStatement(sql.create, row);
    }
    const changed = RUN_RECORDS.filter((name) => stored[name] !== before?.stored[name]);
    yield* executeMany(sql.putRecords, changed, (names) =>
      names.map((record) => ({ run_id: run.id, record, body_json: stored[record].body })),
    );
    rememberRun(row, stored);
    if (before?.run.lifecycle.state !== run.lifecycle.state) {
      if (before) yield callStatement(sql.count, { scope: 'run', state: before.run.lifecycle.state, by: -1 });
      yield callStatement(sql.count, { scope: 'run', state: run.lifecycle.state, by: 1 });
    }
    const pull = run.upstream.pullRequest?.id;
    if (pull !== undefined && before?.run.upstream.pullRequest?.id !== pull) {
      yield callStatement(sql.pull, { run_id: run.id, pr_number: pull, at: run.lifecycle.updatedAt });
    }
  }

  function* changeApproval(
    { run, effects }: Write,
    change: ApprovalChange,
    id: (i: number) => string,
    now: number,
  ): SqlScript<void> {
    const at = { id: change.id, run_id: run.id };
    switch (change.op) {
      case 'open': {
        const { kind, digest, expiresAt: expires_at, needed } = change;
        return yield* exactlyOne(
          sql.approval.open,
          { ...at, kind, digest, expires_at, needed, opened_at: now },
          change,
        );
      }
      case 'extend':
        return yield* exactlyOne(sql.approval.extend, { ...at, expires_at: change.expiresAt }, change);
      case 'sign':
        return yield* exactlyOne(
          sql.approval.sign,
          { ...at, user_id: change.by, name: change.name, at: change.at },
          change,
        );
      case 'consume': {
        const what = effects[change.effectIndex]?.do;
        if (!what || !isPublishing(what))
          throw new Error(`approval ${change.id} cannot be used up by ${what?.kind ?? 'no effect at all'}`);
        const by = id(change.effectIndex);
        return yield* exactlyOne(
          sql.approval.consume,
          { ...at, digest: change.digest, at: change.at, by },
          change,
        );
      }
      case 'pass_on': {
        if (effects[change.effectIndex]?.do.kind !== 'open_pr')
          throw new Error(`approval ${change.id} is passed on to no opening`);
        return yield* exactlyOne(
          sql.approval.passOn,
          { ...at, digest: change.digest, to: id(change.effectIndex) },
          change,
        );
      }
      case 'close':
        return yield* exactlyOne(
          sql.approval.close,
          { ...at, state: change.state, reason: JSON.stringify(change.reason), at: now },
          change,
        );
      default:
        return change satisfies never;
    }
  }

  return function* step(request: StepRequest): SqlScript<StepOutcome> {
    const { cause, now } = request;
    const open = yield* causes.close(cause, now);
    if (open !== 'closed') return { kind: open };
    const before = yield* readBefore(request.runId);
    if (before && (yield* selectOne(sql.seen, { run_id: request.runId, key: request.key }))) {
      yield* causes.noteCause(cause, 'duplicate');
      return { kind: 'duplicate' };
    }
    const plan = request.plan(before?.run ?? null);
    if (plan.kind === 'write') {
      yield* writePlan(request, before, plan);
      return { kind: 'written', run: plan.run, before: before?.run ?? null };
    }
    const { replies, ...outcome } = plan;
    yield* causes.noteCause(cause, JSON.stringify(outcome));
    yield* tellAll(replies, (i) => `${replyId(request)}:${i}`, now);
    return outcome;
  };
};

const HEAD_COLUMNS = [...STATE_COLUMNS, 'head_mac'] as const;

// guard: E6-queued-again
export const startTimeOf = (before: Run | null, started: number | null, run: Run): number | null =>
  isWorking(run.lifecycle.state) && (started === null || before?.lifecycle.state === 'QUEUED')
    ? run.lifecycle.updatedAt
    : started;

/** Replaying the events of a run makes the same row again, except for its MAC. */
export const stateRow = (
  run: Run,
  { started, hash, records }: { started: number | null; hash: string; records: string },
): StateRow => ({
  run_id: run.id,
  repo: run.order.repo.toLowerCase(),
  repo_id: run.target.base?.repoId ?? null,
  current_state: run.lifecycle.state,
  version: run.lifecycle.version,
  epoch: run.lifecycle.epoch,
  busy: isHoldingSlot(run) ? 1 : 0,
  live: isTerminal(run.lifecycle.state) ? 0 : 1,
  started_at: started,
  records_hash: records,
  last_error: STATE_TRAITS[run.lifecycle.state].wrong ? JSON.stringify(run.lifecycle.reason) : null,
  seq: run.lifecycle.version,
  head_hash: hash,
  updated_at: run.lifecycle.updatedAt,
});

/** Refusals have no event, so replies are named by their cause. */
const replyId = ({ cause, runId, key }: StepRequest): string => {
  if (cause.kind === 'inbox') return `in:${cause.id}`;
  return cause.kind === 'effect' ? `fx:${cause.n}.${cause.leaseEpoch}` : `by:${runId}:${key}`;
};

const assertNext = ({ runId }: StepRequest, before: Run | null, run: Run): void => {
  const version = (before?.lifecycle.version ?? 0) + 1;
  if (run.id !== runId) throw new Error(`a step of run ${runId} may not write run ${run.id}`);
  if (run.lifecycle.version !== version) {
    throw new Error(`run ${runId} is at version ${version - 1}; its next is not ${run.lifecycle.version}`);
  }
};

function* exactlyOne<A extends object, R>(
  statement: SqlStatement<A, R>,
  args: A,
  { op, id }: ApprovalChange,
): SqlScript<void> {
  const rows = yield* selectAll(statement, args);
  if (rows.length !== 1) throw new Error(`${CHANGED_RECORD}: step may not ${op} approval ${id}`);
}

export const orderRow = ({ id, order, lifecycle: { createdAt, updatedAt } }: Run) => {
  const at = order.repo.lastIndexOf('/');
  const [owner, repo] = [order.repo.slice(0, Math.max(0, at)), order.repo.slice(at + 1)];
  return {
    run_id: id,
    owner,
    repo,
    prompt_version: order.promptVersion,
    budget_json: JSON.stringify(order.bounds),
    order_json: JSON.stringify(order),
    workspace_dir: null,
    campaign: order.campaign ?? null,
    pr_number: null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
};
