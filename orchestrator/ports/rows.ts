/** What the ledger gives back when it is read. */
import type { Effect, EffectKind } from '../core/machine/effect-types.ts';
import type { ContainmentLevel, ModelUsage } from '../core/change-facts.ts';
import type { Reason } from '../core/machine/reasons.ts';
import type { LiveApproval, Run } from '../core/machine/run.ts';
import type { UserRole } from '../core/roles.ts';

/** A repository as the code host names it: names are given away and used again, ids are not. */
export type ForgeRepository = { id: string; fullName: string };

export type SentMessage = { chat: string; messageId: string };

export type ApprovalRow = Omit<LiveApproval, 'signatures' | 'frozenUntil'> & {
  runId: string;
  state: 'open' | 'consumed' | 'void' | 'denied' | 'expired';
  /** Why it was closed. */
  reason: Reason | null;
  consumedBy: string | null;
  /** The opening that the push which used it up passed it on to. */
  passedTo: string | null;
  openedAt: number;
  closedAt: number | null;
};
export type EventRow = {
  id: number;
  runId: string;
  seq: number;
  type: string;
  key: string;
  body: string;
  stateAfter: string;
  at: number;
  hash: string;
};
/** A run as it is stored, with what seals it. */
export type ChainHead = {
  run: Run;
  seq: number;
  hash: string;
  mac: string;
  macValid: boolean;
  chainBroken: string | null;
};
export type EffectRow = {
  n: number;
  id: string;
  runId: string | null;
  kind: EffectKind;
  do: Effect['do'];
  state: 'pending' | 'claimed' | 'done' | 'dead' | 'void';
  epoch: number | null;
  slot: string | null;
  chat: string | null;
  tries: number;
  dueAt: number;
  result: unknown;
  reason: string | null;
};
export type AttemptRow = {
  id: number;
  runId: string;
  /** `install`, `agent`, a check's name … */
  step: string;
  no: number;
  command: string;
  exitCode: number | null;
  outcome: string;
  startedAt: number;
  ms: number;
  engine: string | null;
  model: string | null;
  promptHash: string | null;
  baseSha: string | null;
  containment: ContainmentLevel | null;
  /** Process id and its start time, so that a survivor of a crash can be told from a stranger. */
  pid: number | null;
  pidStart: string | null;
  /** E18: all that the run may have been billed by then, at most; null for what bills nothing. */
  billed: ModelUsage | null;
  stdout: string | null;
  stderr: string | null;
};
export type UserRow = { id: string; name: string; role: UserRole };
