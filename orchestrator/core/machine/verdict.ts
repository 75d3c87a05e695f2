/** F3: what the checks of one head SHA say, from the newest fact of each check. Silence is never green. */
import { z } from 'zod';

/** One check run or commit status. `key` is unique per app and name; a later `startedAt` replaces an earlier one. */
export const CheckFact = z.object({
  key: z.string(),
  name: z.string(),
  /** `waiting`: the forge runs it only when a person there allows it. */
  status: z.enum(['queued', 'waiting', 'in_progress', 'completed']),
  conclusion: z
    .enum([
      'success',
      'failure',
      'neutral',
      'cancelled',
      'skipped',
      'timed_out',
      'action_required',
      'startup_failure',
      'stale',
    ])
    .nullable(),
  startedAt: z.number(),
});
export type CheckFact = z.infer<typeof CheckFact>;

/** Facts of one head. `firstAt` is when we first looked, `changedAt` when a fact last changed (epoch ms). */
export type CiFacts = {
  checks: Record<string, CheckFact>;
  required: string[];
  firstAt: number;
  changedAt: number;
  /** F8: a look of later than their settle time saw them as they are here; time alone settles nothing. */
  confirmed: boolean;
  /** The last look could not read all of them. */
  partial: boolean;
  /** Whole suites that wait for a maintainer have no checks yet. */
  held: boolean;
};

/** `GREEN_SEEN`: all that may be read is green, and some may not be read. */
export type CiVerdict =
  'RED' | 'PENDING' | 'GREEN' | 'GREEN_REQUIRED' | 'GREEN_SEEN' | 'AWAITING_MAINTAINER' | 'NO_CI';

/** When silence means something, in ms. */
export type Patience = { ciSettleMs: number; noCiMs: number };

const RED = new Set(['failure', 'timed_out', 'startup_failure', 'cancelled']);
const FINE = new Set(['success', 'neutral', 'skipped']);

/** Sources of the rules: GitHub's documentation of check runs and required checks. */
export const verdict = (ci: CiFacts | undefined): CiVerdict => {
  if (!ci) return 'PENDING';
  const checks = Object.values(ci.checks);
  if (checks.length === 0 && ci.held) return 'AWAITING_MAINTAINER';
  // guard: F8-silence-since-poll
  if (checks.length === 0) return ci.required.length > 0 || ci.partial || !ci.confirmed ? 'PENDING' : 'NO_CI';
  const isRequired = (c: CheckFact): boolean => ci.required.length === 0 || ci.required.includes(c.name);
  const done = (c: CheckFact): string | null => (c.status === 'completed' ? c.conclusion : null);
  const red = redChecks(ci);
  if (red.some(isRequired)) return 'RED';
  const waits = (c: CheckFact): boolean => c.status === 'waiting' || done(c) === 'action_required';
  if (ci.held || checks.some(waits)) return 'AWAITING_MAINTAINER';
  const missing = ci.required.some((name) => !checks.some((c) => c.name === name));
  const open = checks.some((c) => isRequired(c) && !FINE.has(done(c) ?? ''));
  // guard: F8-settled-green
  if (missing || open || !ci.confirmed) return 'PENDING';
  if (ci.partial) return 'GREEN_SEEN';
  return red.length > 0 || checks.some((c) => !FINE.has(done(c) ?? '')) ? 'GREEN_REQUIRED' : 'GREEN';
};

export const redChecks = (ci: CiFacts): CheckFact[] =>
  Object.values(ci.checks).filter((c) => c.status === 'completed' && RED.has(c.conclusion ?? ''));

/**
 * A re-run was asked for: the red checks count as queued, a moment after their last try, so that facts of that try are
 * older and change nothing. The forge's clock is compared with itself only.
 */
export const rerunAsked = (ci: CiFacts, at: number): CiFacts => {
  const queued = redChecks(ci).map((c): [string, CheckFact] => [
    c.key,
    { ...c, status: 'queued', conclusion: null, startedAt: c.startedAt + 1 },
  ]);
  // Where nothing was red, nothing runs again.
  const confirmed = queued.length === 0 && ci.confirmed;
  return { ...ci, checks: { ...ci.checks, ...Object.fromEntries(queued) }, changedAt: at, confirmed };
};

/** From when on a look that sees the same confirms it (epoch ms): silence lasts longer than a word. */
export const settlesAt = (ci: CiFacts, { ciSettleMs, noCiMs }: Patience): number =>
  Object.keys(ci.checks).length === 0 ? ci.firstAt + noCiMs : ci.changedAt + ciSettleMs;

/** S6: by a clock that was put back since, they are from now on: silence is not waited for by as much. */
export const notAhead = (ci: CiFacts, at: number): CiFacts =>
  ci.firstAt <= at && ci.changedAt <= at
    ? ci
    : { ...ci, firstAt: Math.min(ci.firstAt, at), changedAt: Math.min(ci.changedAt, at) };

/** A look that began at this time (epoch ms) saw these facts. */
export const seenAgain = (ci: CiFacts, at: number, patience: Patience): CiFacts =>
  ci.confirmed || at < settlesAt(ci, patience) ? ci : { ...ci, confirmed: true };

/** Folds one fact in; an older fact of the same check changes nothing. */
export const foldCheck = (ci: CiFacts | undefined, fact: CheckFact, at: number): CiFacts => {
  const facts = ci ?? noFacts(at);
  const known = facts.checks[fact.key];
  if (known && (known.startedAt > fact.startedAt || sameOrBehind(known, fact))) return facts;
  return { ...facts, checks: { ...facts.checks, [fact.key]: fact }, changedAt: at, confirmed: false };
};

export const noFacts = (at: number): CiFacts => ({
  checks: {},
  required: [],
  firstAt: at,
  changedAt: at,
  confirmed: false,
  partial: false,
  held: false,
});

const rank = { queued: 0, waiting: 1, in_progress: 2, completed: 3 } as const;
const sameOrBehind = (known: CheckFact, fact: CheckFact): boolean =>
  known.startedAt === fact.startedAt &&
  (rank[known.status] > rank[fact.status] ||
    (known.status === fact.status && known.conclusion === fact.conclusion));
