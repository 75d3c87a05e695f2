/**
 * P4: words that a person puts in place of ours before a pull request is signed, and where they
 * come from.
 */
import { z } from 'zod';

/** Null leaves what the order and the facts make of it. */
export const PullText = z.object({
  title: z.string().min(1).max(200).nullable(),
  description: z.string().min(1).max(5_000).nullable(),
});
export type PullText = z.infer<typeof PullText>;

/** `original` is the digest of what was proposed before. */
export type EditedPullText = PullText & { original: string; by: string; reason: string };

/** Of two modifications the later one counts, part by part. */
export const mergeEditedText = (before: PullText | null | undefined, now: PullText): PullText => ({
  title: now.title ?? before?.title ?? null,
  description: now.description ?? before?.description ?? null,
});
