/** F4, F5: how soon a pull request is looked at again, and how much of it is asked for. */
import type { RunLifecycle } from '../core/machine/run.ts';
import { settlesAt } from '../core/machine/ci-facts.ts';
import type { Run } from '../core/machine/run.ts';
import { HOUR, MINUTE, SECOND } from '../core/units.ts';
import type { PollDepth } from '../ports.ts';

/** A push is followed closely for so long (ms). */
const YOUNG_PUSH_MS = 2 * MINUTE;
/** From 30 seconds to a quarter of an hour by default. */
const MAX_POLL_FACTOR = 30;
/**
 * The strictest code host that is known grants 900 points a minute ("Rate limits for the REST
 * API"). Looks take less than half, and one of what has not changed asks twice. So much time
 * between two looks at anything (ms).
 */
const MIN_POLL_MS_PER_PULL = (2 * MINUTE) / 420;

/** In ms. `watched` is how many are looked at. */
export const nextPollDelay = (
  run: { lifecycle: Pick<RunLifecycle, 'state' | 'stateEnteredAt'> },
  now: number,
  everyMs: number,
  watched: number,
): number => {
  const age = Math.max(0, now - run.lifecycle.stateEnteredAt);
  const tier =
    run.lifecycle.state === 'CI_WAIT' && age < HOUR
      ? age < YOUNG_PUSH_MS
        ? Math.max(everyMs / 3, Math.min(everyMs, SECOND))
        : everyMs
      : Math.min(MAX_POLL_FACTOR * everyMs, Math.max(everyMs, age / 20));
  return Math.round(Math.max(tier, watched * MIN_POLL_MS_PER_PULL));
};

/**
 * What is about to be settled, or was hinted at, is seen whole; of the rest two parts at a time.
 */
export const pollDepthFor = (run: Run, now: number, turn: number, hinted: boolean): PollDepth => {
  const ci = run.change.pushedHead ? run.upstream.observed.ci[run.change.pushedHead.sha] : undefined;
  const settles = ci === undefined || (!ci.confirmed && now >= settlesAt(ci, run.order.bounds));
  return hinted || settles || run.upstream.observed.outage !== null ? 'whole' : { turn };
};
