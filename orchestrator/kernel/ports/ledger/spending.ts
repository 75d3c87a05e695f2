/** E6: the port of the meter that reports what the processes of one effect use while they run. */
import type { AgentSession, ModelUsage } from '#model/reports';
import type { BudgetKind, BudgetWorker } from '#model/limits';
import type { TurnHead } from '#model/turn';
import type { Run } from '../../run/run.ts';
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
