/** Bounds of a run's whole life (S7, E6). The order fixes them, so restarts cannot reset them. */
import { z } from 'zod';
import { DAY, MB, MINUTE, HOUR } from '#model/values';

export const BUDGET_KINDS = ['time', 'tokens', 'cost', 'output', 'iterations', 'fixes'] as const;
export const BudgetKind = z.enum(BUDGET_KINDS);
export type BudgetKind = z.infer<typeof BudgetKind>;

/** Checks use time and output; finished work is checked even without tokens left. */
export const BUDGET_WORKERS = ['agent', 'check'] as const;
export type BudgetWorker = (typeof BUDGET_WORKERS)[number];

export const RunBounds = z.object({
  maxIterations: z.int().min(0).default(3),
  maxUpdates: z.int().min(0).default(10),
  /** Failed local checks that go back to the agent, within one stay in a state. */
  maxReflections: z.int().min(0).default(3),
  /** Updates of a plan, readable or not. */
  maxPlanRounds: z.int().min(1).default(12),
  maxStepFixes: z.int().min(0).default(3),
  maxReportRepairs: z.int().min(0).default(1),
  maxStepRetries: z.int().min(0).default(2),
  maxFailedOutside: z.int().min(1).default(3),
  /** Agent and check time of the run (ms). */
  runMs: z
    .int()
    .min(1_000)
    .default(90 * MINUTE),
  /** Tokens and cost of the run's agents, by the engines' own count; null: no limit. */
  maxTokens: z.int().min(1).nullable().default(null),
  maxCostUsd: z.number().positive().nullable().default(null),
  /** Output of agents and checks (bytes); null: no limit. */
  maxOutputBytes: z
    .int()
    .min(1)
    .nullable()
    .default(512 * MB),
  /** Share of a budget that triggers a warning, once for each limit; null: none. */
  warnAt: z.number().min(0).max(1).nullable().default(0.8),
  /** Waits for a busy provider that use up no retry; null: unlimited while it names a time. */
  maxRateWaits: z.int().min(0).nullable().default(12),
  /** First wait for a provider that names no time (ms); doubles up to an hour. */
  rateWaitMs: z.int().min(1).default(MINUTE),
  /** A total wait for a provider longer than this is announced once (ms). */
  longWaitMs: z
    .int()
    .min(1)
    .default(30 * MINUTE),
  ciWaitMs: z
    .int()
    .min(1_000)
    .default(24 * HOUR),
  reviewWaitMs: z
    .int()
    .min(1_000)
    .default(48 * HOUR),
  approvalMs: z
    .int()
    .min(1_000)
    .default(24 * HOUR),
  /** First reminder of an open question (ms); doubles each time. */
  reminderMs: z
    .int()
    .min(1_000)
    .default(24 * HOUR),
  /** F7: a person is called when a reviewer waits for an answer this long (ms). */
  answerMs: z
    .int()
    .min(1_000)
    .default(3 * DAY),
  /** First pause before a retry (ms); doubles each time. */
  retryMs: z.int().min(0).default(10_000),
  pollMs: z.int().min(50).default(30_000),
  /** Quiet time after the last check fact before green counts (ms): suites appear late. */
  ciSettleMs: z.int().min(0).default(25_000),
  /** No check for this long after the first poll means that there is no CI (ms). */
  noCiMs: z.int().min(0).default(180_000),
  approvals: z.int().min(1).max(10).default(1),
  requesterMayApprove: z.boolean().default(true),
  /** G6: allows low-risk pushes to an open pull request without a card. */
  autoIterate: z.boolean().default(false),
  /** An early push lets a card be compared on the web; a late one publishes nothing unapproved. */
  push: z.enum(['before_approval', 'after_approval']).default('before_approval'),
  autoRerun: z.boolean().default(false),
});
export type RunBounds = z.infer<typeof RunBounds>;

export type RaisedBounds = Partial<
  Pick<
    RunBounds,
    | 'runMs'
    | 'maxTokens'
    | 'maxCostUsd'
    | 'maxOutputBytes'
    | 'maxIterations'
    | 'maxReflections'
    | 'maxStepFixes'
  >
>;
