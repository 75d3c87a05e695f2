/** The port of the meter that reports what the processes of one effect use while they run (E6). */
import type { AgentSession, ModelUsage } from '#model/reports';
import type { BudgetKind, BudgetWorker } from '#model/limits';
import type { SpendingAdmission, SpendingAmount, SpendingTotal } from '#model/spending';
import type { TurnHead } from '#model/turn';
import type { Run } from '../../run/run.ts';
import type { SpendingRequest, SpendingStop } from '#model/spending';
import type { ClaimedEffect } from '#ports/steps';

export type MeterReading = {
  session: AgentSession | null;
  usage: ModelUsage;
  ms: number;
  outputBytes: number;
  turns?: TurnHead;
};

export type SpendingMeter = {
  begin(): void;
  used(so: { usage: ModelUsage; session: AgentSession | null; outputBytes: number }): void;
  end(all: MeterReading): void;
  rest(): MeterReading;
  usedUp(): BudgetKind | null;
  flush(): Promise<void>;
  /** Resolves after all reports are written; a result must not overtake them. */
  told(): Promise<void>;
};

export type CreateMeter = (run: Run, claim: ClaimedEffect, by: BudgetWorker) => SpendingMeter;

/** P7: what one attempt used so far, and what its requests under way may add, at a time (epoch ms). */
export type SpendingEntry = {
  attempt: number;
  runId: string;
  at: number;
  person: string;
  personName: string;
  campaign: string | null;
  repo: string;
  engine: string;
  used: SpendingAmount;
  pending: SpendingAmount;
};

export type SpendingBook = {
  /** Notes it when `admits` says `go` of what all have used since then; in one transaction. */
  charge(
    entry: SpendingEntry,
    asks: { since: number; admits: (rows: readonly SpendingTotal[]) => SpendingAdmission } | null,
  ): Promise<SpendingAdmission>;
};

export type SpendingQueries = {
  /** By day, person, campaign, repository and engine, since a time or of a campaign. */
  spent(of: { since: number; campaign?: string | null }): Promise<SpendingTotal[]>;
};

/** P7: keeps an attempt within the limits above its run. */
export type SpendingGuard = {
  open(
    run: Run,
    attempt: number,
  ): {
    /** Waits while what is left may not do for all that ask at once. */
    reserve(asks: SpendingRequest): Promise<SpendingStop | null>;
    settled(most: ModelUsage, used: ModelUsage): Promise<void>;
    /** Of an agent that asks its provider itself; true when a limit is used up. */
    note(used: ModelUsage): Promise<boolean>;
    end(used: ModelUsage): Promise<void>;
  };
};
