/** F8: what cannot be seen of the code host, and since when. A run is never deaf in silence. */
import { z } from 'zod';
import { HostRefusal } from '../host-refusal.ts';

/** What a look reads, from the whole to what only some credentials may read. */
export const POLL_PARTS = [
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

/** What is wrong decides what a person can do about it. */
export const POLL_FAILURE_KINDS = [
  /** Our credential is refused. */
  'credential',
  /** It may not read this. */
  'forbidden',
  /** It is not there, or hidden from us. */
  'missing',
  'refused',
  /** The code host wants to be left alone. */
  'limit',
  'host',
  /** A certificate, or the proxy of our own network, is in the way. */
  'network',
  /** More than we read. */
  'long',
  /** A mistake of ours. */
  'ours',
] as const;

/** How our App lost the right to work on a repository: it is gone, put to sleep, or given less. */
export const ACCESS_LOST = ['removed', 'suspended', 'unlisted'] as const;
export type AccessLost = (typeof ACCESS_LOST)[number];

/** F12: why nothing can be pushed to a pull request that is open. */
export const PUSH_BLOCKS = ['archived', 'fork_gone'] as const;
export type PushBlock = (typeof PUSH_BLOCKS)[number];

export const PollFailure = z.object({
  kind: z.enum(POLL_FAILURE_KINDS),
  /** The status of HTTP, when there was one. */
  status: z.number().nullable(),
  /**
   * What could not be read. Without the pull request, or the branch before there is one, nothing is
   * known of the run.
   */
  parts: z.array(z.enum(POLL_PARTS)),
  /** What the code host said. */
  message: z.string(),
  /** The refusal that the failure was read as; absent where none fits. */
  refusal: HostRefusal.exactOptional(),
});
export type PollFailure = z.infer<typeof PollFailure>;
export type PollPart = (typeof POLL_PARTS)[number];

export const PollOutage = z.object({
  outageId: z.string(),
  failure: PollFailure,
  /**
   * When looks began to fail, and when one last read everything; null when that is not known (epoch
   * ms).
   */
  startedAt: z.number(),
  lastFailureAt: z.number().nullable(),
});
export type PollOutage = z.infer<typeof PollOutage>;

/**
 * F5: whether a pull request can be seen without credentials: that of an account that is flagged
 * looks as usual to the account itself, and to nobody else.
 */
export const PullVisibility = z.object({
  /** Null where nobody can say, as in a private repository. */
  hidden: z.boolean().nullable(),
  /** When it was asked (epoch ms). */
  at: z.number(),
});
export type PullVisibility = z.infer<typeof PullVisibility>;

export const isSame = (a: PollFailure, b: PollFailure): boolean =>
  a.kind === b.kind &&
  a.status === b.status &&
  a.parts.join() === b.parts.join() &&
  // In which way a connection fails changes from one look to the next.
  (a.kind === 'host' || a.refusal?.kind === b.refusal?.kind);

/** Whose trouble it is: one spell, and one message, for all runs that share it. */
export const scopeOf = ({ kind, parts, refusal }: PollFailure): string =>
  kind === 'credential' || kind === 'host' || kind === 'network' || kind === 'limit'
    ? kind
    : [kind, parts.join('+'), refusal?.kind, refusal?.organisation].filter(Boolean).join(':');
