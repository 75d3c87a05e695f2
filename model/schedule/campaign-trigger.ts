/** Origin of a campaign that nobody ordered by hand, and daily limits per source (F5). */
import { z } from 'zod';
import { CampaignId, RepositoryName } from '#model/order';
import { DAY } from '#model/values';

export const HookName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'small letters, digits and dashes');

export const CampaignTrigger = z.discriminatedUnion('kind', [
  /** A user with write access labelled an issue. */
  z.object({
    kind: z.literal('issue'),
    repo: RepositoryName,
    issue: z.string().max(20),
    by: z.string().max(100),
    url: z.string().max(500),
  }),
  z.object({ kind: z.literal('schedule'), schedule: CampaignId, due: z.number() }),
  z.object({ kind: z.literal('hook'), hook: HookName }),
]);
export type CampaignTrigger = z.infer<typeof CampaignTrigger>;

export const sourceOf = (origin: CampaignTrigger): string => {
  switch (origin.kind) {
    case 'issue':
      return `issue:${origin.repo.toLowerCase()}`;
    case 'schedule':
      return `schedule:${origin.schedule}`;
    case 'hook':
      return `hook:${origin.hook}`;
  }
};
const isSameTrigger = (one: CampaignTrigger, other: CampaignTrigger): boolean =>
  sourceOf(one) === sourceOf(other) &&
  (one.kind !== 'issue' || (other.kind === 'issue' && one.issue === other.issue));

type Known = { id: string; state: string; plannedAt: number; origin?: CampaignTrigger };
const isOpen = ({ state }: Known): boolean => state !== 'finished' && state !== 'closed';

type ArrivalVerdict = { kind: 'taken' } | { kind: 'open'; campaign: string } | { kind: 'full'; most: number };

/** One open campaign per issue, and a limit per source and day. */
export const admitArrival = (
  all: readonly Known[],
  origin: CampaignTrigger,
  now: number,
  perDay: number,
): ArrivalVerdict => {
  const own = all.filter((one) => one.origin && sourceOf(one.origin) === sourceOf(origin));
  const same = own.find(
    (one) => origin.kind === 'issue' && isOpen(one) && isSameTrigger(one.origin ?? origin, origin),
  );
  // guard: F5-one-for-an-issue
  if (same) return { kind: 'open', campaign: same.id };
  const today = own.filter(({ plannedAt }) => plannedAt > now - DAY).length;
  // guard: F5-arrivals-bounded
  return today >= perDay ? { kind: 'full', most: perDay } : { kind: 'taken' };
};

/** Previews of the same schedule that a new one replaces. */
export const findReplacedPreviews = (all: readonly Known[], origin: CampaignTrigger): string[] =>
  origin.kind !== 'schedule'
    ? []
    : all.flatMap((one) =>
        one.state === 'planned' && one.origin && isSameTrigger(one.origin, origin) ? [one.id] : [],
      );

/** A preview is waiting, so the phone has rung already. */
export const hasWaitingPreview = (all: readonly Known[]): boolean =>
  all.some(({ state, origin }) => state === 'planned' && origin !== undefined);

const PREVIEW_EXPIRY_MS = 7 * DAY;
export const isExpiredPreview = ({ state, plannedAt }: Known, now: number): boolean =>
  state === 'planned' && now - plannedAt >= PREVIEW_EXPIRY_MS;
