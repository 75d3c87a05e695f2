/** State of a merged change after 30 and 90 days (O7). */
import { z } from 'zod';
import { DAY } from '#model/values';

const SURVIVAL_DAYS = [30, 90] as const;
export type SurvivalDays = (typeof SURVIVAL_DAYS)[number];

export const ChangeSurvival = z.object({
  reverted: z.boolean(),
  added: z.number(),
  remaining: z.number(),
});
export type ChangeSurvival = z.infer<typeof ChangeSurvival>;

export const SurvivalObserved = ChangeSurvival.extend({ days: z.literal(SURVIVAL_DAYS) });
export type SurvivalObserved = z.infer<typeof SurvivalObserved>;

/** Most of its lines are there; a change that only removed lines is there until it is reverted. */
export const hasSurvived = ({ reverted, added, remaining: kept }: ChangeSurvival): boolean =>
  !reverted && (added === 0 || kept * 2 > added);

const MAX_SURVIVAL_DELAY_MS = 30 * DAY;

type Merged = { mergedAt: number | null; survival: readonly SurvivalObserved[] };
export const findDueSurvivalDays = ({ mergedAt, survival }: Merged, now: number): SurvivalDays | null =>
  mergedAt === null
    ? null
    : (SURVIVAL_DAYS.find((days) => {
        const due = mergedAt + days * DAY;
        return now >= due && now < due + MAX_SURVIVAL_DELAY_MS && !survival.some((one) => one.days === days);
      }) ?? null);
