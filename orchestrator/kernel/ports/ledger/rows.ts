/** The rows that ledger queries return. */
import type { Effect, EffectKind } from '../../effects/effect-types.ts';
import type { Reason } from '../../run/reasons.ts';
import type { LiveApproval, Run } from '../../run/run.ts';
import type { ContainmentLevel } from '#model/evidence';
import type { Activity } from '#model/agent';
import type { ModelUsage } from '#model/reports';
import type { UserRole } from '#model/settings';

/** Names are reused by the code host; ids are not. */
export type RepositoryIdentity = { id: string; fullName: string };

export type SentMessage = { chat: string; messageId: string };

export type ApprovalRow = Omit<LiveApproval, 'signatures' | 'frozenUntil'> & {
  runId: string;
  state: 'open' | 'consumed' | 'void' | 'denied' | 'expired';
  reason: Reason | null;
  consumedBy: string | null;
  /** The opening that inherits the signature from the push that consumed it. */
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
  /** `install`, `agent`, `question`, or the name of a check. */
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
  /** Pid and start time tell a survivor of a crash from an unrelated process. */
  pid: number | null;
  pidStart: string | null;
  /** E18: upper bound of the run's bill at that time; null for steps that cost nothing. */
  billed: ModelUsage | null;
  /** E21: what it does now, and used so far; null before it says anything, and once it has ended. */
  activity: (Activity & { at: number; usage: ModelUsage }) | null;
  stdout: string | null;
  stderr: string | null;
};
export type UserRow = { id: string; name: string; role: UserRole };

export type RunQueue = {
  /** Repositories of the runs that hold a slot, once per run. */
  busy: readonly string[];
  /** Starts within the window, oldest first (epoch ms), without those of campaigns. */
  started: readonly { repo: string; at: number }[];
  waiting: readonly { runId: string; repo: string; campaign: boolean }[];
};

/** `seq`: newest event included. `body`: JSON, empty when the run has no log. */
export type StoredFigures = { runId: string; seq: number; createdAt: number; body: string };
