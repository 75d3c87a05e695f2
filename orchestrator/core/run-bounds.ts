/**
 * S7, E6: bounds of a run's whole life. They are fixed in the order, so a restart or a new commit
 * cannot reset them.
 */
import { z } from 'zod';
import { MB, MINUTE, HOUR } from './units.ts';

export const BUDGET_KINDS = ['time', 'tokens', 'cost', 'output', 'iterations', 'fixes'] as const;
export const BudgetKind = z.enum(BUDGET_KINDS);
export type BudgetKind = z.infer<typeof BudgetKind>;

/**
 * Who uses budgets up. Checks cost time and print; finished work is not kept from them for want of
 * tokens.
 */
export const BUDGET_WORKERS = ['agent', 'check'] as const;
export type BudgetWorker = (typeof BUDGET_WORKERS)[number];

export const RunBounds = z.object({
  /** Entries of ITERATING. */
  maxIterations: z.int().min(0).default(3),
  /** Times that the change is brought onto a newer base. */
  maxUpdates: z.int().min(0).default(10),
  /** Failed local checks fed back to the agent, in one stretch of IMPLEMENTING or ITERATING. */
  maxReflections: z.int().min(0).default(3),
  /** Rounds of a plan: updates of it, readable or not. */
  maxPlanRounds: z.int().min(1).default(12),
  /** Fixes of one step of a plan. */
  maxStepFixes: z.int().min(0).default(3),
  /** Turns in which an agent may correct a report that could not be read. */
  maxReportRepairs: z.int().min(0).default(1),
  /** Retries of a step for environment failures. */
  maxStepRetries: z.int().min(0).default(2),
  /** Consecutive failed outside effects that pause the run. */
  maxFailedOutside: z.int().min(1).default(3),
  /** Agent and check time of the run, in ms. */
  runMs: z
    .int()
    .min(1_000)
    .default(90 * MINUTE),
  /**
   * Tokens read and written by the run's agents, and what they cost by the engines' own count;
   * null: no limit.
   */
  maxTokens: z.int().min(1).nullable().default(null),
  maxCostUsd: z.number().positive().nullable().default(null),
  /** What the run's agents and checks may print, in bytes; null: no limit. */
  maxOutputBytes: z
    .int()
    .min(1)
    .nullable()
    .default(512 * MB),
  /** The share of a budget from which people are warned, once for each limit; null: nobody is. */
  warnAt: z.number().min(0).max(1).nullable().default(0.8),
  /**
   * How often a provider that asks for patience is waited for without using up a retry; null: as
   * often as it says when.
   */
  maxRateWaits: z.int().min(0).nullable().default(12),
  /**
   * First wait for a provider that does not say when, in ms; it doubles each time, up to an hour.
   */
  rateWaitMs: z.int().min(1).default(MINUTE),
  /** A wait for a provider that is longer than this in all is told once, in ms. */
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
  /** How long a card may be approved, in ms. */
  approvalMs: z
    .int()
    .min(1_000)
    .default(24 * HOUR),
  /** First reminder for a person who is waited for, in ms; it doubles each time. */
  reminderMs: z
    .int()
    .min(1_000)
    .default(24 * HOUR),
  /** First pause before a failed step is tried again, in ms; it doubles each time. */
  retryMs: z.int().min(0).default(10_000),
  /** How often the forge is asked while waiting for it, in ms. */
  pollMs: z.int().min(50).default(30_000),
  /**
   * Quiet time after the last check fact before checks count as green, in ms: suites appear late.
   */
  ciSettleMs: z.int().min(0).default(25_000),
  /** No check at all for this long after the first look means that there is no CI, in ms. */
  noCiMs: z.int().min(0).default(180_000),
  /** Distinct approvers needed. */
  approvals: z.int().min(1).max(10).default(1),
  /** Whether the requester may approve. */
  requesterMayApprove: z.boolean().default(true),
  /** Whether low-risk pushes to a branch with a pull request go out without a card (G6). */
  autoIterate: z.boolean().default(false),
  /**
   * When the branch is pushed: as soon as our checks have passed, so that a card can be compared on
   * the web; or not before somebody has approved it, fixes included.
   */
  push: z.enum(['before_approval', 'after_approval']).default('before_approval'),
  /** Whether checks that may be flaky are run again without a tap, once for each head. */
  autoRerun: z.boolean().default(false),
});
export type RunBounds = z.infer<typeof RunBounds>;

/** The bounds that a person may raise while the run lives. */
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
