/** L2: one step in memory, synchronous from cause to replies. */
import type { KeyObject } from 'node:crypto';
import { type ApprovalChange, isPublishing } from '#effects';
import type { Run } from '#run';
import { isWorking } from '#model/run';
import { type StepPlan, type StepOutcome, type StepRequest, CHANGED_RECORD } from '#ports/steps';
import { closeCause, noteCause } from './causes.ts';
import { kept } from './kept.ts';
import { addArtifact } from './records.ts';
import { addEffect, addReplies, voidEarlier } from './outbox.ts';
import type { ApprovalRecord, MemoryStore, RunRecord, Tx } from './store.ts';

type Write = Extract<StepPlan, { kind: 'write' }>;

export const step = (tx: Tx, boot: string, key: KeyObject, request: StepRequest): StepOutcome => {
  const { cause, now, runId } = request;
  const open = closeCause(tx, boot, cause);
  if (open !== 'closed') return { kind: open };
  const before = tx.store.runs.get(runId) ?? null;
  if (before && tx.store.events.has(eventName(request))) {
    noteCause(tx, cause, 'duplicate');
    return { kind: 'duplicate' };
  }
  const plan = request.plan(before?.run ?? null);
  if (plan.kind === 'write') {
    write(tx, key, request, before, plan);
    return { kind: 'written', run: plan.run, before: before?.run ?? null };
  }
  const { replies, ...outcome } = plan;
  noteCause(tx, cause, JSON.stringify(outcome));
  if (replies.length > 0) {
    const id = replyId(request);
    addReplies(tx, replies, (i) => `${id}:${i}`, now);
  }
  return outcome;
};

const eventName = ({ runId, key }: StepRequest): string => `${runId}\n${key}`;

/** Refusals have no event, so their replies are named by the refused input. */
const replyId = ({ cause, runId, key }: StepRequest): string => {
  if (cause.kind === 'inbox') return `in:${cause.id}`;
  return cause.kind === 'effect' ? `fx:${cause.n}.${cause.leaseEpoch}` : `by:${runId}:${key}`;
};

const write = (tx: Tx, key: KeyObject, request: StepRequest, before: RunRecord | null, plan: Write): void => {
  const { now, runId } = request;
  const run = kept(plan.run);
  assertNext(tx.store, request, before, run);
  saveRun(tx, key, request, before, run, plan);
  const id = (i: number): string => `${runId}:${run.lifecycle.version}:${i}`;
  if (before && before.run.lifecycle.epoch !== run.lifecycle.epoch) {
    voidEarlier(tx, runId, `the run moved on to ${run.lifecycle.state}`);
  }
  for (const artifact of request.artifacts ?? []) addArtifact(tx, { runId, ...artifact, at: now });
  for (const change of plan.approvals) changeApproval(tx, plan, change, id, now);
  for (const [i, effect] of plan.effects.entries()) addEffect(tx, effect, run, id(i));
  addReplies(tx, plan.replies, (i) => id(plan.effects.length + i), now);
};

const assertNext = (store: MemoryStore, { runId }: StepRequest, before: RunRecord | null, run: Run): void => {
  const version = (before?.run.lifecycle.version ?? 0) + 1;
  if (run.id !== runId) throw new Error(`a step of run ${runId} may not write run ${run.id}`);
  if (run.lifecycle.version !== version) {
    throw new Error(`run ${runId} is at version ${version - 1}; its next is not ${run.lifecycle.version}`);
  }
  // Only a plan that writes itself could cause this.
  if ((store.runs.get(runId) ?? null) !== before) {
    throw new Error(`run ${runId} was changed by somebody else at version ${version}`);
  }
};

const saveRun = (
  { store, put }: Tx,
  key: KeyObject,
  request: StepRequest,
  before: RunRecord | null,
  run: Run,
  { event }: Write,
): void => {
  const last = {
    id: store.events.size + 1,
    runId: run.id,
    seq: run.lifecycle.version,
    type: event.type,
    key: request.key,
    body: kept(event.body),
    stateAfter: run.lifecycle.state,
    at: event.at,
    before: before?.last ?? null,
    link: null,
  };
  const old = before?.startedAt ?? null;
  const starts = isWorking(run.lifecycle.state) && (old === null || before?.run.lifecycle.state === 'QUEUED');
  put(store.events, eventName(request), last);
  put(store.runs, run.id, { run, last, startedAt: starts ? run.lifecycle.updatedAt : old, key });
};

/** Each change must match exactly one live approval of the run. */
const changeApproval = (
  { store, put }: Tx,
  { run, effects }: Write,
  c: ApprovalChange,
  id: (i: number) => string,
  now: number,
): void => {
  const save = (row: ApprovalRecord | null): void => {
    if (!row) throw new Error(`${CHANGED_RECORD}: step may not ${c.op} approval ${c.id}`);
    put(store.approvals, row.id, row);
  };
  const found = store.approvals.get(c.id);
  const live = found?.runId === run.id && found.state === 'open' ? found : null;
  switch (c.op) {
    case 'open':
      return save(mayOpen(store, c.id, run.id) ? opened(c, run.id, now) : null);
    case 'extend':
      return save(live && c.expiresAt > live.expiresAt ? { ...live, expiresAt: c.expiresAt } : null);
    case 'sign':
      return save(live && signed(live, c));
    case 'consume': {
      const what = effects[c.effectIndex]?.do;
      if (!what || !isPublishing(what))
        throw new Error(`approval ${c.id} cannot be used up by ${what?.kind ?? 'no effect at all'}`);
      return save(live && consumed(store, live, c, id(c.effectIndex)));
    }
    case 'pass_on':
      return save(passedOn(found, run.id, c, effects[c.effectIndex]?.do.kind, id(c.effectIndex)));
    case 'close':
      return save(live && { ...live, state: c.state, reason: c.reason, closedAt: now });
    default:
      return c satisfies never;
  }
};

/** A run has at most one open card. */
const mayOpen = ({ approvals }: MemoryStore, id: string, runId: string): boolean => {
  if (approvals.has(id)) return false;
  for (const row of approvals.values()) if (row.runId === runId && row.state === 'open') return false;
  return true;
};

const opened = (
  { id, kind, digest, expiresAt, needed }: Extract<ApprovalChange, { op: 'open' }>,
  runId: string,
  openedAt: number,
): ApprovalRecord => ({
  id,
  kind,
  digest,
  expiresAt,
  needed,
  runId,
  openedAt,
  state: 'open',
  reason: null,
  consumedBy: null,
  passedTo: null,
  closedAt: null,
  signedBy: [],
});

/** Each person signs once, including the operator at the host (null). */
const signed = (
  live: ApprovalRecord,
  { by, at }: Extract<ApprovalChange, { op: 'sign' }>,
): ApprovalRecord | null => {
  if (live.expiresAt <= at || live.signedBy.some((other) => (other ?? '') === (by ?? ''))) return null;
  return { ...live, signedBy: [...live.signedBy, by] };
};

const consumed = (
  { approvals }: MemoryStore,
  live: ApprovalRecord,
  { at, digest }: Extract<ApprovalChange, { op: 'consume' }>,
  by: string,
): ApprovalRecord | null => {
  if (live.digest !== digest || live.expiresAt <= at || live.signedBy.length < live.needed) return null;
  for (const other of approvals.values()) if (other.consumedBy === by) return null;
  return { ...live, state: 'consumed', consumedBy: by, closedAt: at };
};

const passedOn = (
  found: ApprovalRecord | undefined,
  runId: string,
  { digest }: Extract<ApprovalChange, { op: 'pass_on' }>,
  kind: string | undefined,
  to: string,
): ApprovalRecord | null => {
  if (found?.runId !== runId || found.kind !== 'open_pr' || found.digest !== digest) return null;
  if (found.state !== 'consumed' || found.passedTo !== null || kind !== 'open_pr') return null;
  return { ...found, passedTo: to };
};
