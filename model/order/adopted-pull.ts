/** A pull request opened elsewhere that a campaign follows, as a record (F5). */
import { z } from 'zod';
import { OpaqueId, RepositoryName } from './order.ts';

/** Maximum number that one campaign follows, because each is polled. */
export const MAX_ADOPTED_PULLS = 200;

export const ADOPTED_MARKS = ['open', 'red', 'green', 'merged', 'closed'] as const;
export type AdoptedMark = (typeof ADOPTED_MARKS)[number];

export const AdoptedPull = z.object({
  repo: RepositoryName,
  pull: OpaqueId,
  url: z.string().max(1_000),
  mark: z.enum(ADOPTED_MARKS),
  /** Time of opening, and of the last change of its status (epoch ms). */
  openedAt: z.number(),
  since: z.number(),
});
export type AdoptedPull = z.infer<typeof AdoptedPull>;
