/** F4, F5: interval and depth of polls. */
import type { RunLifecycle } from '../run/run.ts';
import { settlesAt } from './ci-facts.ts';
import type { Run } from '../run/run.ts';
import { HOUR, MINUTE, SECOND } from '../../model/units.ts';
import type { PollDepth } from '../ports/index.ts';

/** A new push is polled closely for this long (ms). */
const YOUNG_PUSH_MS = 2 * MINUTE;
/** Factor from the shortest to the longest interval: 30 seconds to 15 minutes by default. */
const MAX_POLL_FACTOR = 30;
/** In ms. Two requests each: under half of 900 points a minute ("Rate limits for the REST API"). */
const MIN_POLL_MS_PER_PULL = (2 * MINUTE) / 420;

/** Returns ms. `watched`: number of polled runs. */
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

/** A full poll when CI is about to settle or a webhook came; otherwise two parts. */
export const pollDepthFor = (run: Run, now: number, turn: number, hinted: boolean): PollDepth => {
  const ci = run.change.pushedHead ? run.upstream.observed.ci[run.change.pushedHead.sha] : undefined;
  const settles = ci === undefined || (!ci.confirmed && now >= settlesAt(ci, run.order.bounds));
  return hinted || settles || run.upstream.observed.outage !== null ? 'whole' : { turn };
};
