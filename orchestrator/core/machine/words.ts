/** P4: words that a person puts in place of ours before a pull request is signed, and where they come from. */
import { z } from 'zod';

/** Null leaves what the order and the facts make of it. */
export const Words = z.object({
  title: z.string().min(1).max(200).nullable(),
  description: z.string().min(1).max(5_000).nullable(),
});
export type Words = z.infer<typeof Words>;

/** `original` is the digest of what was proposed before. */
export type Reworded = Words & { original: string; by: string; reason: string };

/** Of two modifications the later one counts, part by part. */
export const reworded = (before: Words | null | undefined, now: Words): Words => ({
  title: now.title ?? before?.title ?? null,
  description: now.description ?? before?.description ?? null,
});
