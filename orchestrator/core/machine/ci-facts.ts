/**
 * F3: how facts about the checks of one head fold, whatever their order, and from when on they
 * count as settled.
 */
import {
  hasAnnounced,
  hasReported,
  redChecks,
  type CheckFact,
  type CiFacts,
  type MergeRequirement,
} from './ci-verdict.ts';

/** When silence means something, in ms. */
export type CiSettleTimes = { ciSettleMs: number; noCiMs: number };

/**
 * What one look read. `lookedAt` is when it began, or how old the oldest of its answers is (epoch
 * ms).
 */
export type CiObservation = {
  checks: readonly CheckFact[];
  required: MergeRequirement[];
  awaitsMaintainer: boolean;
  usesMergeQueue: boolean;
  partial: boolean;
  polledAt: number;
};

export const noFacts = (at: number): CiFacts => ({
  checks: {},
  required: [],
  firstAt: at,
  changedAt: at,
  confirmed: false,
  partial: false,
  awaitsMaintainer: false,
  usesMergeQueue: false,
});

const CHECK_PROGRESS_RANK = { announced: 0, queued: 0, held: 1, running: 2, ended: 3 } as const;
const sameOrBehind = (known: CheckFact, fact: CheckFact): boolean =>
  known.startedAt === fact.startedAt &&
  (CHECK_PROGRESS_RANK[known.status] > CHECK_PROGRESS_RANK[fact.status] ||
    (known.status === fact.status && known.outcome === fact.outcome));

/** Folds one fact in; an older fact of the same check changes nothing. */
export const foldCheck = (ci: CiFacts | undefined, fact: CheckFact, at: number): CiFacts => {
  const facts = ci ?? noFacts(at);
  const known = facts.checks[fact.key];
  if (known && (known.startedAt > fact.startedAt || sameOrBehind(known, fact))) return facts;
  const checks = { ...facts.checks, [fact.key]: { ...fact, observedAt: at } };
  return { ...facts, checks, changedAt: at, confirmed: false };
};

/**
 * A look that read everything knows of what is gone, too: of all but what was heard since it began.
 */
export const foldCiObservation = (
  ci: CiFacts | undefined,
  look: CiObservation,
  at: number,
  patience: CiSettleTimes,
): CiFacts => {
  const known = notAhead(ci ?? noFacts(at), at);
  const { required, partial, usesMergeQueue: queue } = look;
  const kept = partial ? known : withoutGone(known, look, at);
  const folded = look.checks.reduce((facts, check) => foldCheck(facts, check, at), kept);
  const next = { ...heldBack(folded, look.awaitsMaintainer, at), required, partial, usesMergeQueue: queue };
  return observeAgain(next, look.polledAt, patience);
};

// guard: F3-gone-checks
const withoutGone = (ci: CiFacts, { checks, polledAt: lookedAt }: CiObservation, at: number): CiFacts => {
  const there = new Set(checks.map(({ key }) => key));
  const left = Object.entries(ci.checks).filter(([key, one]) => there.has(key) || one.observedAt >= lookedAt);
  if (left.length === Object.keys(ci.checks).length) return ci;
  // Where all of them went, the silence begins anew.
  const firstAt = left.length === 0 ? at : ci.firstAt;
  return { ...ci, checks: Object.fromEntries(left), firstAt, changedAt: at, confirmed: false };
};

/** What was allowed only now has yet to begin: its silence counts from now. */
const heldBack = (ci: CiFacts, held: boolean, at: number): CiFacts => {
  if (held)
    return ci.awaitsMaintainer ? ci : { ...ci, awaitsMaintainer: held, changedAt: at, confirmed: false };
  // guard: F3-silence-since-ready
  return ci.awaitsMaintainer
    ? { ...ci, awaitsMaintainer: held, firstAt: at, changedAt: at, confirmed: false }
    : ci;
};

/**
 * A re-run was asked for: the red checks count as queued, a moment after their last try, so that
 * facts of that try are older and change nothing. The forge's clock is compared with itself only.
 */
export const rerunAsked = (ci: CiFacts, at: number): CiFacts => {
  const known = new Map(Object.entries(ci.checks));
  const red = redChecks(ci);
  for (const c of red) {
    const queued = {
      ...c,
      status: 'queued',
      outcome: null,
      startedAt: c.startedAt + 1,
      observedAt: at,
    } as const;
    known.set(c.key, queued);
  }
  // Where nothing was red, nothing runs again.
  const confirmed = red.length === 0 && ci.confirmed;
  return { ...ci, checks: Object.fromEntries(known), changedAt: at, confirmed };
};

/** The code host did not run them again: what is red is heard of anew. */
export const forgetFailedChecks = (ci: CiFacts, at: number): CiFacts => {
  const left = Object.entries(ci.checks).filter(([, one]) => one.status !== 'queued');
  return { ...ci, checks: Object.fromEntries(left), changedAt: at, confirmed: false };
};

/**
 * From when on a look that sees the same confirms it (epoch ms): silence lasts longer than a word.
 */
export const settlesAt = (ci: CiFacts, { ciSettleMs, noCiMs }: CiSettleTimes): number => {
  const silence = ci.firstAt + noCiMs;
  if (!hasReported(ci)) return silence;
  const settled = ci.changedAt + ciSettleMs;
  return hasAnnounced(ci) ? Math.max(settled, silence) : settled;
};

/**
 * S6: by a clock that was put back since, they are from now on: silence is not waited for by as
 * much.
 */
const notAhead = (ci: CiFacts, at: number): CiFacts => {
  const ahead = Object.values(ci.checks).some(({ observedAt: heardAt }) => heardAt > at);
  if (ci.firstAt <= at && ci.changedAt <= at && !ahead) return ci;
  const checks = Object.entries(ci.checks).map(([key, one]) => [
    key,
    { ...one, observedAt: Math.min(one.observedAt, at) },
  ]);
  const times = { firstAt: Math.min(ci.firstAt, at), changedAt: Math.min(ci.changedAt, at) };
  return { ...ci, ...times, checks: Object.fromEntries(checks) as CiFacts['checks'] };
};

/** A look that began at this time (epoch ms) saw these facts. */
export const observeAgain = (ci: CiFacts, at: number, patience: CiSettleTimes): CiFacts =>
  ci.confirmed || at < settlesAt(ci, patience) ? ci : { ...ci, confirmed: true };
