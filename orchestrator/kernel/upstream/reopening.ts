/** Time for which a closed pull request is looked at again, and its workspace kept (S11). */
import { DAY, HOUR } from '#model/values';
import { isTerminal } from '#model/run';
import type { Run } from '../run/run.ts';

const REOPENING_MS = 14 * DAY;
/** Copies of the code host may lag behind a closing for as long (ms). */
export const FIRST_POLL_MS = 60_000;
const MAX_LOOK_MS = HOUR;

/** Time until which a reopening is looked for (epoch ms); null for a run that did not end by a closing. */
export const reopeningDeadline = ({ lifecycle: { state, reason, stateEnteredAt } }: Run): number | null =>
  isTerminal(state) && reason.kind === 'pull_closed' ? stateEnteredAt + REOPENING_MS : null;

export const mayReopen = (run: Run, now: number): boolean => (reopeningDeadline(run) ?? 0) > now;

/** A workspace is wanted while its run may go on. */
export const needsWorkspace = (run: Run, now: number): boolean =>
  !isTerminal(run.lifecycle.state) || mayReopen(run, now);

/** Delay of the next look (ms): a twentieth of the time since the closing. */
export const reopeningDelay = ({ lifecycle: { stateEnteredAt } }: Run, now: number): number =>
  Math.min(MAX_LOOK_MS, Math.max(FIRST_POLL_MS, (now - stateEnteredAt) / 20));
