/** Records what of the code host cannot be polled, and since when (F8). No outage is silent. */
import { z } from 'zod';
import { HostRefusal } from './host-refusal.ts';

const POLL_PARTS = [
  'pull',
  'branch',
  'checks',
  'reports',
  'statuses',
  'jobs',
  'rules',
  'reviews',
  'comments',
] as const;

/** The kind decides what a user can do about it. */
const POLL_FAILURE_KINDS = [
  'credential',
  'forbidden',
  'missing',
  'refused',
  'limit',
  'host',
  /** A certificate, or the proxy of our own network. */
  'network',
  'long',
  'ours',
] as const;

export const ACCESS_LOST = ['removed', 'suspended', 'unlisted'] as const;
export type AccessLost = (typeof ACCESS_LOST)[number];

/** F12: reasons why nothing can be pushed to an open pull request. */
export const PUSH_BLOCKS = ['archived', 'fork_deleted'] as const;
export type PushBlock = (typeof PUSH_BLOCKS)[number];

export const PollFailure = z.object({
  kind: z.enum(POLL_FAILURE_KINDS),
  status: z.number().nullable(),
  /** Unreadable parts. Nothing is known of a run whose pull request (or branch) is among them. */
  parts: z.array(z.enum(POLL_PARTS)),
  message: z.string(),
  refusal: HostRefusal.exactOptional(),
});
export type PollFailure = z.infer<typeof PollFailure>;
export type PollPart = (typeof POLL_PARTS)[number];

export const PollOutage = z.object({
  outageId: z.string(),
  failure: PollFailure,
  /** Start of the outage, and the last complete poll; null when unknown (epoch ms). */
  startedAt: z.number(),
  lastFailureAt: z.number().nullable(),
});
export type PollOutage = z.infer<typeof PollOutage>;

/** F5: visibility without credentials; a flagged account sees its own pull requests as usual. */
export const PullVisibility = z.object({
  /** Null when unknown, as in a private repository. */
  hidden: z.boolean().nullable(),
  at: z.number(),
});
export type PullVisibility = z.infer<typeof PullVisibility>;

export const isSamePollFailure = (left: PollFailure, right: PollFailure): boolean =>
  left.kind === right.kind &&
  left.status === right.status &&
  left.parts.join() === right.parts.join() &&
  // The way in which a connection fails changes from one poll to the next.
  (left.kind === 'host' || left.refusal?.kind === right.refusal?.kind);

/** Runs of one scope share one outage and one message. */
export const outageScopeOf = ({ kind, parts, refusal }: PollFailure): string =>
  kind === 'credential' || kind === 'host' || kind === 'network' || kind === 'limit'
    ? kind
    : [kind, parts.join('+'), refusal?.kind, refusal?.organisation].filter(Boolean).join(':');
