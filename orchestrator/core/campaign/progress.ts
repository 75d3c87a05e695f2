/**
 * How a campaign comes along: what share was merged in time, who keeps it waiting, when it will be
 * through, by the pace that it had so far. Pure.
 */
import { DAY } from '../units.ts';
import { takenElsewhere } from './adopted.ts';
import { leftTo, type Standings } from './advance.ts';
import type { Campaign } from './campaign.ts';
import type { CampaignOrder } from './order.ts';
import { isSettled, type Standing } from './standing.ts';

/** A pull request on which nothing moved for so long is idle. */
export const IDLE = 7 * DAY;
const SPANS = [7, 30] as const;

/** Of the pull requests that are at least so old: how many were merged within that time. */
export const mergedAfter = (runs: Standings, now: number): { days: number; merged: number; of: number }[] =>
  SPANS.flatMap((days) => {
    const old = [...runs.values()].filter((one) => one.opened && now - (one.publicAt ?? now) >= days * DAY);
    const merged = old.filter(
      ({ mark, since, publicAt }) => mark === 'merged' && since - (publicAt ?? since) <= days * DAY,
    );
    return old.length === 0 ? [] : [{ days, merged: merged.length, of: old.length }];
  });

const WHOM = { waits: 'you', green: 'reviewers', open: 'checks' } as const;
export type Keeper = (typeof WHOM)[keyof typeof WHOM];
export type Stuck = { repo: string; run: string; on: Keeper; since: number };

/** What waits for somebody, longest first. */
export const stuckIn = (runs: Standings): Stuck[] =>
  [...runs.values()]
    .flatMap(({ repo, run, mark, since }) =>
      mark === 'waits' || mark === 'green' || mark === 'open' ? [{ repo, run, on: WHOM[mark], since }] : [],
    )
    .sort((a, b) => a.since - b.since || (a.run < b.run ? -1 : 1));

const isIdle = ({ over, opened, since }: Standing, now: number): boolean =>
  !over && opened && now - since >= IDLE;

/** Idle pull requests that take all the places there are; none while anything else is open. */
export const idleInAll = (waits: { kind: string } | null, runs: Standings, now: number): Standing[] => {
  const open = [...runs.values()].filter(({ over }) => !over);
  return waits?.kind === 'open' && open.every((one) => isIdle(one, now)) ? open : [];
};

/** Fewer say nothing about a pace. */
const FEWEST = 5;

/**
 * When the last repository will have come to a person's decision, or past it, at the pace of late.
 * How long people take to decide is nobody's pace.
 */
export const etaOf = (
  order: Pick<CampaignOrder, 'targets' | 'pace' | 'limits'>,
  campaign: Pick<Campaign, 'state' | 'adopted'>,
  runs: Standings,
  now: number,
): number | null => {
  if (campaign.state !== 'running') return null;
  const through = [...runs.values()]
    .filter((one) => one.mark === 'waits' || isSettled(one, 'approved'))
    // What is public was pushed right before it was asked about.
    .map(({ publicAt, since }) => publicAt ?? since)
    .sort((a, b) => a - b);
  const given = [...leftTo(order, runs).values()].flat().length;
  const taken = takenElsewhere(campaign);
  const made = order.targets.filter(({ repo }) => !runs.has(repo) && taken.has(repo.toLowerCase())).length;
  const left = order.targets.length - given - made - through.length;
  if (left <= 0 || through.length < FEWEST) return null;
  // The newer half: canaries come slowly, and everybody looks at them.
  const from = Math.floor(through.length / 2) - 1;
  const took = now - (through[from] ?? now);
  const byPace = (left * took) / (through.length - 1 - from);
  const unbegun = order.targets.length - given - made - runs.size;
  const today = [...runs.values()].filter(({ at }) => at > now - DAY).length;
  const byDays = Math.ceil((unbegun - (order.limits.perDay - today)) / order.limits.perDay) * DAY;
  return Math.round(now + Math.max(byPace, byDays));
};
