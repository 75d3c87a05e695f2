/**
 * F5: where a campaign came from that nobody ordered in the chat or at the host, and how many of one
 * source are shown. What arrives is a preview like any other, and begins with a person's tap. Pure.
 */
import { z } from 'zod';
import { CampaignId, RepositoryName } from './order.ts';
import { DAY } from './units.ts';

/** What a person of the host calls a webhook of his own. */
export const HookName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'small letters, digits and dashes');

export const CampaignTrigger = z.discriminatedUnion('kind', [
  /** Somebody who may write there gave an issue its label. */
  z.object({
    kind: z.literal('issue'),
    repo: RepositoryName,
    /** As the code host writes it (`#12`). */
    issue: z.string().max(20),
    by: z.string().max(100),
    url: z.string().max(500),
  }),
  /** A schedule came to its time (epoch ms). */
  z.object({ kind: z.literal('schedule'), schedule: CampaignId, due: z.number() }),
  /** A program of the host's own called. */
  z.object({ kind: z.literal('hook'), hook: HookName }),
]);
export type CampaignTrigger = z.infer<typeof CampaignTrigger>;

/** What has a limit of its own for each day. */
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
const isSame = (one: CampaignTrigger, other: CampaignTrigger): boolean =>
  sourceOf(one) === sourceOf(other) &&
  (one.kind !== 'issue' || (other.kind === 'issue' && one.issue === other.issue));

/** Of a campaign. */
type Known = { id: string; state: string; plannedAt: number; origin?: CampaignTrigger };
const isOpen = ({ state }: Known): boolean => state !== 'finished' && state !== 'closed';

type ArrivalVerdict = { kind: 'taken' } | { kind: 'open'; campaign: string } | { kind: 'full'; most: number };

/** Whether one more is shown: one of an issue at a time, and so many of a source in a day. */
export const admitArrival = (
  all: readonly Known[],
  origin: CampaignTrigger,
  now: number,
  perDay: number,
): ArrivalVerdict => {
  const own = all.filter((one) => one.origin && sourceOf(one.origin) === sourceOf(origin));
  const same = own.find(
    (one) => origin.kind === 'issue' && isOpen(one) && isSame(one.origin ?? origin, origin),
  );
  // guard: F5-one-for-an-issue
  if (same) return { kind: 'open', campaign: same.id };
  const today = own.filter(({ plannedAt }) => plannedAt > now - DAY).length;
  // guard: F5-arrivals-bounded
  return today >= perDay ? { kind: 'full', most: perDay } : { kind: 'taken' };
};

/** Of those that wait for a tap, what the same schedule showed before: the new one takes its place. */
export const replacedBy = (all: readonly Known[], origin: CampaignTrigger): string[] =>
  origin.kind !== 'schedule'
    ? []
    : all.flatMap((one) =>
        one.state === 'planned' && one.origin && isSame(one.origin, origin) ? [one.id] : [],
      );

/** Whether another one that arrived waits for a tap: then a phone has rung already. */
export const anotherWaits = (all: readonly Known[]): boolean =>
  all.some(({ state, origin }) => state === 'planned' && origin !== undefined);

/** So long a preview waits for a tap: what was looked at is old by then (ms). */
const PREVIEW_EXPIRY_MS = 7 * DAY;
export const isStale = ({ state, plannedAt }: Known, now: number): boolean =>
  state === 'planned' && now - plannedAt >= PREVIEW_EXPIRY_MS;
