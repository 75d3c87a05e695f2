/** Attempts, artifacts and boots in the memory ledger. */
import {
  artifactDigest,
  type ArtifactRemoval,
  MAX_ARTIFACT,
  MAX_LOG,
  RUNNING_OUTCOME,
  type AttemptEnd,
  type AttemptStart,
  type NewArtifact,
} from '../../../db/ledger/attempt-store.ts';
import type { ModelUsage } from '#model/reports';
import type { TurnHead } from '#model/turn';
import { turnHash } from '../../../db/ledger/turn-store.ts';
import { GENESIS_HASH } from '../../../db/integrity/hash-chain.ts';
import type { AttemptRow } from '#ports/ledger';
import type { NewTurn } from '#ports/records';
import type { MemoryStore, Tx } from './store.ts';

export const startAttempt = ({ store, put }: Tx, boot: string, start: AttemptStart): number => {
  assertRun(store, start.runId);
  const id = store.attempts.size + 1;
  let no = 1;
  for (const { row } of store.attempts.values()) {
    if (row.runId === start.runId && row.step === start.step) no = row.no + 1;
  }
  const { runId, step, command, startedAt, engine, model, promptHash, baseSha, containment, pid, pidStart } =
    start;
  const fresh = { exitCode: null, outcome: RUNNING_OUTCOME, ms: 0, stdout: null, stderr: null };
  const asked = {
    runId,
    step,
    command,
    startedAt,
    engine,
    model,
    promptHash,
    baseSha,
    containment,
    pid,
    pidStart,
  };
  put(store.attempts, id, { row: { id, no, ...asked, ...fresh, billed: null, activity: null }, boot });
  return id;
};

export const runningAttempt = (tx: Tx, id: number, pid: number, pidStart: string | null): void =>
  changeAttempt(tx, id, { pid, pidStart });

export const noteActivity = (tx: Tx, id: number, activity: NonNullable<AttemptRow['activity']>): void =>
  changeAttempt(tx, id, { activity });

export const billAttempt = (tx: Tx, id: number, billed: ModelUsage): void =>
  changeAttempt(tx, id, { billed });

export const endAttempt = (
  tx: Tx,
  id: number,
  { exitCode, outcome, ms, stdout, stderr, containment, model }: AttemptEnd,
): void =>
  changeAttempt(tx, id, {
    exitCode,
    outcome,
    ms,
    containment,
    model,
    activity: null,
    stdout: tail(stdout),
    stderr: tail(stderr),
  });

/** Returns earlier boots' attempts that never ended. */
export const orphans = (store: MemoryStore, boot: string): AttemptRow[] =>
  [...store.attempts.values()]
    .filter((a) => a.row.outcome === RUNNING_OUTCOME && a.boot !== boot)
    .map((a) => ({ ...a.row }));

export const addArtifact = ({ store, put }: Tx, { runId, type, content }: NewArtifact): string => {
  if (content.length > MAX_ARTIFACT) {
    throw new Error(`The artifact ${type} is too long (${content.length} characters). Shorten it first.`);
  }
  assertRun(store, runId);
  const digest = artifactDigest(content);
  put(store.artifacts, `${runId} ${digest}`, { type, content });
  return digest;
};

export const addTurn = ({ store, put }: Tx, turn: NewTurn): TurnHead => {
  assertRun(store, turn.runId);
  const rows = store.turns.get(turn.runId) ?? [];
  const last = rows.at(-1);
  const goesOn = last?.seq === turn.seq && !last.ended;
  if (!goesOn && turn.seq !== (last?.seq ?? 0) + 1)
    throw new Error(`turn ${turn.seq} of run ${turn.runId} does not follow turn ${last?.seq ?? 0}`);
  const before = goesOn ? rows.slice(0, -1) : rows;
  const { runId: run_id, seq, attempt: attempt_id, facts: facts_json } = turn;
  const at = goesOn ? last.at : turn.at;
  const ended = turn.ended ? 1 : 0;
  const row = { run_id, seq, attempt_id, ended, facts_json, created_at: at };
  const hash = turnHash(before.at(-1)?.hash ?? GENESIS_HASH, row);
  put(store.turns, turn.runId, [...before, { ...turn, at, hash }]);
  return { seq, hash };
};

export const forgetArtifacts = ({ store, put }: Tx, { runId, types, except }: ArtifactRemoval): void => {
  for (const [key, { type, content }] of store.artifacts)
    if (key.startsWith(`${runId} `) && types.includes(type) && !except.includes(artifactDigest(content)))
      put(store.artifacts, key, { type, content: '' });
};

/** Returns when another boot was last alive. */
export const addBoot = ({ store, put }: Tx, boot: string, now: number): number | null => {
  let last: number | null = null;
  for (const [other, seen] of store.boots) if (other !== boot && seen > (last ?? -Infinity)) last = seen;
  if (!store.boots.has(boot)) put(store.boots, boot, now);
  return last;
};

export const seeBoot = ({ store, put }: Tx, boot: string, now: number): void => {
  if (store.boots.has(boot)) put(store.boots, boot, now);
};

const changeAttempt = ({ store, put }: Tx, id: number, changes: Partial<AttemptRow>): void => {
  const found = store.attempts.get(id);
  if (found) put(store.attempts, id, { ...found, row: { ...found.row, ...changes } });
};

const assertRun = ({ runs }: MemoryStore, runId: string): void => {
  if (!runs.has(runId)) throw new Error(`there is no run ${runId} that this could belong to`);
};

/** Keeps the end of a log, where the result is. */
const tail = (log: string | null): string | null => {
  if (log === null || log.length <= MAX_LOG) return log;
  return `[${log.length - MAX_LOG} characters left out]\n${log.slice(-MAX_LOG)}`;
};
