/** A card for many similar changes: its approvals and their digests. A tap signs exactly those. */
import { z } from 'zod';

export const ClusterMember = z.object({
  run: z.string(),
  approval: z.string(),
  digest: z.string(),
  /** Equal when the context lines of the change are. */
  around: z.string(),
});
export type ClusterMember = z.infer<typeof ClusterMember>;

export const CLUSTER_PAGE = 8;
export const MAX_CLUSTER_MEMBERS = 200;

export const ClusterView = z.object({
  view: z.literal('cluster'),
  campaign: z.string(),
  mixed: z.literal(true).exactOptional(),
  kind: z.enum(['push', 'open_pr']),
  members: z.array(ClusterMember).max(MAX_CLUSTER_MEMBERS),
  /** Members of the campaign on cards of their own. */
  apart: z.int(),
  /** Members that could be decided when it was drawn. */
  left: z.int(),
  /** Status of all members at that time; a change redraws the card. */
  standing: z.string().exactOptional(),
  armedBy: z.string().nullable(),
  /** Epoch ms. */
  armedUntil: z.number().nullable(),
  lists: z.object({ for: z.enum(['out', 'each']), page: z.int().min(0) }).exactOptional(),
});
export type ClusterView = z.infer<typeof ClusterView>;

export const redrawClusterView = ({ lists: _, ...view }: ClusterView, left: number): ClusterView => ({
  ...view,
  left,
  armedBy: null,
  armedUntil: null,
});

export const isClusterArmed = ({ armedBy, armedUntil }: ClusterView, now: number): boolean =>
  armedBy !== null && armedUntil !== null && now < armedUntil;
