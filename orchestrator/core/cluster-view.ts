/**
 * One card for many changes that are alike: which approvals it shows, each with the digest that
 * stands behind it. The list is what a tap signs, and nothing else is.
 */
import { z } from 'zod';

export const ClusterMember = z.object({
  run: z.string(),
  approval: z.string(),
  /** The sealed digest that this card shows. */
  digest: z.string(),
  /** Equal where the lines around the change are. */
  around: z.string(),
});
export type ClusterMember = z.infer<typeof ClusterMember>;

/** So many fit in one message's list of buttons. */
export const CLUSTER_PAGE = 8;
/** Members of one card; more of them wait for the next. */
export const MAX_CLUSTER_MEMBERS = 200;

export const ClusterView = z.object({
  view: z.literal('cluster'),
  campaign: z.string(),
  kind: z.enum(['push', 'open_pr']),
  members: z.array(ClusterMember).max(MAX_CLUSTER_MEMBERS),
  /** How many of the campaign wait on cards of their own because they are different. */
  apart: z.int(),
  /** How many of the members could be decided when it was drawn. */
  left: z.int(),
  /** How all of them stood then; when that is not so any more it is drawn again. */
  standing: z.string().exactOptional(),
  armedBy: z.string().nullable(),
  /** Epoch ms. */
  armedUntil: z.number().nullable(),
  /** A list of the members to choose one from: to take it out, or to look at it. */
  lists: z.object({ for: z.enum(['out', 'each']), page: z.int().min(0) }).exactOptional(),
});
export type ClusterView = z.infer<typeof ClusterView>;

/** The card as it is drawn again: nobody is about to confirm it, or chooses from its list. */
export const redrawClusterView = ({ lists: _, ...view }: ClusterView, left: number): ClusterView => ({
  ...view,
  left,
  armedBy: null,
  armedUntil: null,
});

export const isClusterArmed = ({ armedBy, armedUntil }: ClusterView, now: number): boolean =>
  armedBy !== null && armedUntil !== null && now < armedUntil;
