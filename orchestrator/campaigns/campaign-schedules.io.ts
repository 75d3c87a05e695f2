/** Plans campaigns on a schedule; missed times give one preview, a clock set back none (F5). */
import { Cron } from 'croner';
import type { Campaign, CampaignOrder } from '#model/campaign';
import { toCron } from '#model/schedule';
import type { IncomingItem } from '#ports/steps';
import { campaignIdOf } from '../kernel/runtime/run-ids.ts';
import { campaignPlanInboxItem } from './plan-campaign.io.ts';

const timesOf = (every: string): Cron => {
  const { pattern, zone } = toCron(every);
  return new Cron(pattern, { timezone: zone });
};
const nextTime = (every: string, after: number): number | null =>
  timesOf(every).nextRun(new Date(after))?.getTime() ?? null;
const lastTime = (every: string, until: number): number | null =>
  timesOf(every)
    .previousRuns(1, new Date(until + 1))[0]
    ?.getTime() ?? null;

type Shown = { id: string; due: number };
const lastOf = (id: string, all: readonly Campaign[]): Shown | null =>
  all
    .flatMap(({ id: shown, origin }): Shown[] =>
      origin?.kind === 'schedule' && origin.schedule === id ? [{ id: shown, due: origin.due }] : [],
    )
    .sort((a, b) => b.due - a.due)[0] ?? null;

export type ScheduleTimes = { next: number | null; last: Shown | null };

export const scheduleTimesOf = (
  { id, state, schedule: every = '' }: Campaign,
  all: readonly Campaign[],
  now: number,
): ScheduleTimes => ({
  next: state === 'running' || state === 'planned' ? nextTime(every, now) : null,
  last: lastOf(id, all),
});

export const findDueCampaignInboxItem = (
  { id, state, stateEnteredAt: since, schedule: every }: Campaign,
  order: CampaignOrder,
  lastDue: number,
  now: number,
): IncomingItem | null => {
  const { schedule, name, pace, limits, openings, requester, chat } = order;
  if (!schedule || every === undefined || state !== 'running') return null;
  const due = lastTime(every, now);
  // guard: F5-due-once
  if (due === null || due <= Math.max(since, lastDue)) return null;
  const key = `schedule:${id}:${due}`;
  return campaignPlanInboxItem(key, {
    id: campaignIdOf(key),
    named: schedule.named.map((one) => ({ ...one, host: null })),
    queries: schedule.queries,
    name,
    pace,
    limits,
    ...(openings ? { openings } : {}),
    requester,
    chat,
    run: order.run,
    origin: { kind: 'schedule', schedule: id, due },
  });
};
