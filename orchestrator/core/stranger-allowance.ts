/**
 * F5: how much goes to people who do not know us. An account that sends strangers much is suspended
 * long before it has used up what the API allows, so this is bounded by itself, and the bounds grow
 * with what strangers have merged. Pure: the same facts at the same time give the same answer.
 */
import type { RunTarget } from './machine/run.ts';
import { z } from 'zod';
import { ownerOf } from './push-fork.ts';
import { repositoryOf, type Run } from './machine/run.ts';
import { isTerminal } from './run-states.ts';
import { DAY } from './units.ts';
import type { WriteSlotWait } from './write-slots.ts';

const count = z.int().min(1);

export const ThirdPartySettings = z.strictObject({
  /** Owners who were never sent anything, in 24 hours, before anything of ours was merged. */
  newOwnersPerDay: count.default(3),
  /** Pull requests that are open at one time, before anything of ours was merged. */
  openPulls: count.default(5),
  /** However much was merged. */
  mostNewOwnersPerDay: count.default(20),
  mostOpenPulls: count.default(50),
});
export type ThirdPartySettings = z.infer<typeof ThirdPartySettings>;

/** What went to strangers for one run. */
export type ThirdPartyPull = {
  run: string;
  /** In lower case. */
  owner: string;
  /** Since when something of it is public (epoch ms). */
  at: number;
  /** `over`: nothing is open, and nobody has decided. */
  state: 'branch' | 'open' | 'merged' | 'closed' | 'over';
  /** Nobody but us can see it. */
  hidden: boolean;
  /** When its run ended (epoch ms); null while it has not. */
  ended: number | null;
};

/** Nobody looks at the pull request of a run that has ended: so long it counts as open (ms). */
const MAX_ENDED_PULL_AGE_MS = 14 * DAY;

/** Where we may push, people know us: nothing that goes there goes to strangers. */
export const isThirdParty = ({ target: { fork } }: { target: Pick<RunTarget, 'fork'> }): boolean =>
  fork !== null && fork.atHome !== true;

/** What goes out from a fork goes to strangers; null for what stays at home, or is not public yet. */
export const outingOf = (run: Run): ThirdPartyPull | null => {
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

export type ThirdPartyAllowance = { openPulls: number; newOwners: number };

/** Each that was merged earns as much of a place as the share of ours that is merged. */
export const strangerAllowance = (
  outings: readonly ThirdPartyPull[],
  settings: ThirdPartySettings,
): ThirdPartyAllowance => {
  const of = (state: ThirdPartyPull['state']): number => outings.filter((one) => one.state === state).length;
  const [merged, closed] = [of('merged'), of('closed')];
  const earned = merged === 0 ? 0 : Math.floor(merged * (merged / (merged + closed)));
  return {
    openPulls: Math.min(settings.mostOpenPulls, settings.openPulls + earned),
    newOwners: Math.min(settings.mostNewOwnersPerDay, settings.newOwnersPerDay + Math.floor(earned / 3)),
  };
};

type Asks = { run: string; owner: string; what: 'push' | 'open_pr'; now: number };
export type ThirdPartyTurn =
  | { kind: 'go' }
  /** `at` as in AwaitedTurn. */
  | ({ kind: 'wait' } & Required<Pick<WriteSlotWait, 'why' | 'readyAt' | 'queueLength'>>);

/** When owners were first sent something, oldest first. */
const firsts = (outings: readonly ThirdPartyPull[], now: number): number[] => {
  const first = new Map<string, number>();
  // What a clock has dated ahead that was put back since counts as of now.
  for (const { owner, at } of outings)
    first.set(owner, Math.min(first.get(owner) ?? Infinity, Math.min(at, now)));
  return [...first.values()].filter((at) => at > now - DAY).sort((a, b) => a - b);
};

/** Whether something of a run may go to a stranger now; what waits for that is kept. */
export const thirdPartyTurn = (
  outings: readonly ThirdPartyPull[],
  { run, owner, what, now }: Asks,
  settings: ThirdPartySettings,
): ThirdPartyTurn => {
  const others = outings.filter((one) => one.run !== run).map((one) => asOf(one, now));
  // Whoever nobody can see is taken for somebody who floods: more would make it worse.
  // guard: F5-hidden-stops
  if (others.some(({ hidden }) => hidden)) return { kind: 'wait', why: 'hidden', readyAt: 0, queueLength: 0 };
  const { openPulls, newOwners } = strangerAllowance(others, settings);
  const open = others.filter(({ state }) => state === 'open').length;
  // guard: F5-open-with-strangers
  if (what === 'open_pr' && open >= openPulls)
    return { kind: 'wait', why: 'strangers', readyAt: 0, queueLength: openPulls };
  if (others.length < outings.length || others.some((one) => one.owner === owner.toLowerCase()))
    return { kind: 'go' };
  const today = firsts(others, now);
  const leaves = today[today.length - newOwners];
  // guard: F5-new-owners
  return leaves === undefined
    ? { kind: 'go' }
    : { kind: 'wait', why: 'owners', readyAt: leaves + DAY, queueLength: newOwners };
};
