/** Decides how many pull requests may be open, and opened in an hour and a day (G10). Pure. */
import { z } from 'zod';
import { OpeningCaps } from '#model/opening';
import { type RecordedOpening, clampTimesToNow, windowFreeAt } from '#model/limits';
import { DAY, HOUR } from '#model/values';

const count = z.int().min(1).max(10_000);

export const OpeningCapSettings = OpeningCaps.extend({
  /** Where maintainers do not know us: these hold beside the others, and count them alone. */
  strangers: z
    .strictObject({
      openPerOwner: count.default(3),
      openPerRepository: count.default(2),
      perHour: count.default(10),
      perDay: count.default(30),
    })
    .prefault({}),
});
export type OpeningCapSettings = z.infer<typeof OpeningCapSettings>;

/** `open`: known to be open, or on its way. */
export type CountedOpening = RecordedOpening & { open: boolean };
export type CapTurn =
  | { kind: 'go' }
  /** `readyAt` (epoch ms) is 0 where it depends on maintainers. */
  | {
      kind: 'wait';
      why: 'owner_open' | 'repository_open' | 'hour_full' | 'day_full';
      readyAt: number;
      most: number;
    };

type Asks = Pick<RecordedOpening, 'run' | 'owner' | 'repo'> & { now: number };

const turnWithin = (
  all: readonly CountedOpening[],
  { openPerOwner, openPerRepository, perHour, perDay }: OpeningCaps,
  { owner, repo, now }: Asks,
): CapTurn => {
  const open = all.filter((one) => one.open);
  const inRepository = open.filter((one) => one.repo === repo).length;
  // guard: G10-open-per-repository
  if (openPerRepository !== undefined && inRepository >= openPerRepository)
    return { kind: 'wait', why: 'repository_open', readyAt: 0, most: openPerRepository };
  const withOwner = open.filter((one) => one.owner === owner).length;
  // guard: G10-open-per-owner
  if (openPerOwner !== undefined && withOwner >= openPerOwner)
    return { kind: 'wait', why: 'owner_open', readyAt: 0, most: openPerOwner };
  const times = clampTimesToNow(
    all.map(({ at }) => at),
    now,
  );
  const day = perDay === undefined ? 0 : windowFreeAt(times, { most: perDay, spanMs: DAY });
  // guard: G10-openings-per-day
  if (perDay !== undefined && day > now) return { kind: 'wait', why: 'day_full', readyAt: day, most: perDay };
  const hour = perHour === undefined ? 0 : windowFreeAt(times, { most: perHour, spanMs: HOUR });
  // guard: G10-openings-per-hour
  if (perHour !== undefined && hour > now)
    return { kind: 'wait', why: 'hour_full', readyAt: hour, most: perHour };
  return { kind: 'go' };
};

/** Whether one more may be opened now; `isStranger`: its maintainers do not know us. */
export const decideOpeningTurn = (
  all: readonly CountedOpening[],
  asks: Asks & { isStranger: boolean },
  { strangers, ...caps }: OpeningCapSettings,
): CapTurn => {
  const others = all.filter(({ run }) => run !== asks.run);
  const first = turnWithin(others, caps, asks);
  if (first.kind === 'wait' || !asks.isStranger) return first;
  // guard: G10-strangers-lower
  return turnWithin(
    others.filter(({ stranger }) => stranger),
    strangers,
    asks,
  );
};
