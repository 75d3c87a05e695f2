/** Records of the checks of one head, and of the verdict on them (F3). */
import { z } from 'zod';

/** `key` is unique per reporter and name; a later `startedAt` replaces an earlier one. */
export const CheckFact = z.object({
  key: z.string(),
  name: z.string(),
  /** `workflow`: all its jobs at once; `suite`: one app's summary of all its checks. */
  kind: z.enum(['check', 'status', 'workflow', 'suite']),
  /** Reporter, by the code host's id; null when unknown. */
  app: z.string().nullable(),
  /** `held`: a maintainer has to allow it; `announced`: its app may never report. */
  status: z.enum(['announced', 'queued', 'awaits_maintainer', 'running', 'ended']),
  /** `idle`: nothing to report; `held`: a person has to act; `stale`: no longer known. */
  outcome: z.enum(['passed', 'idle', 'skipped', 'failed', 'awaits_maintainer', 'stale']).nullable(),
  startedAt: z.number(),
});
export type CheckFact = z.infer<typeof CheckFact>;

export const MergeRequirement = z.object({
  /** A `rule` is a requirement that we cannot judge. */
  kind: z.enum(['check', 'workflow', 'scan', 'rule']),
  name: z.string(),
  /** The only app whose check counts; null for any app. */
  app: z.string().nullable(),
  /** A passed check does not prove that the rule is kept. */
  unsure: z.boolean(),
});
export type MergeRequirement = z.infer<typeof MergeRequirement>;

export const toCheckRequirement = (name: string, app: string | null = null): MergeRequirement => ({
  kind: 'check',
  name,
  app,
  unsure: false,
});

/** `firstAt` is the first poll, `changedAt` the last change of a fact (epoch ms). */
export type CiFacts = {
  /** `observedAt` is its last change by our clock (epoch ms). */
  checks: Record<string, CheckFact & { observedAt: number }>;
  required: MergeRequirement[];
  firstAt: number;
  changedAt: number;
  /** F8: a poll after the settle time saw them unchanged; time alone settles nothing. */
  confirmed: boolean;
  partial: boolean;
  awaitsMaintainer: boolean;
  /** A merge queue runs the checks once more. */
  usesMergeQueue: boolean;
};

/** `GREEN_SEEN`: everything readable is green, and some checks are not readable. */
export type CiVerdict =
  | 'RED'
  | 'PENDING'
  | 'GREEN'
  | 'GREEN_REQUIRED'
  | 'GREEN_SEEN'
  | 'AWAITING_MAINTAINER'
  | 'NO_CI';

/** Reasons for a verdict, most important first. */
export type CiVerdictReason =
  | { kind: 'unseen' }
  | { kind: 'silent' }
  | { kind: 'failed'; name: string; required: boolean }
  /** Required and absent. `since` is the first poll (epoch ms). */
  | { kind: 'missing'; name: string; since: number }
  /** A check has the required name, but another app must report it. */
  | { kind: 'imitated'; name: string; since: number }
  | { kind: 'runs'; name: string; required: boolean }
  | { kind: 'awaits_maintainer'; name: string | null }
  | { kind: 'stale'; name: string }
  /** Everything passed; a later poll has to confirm it. */
  | { kind: 'settles' }
  | { kind: 'unread' }
  | { kind: 'unsure'; name: string }
  /** Required and skipped: the code host counts that as success. */
  | { kind: 'skipped'; name: string }
  | { kind: 'none_ran' }
  | { kind: 'queue' };
export type ExplainedCiVerdict = { verdict: CiVerdict; why: CiVerdictReason[] };
