/**
 * F5: how busy the CI of an owner is, by what our own pull requests wait for there. Machines that run
 * checks belong to an owner, so that one queue is that of all its repositories. Pure.
 */
import { ownerOf } from '../push-fork.ts';
import type { Run } from '../machine/run.ts';
import { isTerminal } from '../run-states.ts';
import { DAY, MINUTE } from '../units.ts';

/** A check that waits for longer does not have the usual wait for a machine (ms). */
const MIN_LONG_CHECK_MS = 10 * MINUTE;
/** What waits for longer waits for no machine that comes: code hosts end such a job after a day. */
const GIVEN_UP = DAY;

/** Checks of its newest commit have waited too long for a machine. */
const isQueued = (
  {
    lifecycle: { state },
    upstream: { pullRequest: pr, observed: seen },
    change: { pushedHead: pushed },
  }: Run,
  now: number,
): boolean => {
  if (pr === null || pushed === null || isTerminal(state) || seen.pull?.state === 'closed') return false;
  return Object.values(seen.ci[pushed.sha]?.checks ?? {}).some(
    ({ kind, status, observedAt: heardAt }) =>
      kind === 'check' &&
      status === 'queued' &&
      now - heardAt >= MIN_LONG_CHECK_MS &&
      now - heardAt < GIVEN_UP,
  );
};

/** Of each owner, by its name in lower case, how many of our pull requests wait in its queue. */
export const queuesIn = (runs: readonly Run[], now: number): ReadonlyMap<string, number> => {
  const waiting = runs.filter((run) => isQueued(run, now));
  const owners = Map.groupBy(waiting, ({ order }) => ownerOf(order.repo).toLowerCase());
  return new Map([...owners].map(([owner, some]) => [owner, some.length]));
};
