/** F5: counts our pull requests that wait in an owner's CI, because owners share runners. */
import { ownerOf } from '../model/push-fork.ts';
import type { Run } from '../kernel/run/run.ts';
import { isTerminal } from '../model/run-states.ts';
import { DAY, MINUTE } from '../model/units.ts';

/** Wait for a runner that is longer than usual (ms). */
const MIN_LONG_CHECK_MS = 10 * MINUTE;
/** Code hosts end a job that waits for longer than a day (ms). */
const GIVEN_UP = DAY;

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

/** Keys are owners in lower case; values count our waiting pull requests. */
export const queuesIn = (runs: readonly Run[], now: number): ReadonlyMap<string, number> => {
  const waiting = runs.filter((run) => isQueued(run, now));
  const owners = Map.groupBy(waiting, ({ order }) => ownerOf(order.repo).toLowerCase());
  return new Map([...owners].map(([owner, some]) => [owner, some.length]));
};
