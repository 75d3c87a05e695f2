/** A user's edited text for a pull request before it is signed, and its origin (P4). */
import { z } from 'zod';
import { joinPullEdits, PullEdit } from '#model/opening';

export const PullText = z.object({
  title: z.string().min(1).max(200).nullable(),
  description: z.string().min(1).max(5_000).nullable(),
  /** F13: how it opens instead. */
  pull: PullEdit.exactOptional(),
});
export type PullText = z.infer<typeof PullText>;

export type EditedPullText = PullText & { original: string; by: string; reason: string };

/** The later modification counts, part by part. */
export const mergeEditedText = (before: PullText | null | undefined, now: PullText): PullText => ({
  ...((before?.pull ?? now.pull) && { pull: joinPullEdits(before?.pull, now.pull) }),
  title: now.title ?? before?.title ?? null,
  description: now.description ?? before?.description ?? null,
});
