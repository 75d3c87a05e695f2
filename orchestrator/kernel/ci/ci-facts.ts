/** Folds facts about the checks of one head, and decides when they count as settled (F3). */
import { hasAnnouncedChecks, hasReportedChecks, redChecks } from './ci-verdict.ts';
import type { CheckFact, CiFacts, MergeRequirement } from '#model/ci';

/** Silence that counts as settled, with checks and without any (ms). */
export type CiSettleTimes = { ciSettleMs: number; noCiMs: number };

/** Result of one poll. `polledAt` is its start, or the age of its oldest answer (epoch ms). */
export type CiObservation = {
  checks: readonly CheckFact[];
  required: MergeRequirement[];
  awaitsMaintainer: boolean;
  usesMergeQueue: boolean;
  partial: boolean;
  polledAt: number;
};

export const createCiFacts = (at: number): CiFacts => ({
  checks: {},
  required: [],
  firstAt: at,
  changedAt: at,
  confirmed: false,
  partial: false,
  awaitsMaintainer: false,
  usesMergeQueue: false,
});

const CHECK_PROGRESS_RANK = { announced: 0, queued: 0, awaits_maintainer: 1, running: 2, ended: 3 } as const;
const sameOrBehind = (known: CheckFact, fact: CheckFact): boolean =>
  known.startedAt === fact.startedAt &&
  (CHECK_PROGRESS_RANK[known.status] > CHECK_PROGRESS_RANK[fact.status] ||
    (known.status === fact.status && known.outcome === fact.outcome));

export const foldCheck = (ci: CiFacts | undefined, fact: CheckFact, at: number): CiFacts => {
  const facts = ci ?? createCiFacts(at);
  const known = facts.checks[fact.key];
  if (known && (known.startedAt > fact.startedAt || sameOrBehind(known, fact))) return facts;
  const checks = { ...facts.checks, [fact.key]: { ...fact, observedAt: at } };
  return { ...facts, checks, changedAt: at, confirmed: false };
};

/** A complete poll removes checks that are gone, except those reported since it began. */
export const foldCiObservation = (
  ci: CiFacts | undefined,
  observation: CiObservation,
  at: number,
  patience: CiSettleTimes,
): CiFacts => {
  const known = withoutLostReruns(notAhead(ci ?? createCiFacts(at), at), observation, at, patience);
  const { required, partial, usesMergeQueue: queue } = observation;
  const kept = partial ? known : withoutGone(known, observation, at);
  const folded = observation.checks.reduce((facts, check) => foldCheck(facts, check, at), kept);
  const next = {
    ...applyHold(folded, observation.awaitsMaintainer, at),
    required,
    partial,
    usesMergeQueue: queue,
  };
  return confirmSettledCi(next, observation.polledAt, patience);
};

// guard: F3-gone-checks
const withoutGone = (ci: CiFacts, { checks, polledAt: lookedAt }: CiObservation, at: number): CiFacts => {
  const there = new Set(checks.map(({ key }) => key));
  const left = keepChecks(ci, ([key, one]) => there.has(key) || one.observedAt >= lookedAt, at);
  return left !== ci && Object.keys(left.checks).length === 0 ? { ...left, firstAt: at } : left;
};

/** F6: a check that nobody runs again stands as it ended, once nothing runs for as long as silence counts. */
const withoutLostReruns = (
  ci: CiFacts,
  { checks, polledAt }: CiObservation,
  at: number,
  { noCiMs }: CiSettleTimes,
): CiFacts => {
  const ended = new Map(checks.map(({ key, status }) => [key, status === 'ended']));
  const runs = checks.some(({ status }) => status !== 'ended' && status !== 'announced');
  // guard: F6-rerun-never-came
  if (runs || polledAt < ci.changedAt + noCiMs) return ci;
  return keepChecks(ci, ([key, { status }]) => status !== 'queued' || !ended.get(key), at);
};

/** Workflows allowed only now have yet to begin: their silence counts from now. */
const applyHold = (ci: CiFacts, held: boolean, at: number): CiFacts => {
  if (held)
    return ci.awaitsMaintainer ? ci : { ...ci, awaitsMaintainer: held, changedAt: at, confirmed: false };
  // guard: F3-silence-since-ready
  return ci.awaitsMaintainer
    ? { ...ci, awaitsMaintainer: held, firstAt: at, changedAt: at, confirmed: false }
    : ci;
};

/** Marks red checks as queued just after their last try: facts of that try are then older. */
export const markRerun = (ci: CiFacts, at: number): CiFacts => {
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
  const confirmed = red.length === 0 && ci.confirmed;
  return { ...ci, checks: Object.fromEntries(known), changedAt: at, confirmed };
};

/** A re-run may never come: without queued checks, the next poll reads them as they are. */
export const forgetQueuedChecks = (ci: CiFacts, at: number): CiFacts =>
  keepChecks(ci, ([, { status }]) => status !== 'queued', at);

type CheckEntry = [key: string, check: CiFacts['checks'][string]];
const keepChecks = (ci: CiFacts, isKept: (entry: CheckEntry) => boolean, at: number): CiFacts => {
  const left = Object.entries(ci.checks).filter(isKept);
  if (left.length === Object.keys(ci.checks).length) return ci;
  return { ...ci, checks: Object.fromEntries(left), changedAt: at, confirmed: false };
};

/** Earliest time for a confirming poll (epoch ms); an absence of checks takes longer. */
export const ciSettleTime = (ci: CiFacts, { ciSettleMs, noCiMs }: CiSettleTimes): number => {
  const silence = ci.firstAt + noCiMs;
  if (!hasReportedChecks(ci)) return silence;
  const settled = ci.changedAt + ciSettleMs;
  return hasAnnouncedChecks(ci) ? Math.max(settled, silence) : settled;
};

/** S6: after the clock was set back, later times become now, so that the wait is not prolonged. */
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

export const confirmSettledCi = (ci: CiFacts, at: number, patience: CiSettleTimes): CiFacts =>
  ci.confirmed || at < ciSettleTime(ci, patience) ? ci : { ...ci, confirmed: true };
