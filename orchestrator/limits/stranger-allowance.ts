/** Limits pull requests to unknown maintainers, because accounts that flood are suspended (F5). */
import { type RunTarget, repositoryOf, type Run } from '../kernel/run/run.ts';
import { z } from 'zod';
import { ownerOf } from '#model/pull';
import { isTerminal } from '#model/run';
import { DAY } from '#model/values';
import { clampTimesToNow, windowFreeAt, type WriteSlotWait } from '#model/limits';

const count = z.int().min(1);

export const ThirdPartySettings = z.strictObject({
  /** New owners in 24 hours, before any merge. */
  newOwnersPerDay: count.default(3),
  /** Open pull requests at one time, before any merge. */
  openPulls: count.default(5),
  /** Limits after any number of merges. */
  mostNewOwnersPerDay: count.default(20),
  mostOpenPulls: count.default(50),
});
export type ThirdPartySettings = z.infer<typeof ThirdPartySettings>;

/** Everything that one run sent to unknown maintainers. */
export type ThirdPartyPull = {
  run: string;
  owner: string;
  /** First publication (epoch ms). */
  at: number;
  /** Nothing is open and nobody decided when it is `over`. */
  state: 'branch' | 'open' | 'merged' | 'closed' | 'over';
  hidden: boolean;
  /** End of the run (epoch ms); null before. */
  ended: number | null;
};

/** Pull requests of ended runs are not polled and count as open for this long (ms). */
const MAX_ENDED_PULL_AGE_MS = 14 * DAY;

/** Maintainers who gave us push access know us. */
export const isThirdParty = ({ target: { fork } }: { target: Pick<RunTarget, 'fork'> }): boolean =>
  fork !== null && fork.atHome !== true;

/** Returns null for our own repositories, and before anything is public. */
export const thirdPartyPullOf = (run: Run): ThirdPartyPull | null => {
  if (!isThirdParty(run) || run.change.publicSince === null) return null;
  const { pull, visibility: exposure } = run.upstream.observed;
  const ended = isTerminal(run.lifecycle.state);
  const open = run.upstream.pullRequest !== null ? 'open' : ended ? 'over' : 'branch';
  const state = pull?.merged ? 'merged' : pull?.state === 'closed' ? 'closed' : open;
  return {
    run: run.id,
    owner: ownerOf(repositoryOf(run)).toLowerCase(),
    at: run.change.publicSince,
    state,
    hidden: exposure?.hidden === true && state === 'open',
    ended: ended ? run.lifecycle.updatedAt : null,
  };
};

const asOf = (outing: ThirdPartyPull, now: number): ThirdPartyPull =>
  outing.state === 'open' && outing.ended !== null && now - outing.ended > MAX_ENDED_PULL_AGE_MS
    ? { ...outing, state: 'over', hidden: false }
    : outing;

type ThirdPartyAllowance = { openPulls: number; newOwners: number };

/** A merge earns places in proportion to our merge rate. */
export const strangerAllowance = (
  outings: readonly ThirdPartyPull[],
  settings: ThirdPartySettings,
): ThirdPartyAllowance => {
  const countState = (state: ThirdPartyPull['state']): number =>
    outings.filter((one) => one.state === state).length;
  const [merged, closed] = [countState('merged'), countState('closed')];
  const earned = merged === 0 ? 0 : Math.floor(merged * (merged / (merged + closed)));
  return {
    openPulls: Math.min(settings.mostOpenPulls, settings.openPulls + earned),
    newOwners: Math.min(settings.mostNewOwnersPerDay, settings.newOwnersPerDay + Math.floor(earned / 3)),
  };
};

type Asks = { run: string; owner: string; what: 'push' | 'open_pr'; now: number };
type ThirdPartyTurn =
  | { kind: 'go' }
  | ({ kind: 'wait' } & Required<Pick<WriteSlotWait, 'why' | 'readyAt' | 'queueLength'>>);

const firstTimesOf = (outings: readonly ThirdPartyPull[]): number[] => {
  const first = new Map<string, number>();
  for (const { owner, at } of outings) first.set(owner, Math.min(first.get(owner) ?? Infinity, at));
  return [...first.values()];
};

/** Says whether a run may send something now. */
export const thirdPartyTurn = (
  outings: readonly ThirdPartyPull[],
  { run, owner, what, now }: Asks,
  settings: ThirdPartySettings,
): ThirdPartyTurn => {
  const others = outings.filter((one) => one.run !== run).map((one) => asOf(one, now));
  // A hidden account is suspected of flooding: more would make it worse.
  // guard: F5-hidden-stops
  if (others.some(({ hidden }) => hidden))
    return { kind: 'wait', why: 'pulls_hidden', readyAt: 0, queueLength: 0 };
  const { openPulls, newOwners } = strangerAllowance(others, settings);
  const open = others.filter(({ state }) => state === 'open').length;
  // guard: F5-open-with-strangers
  if (what === 'open_pr' && open >= openPulls)
    return { kind: 'wait', why: 'third_party', readyAt: 0, queueLength: openPulls };
  if (others.length < outings.length || others.some((one) => one.owner === owner.toLowerCase()))
    return { kind: 'go' };
  const times = clampTimesToNow(firstTimesOf(others), now);
  const readyAt = windowFreeAt(times, { most: newOwners, spanMs: DAY });
  // guard: F5-new-owners
  return readyAt <= now
    ? { kind: 'go' }
    : { kind: 'wait', why: 'new_owners', readyAt, queueLength: newOwners };
};
