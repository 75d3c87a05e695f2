/** O10: what was given up while bytes of strangers were read, and at which limit. */
import { z } from 'zod';

export const READER_LIMITS = ['time', 'memory', 'size'] as const;

export const ReaderLimitReached = z.object({
  /** The file that was being read; null where it was none in particular. */
  file: z.string().max(400).nullable(),
  limit: z.enum(READER_LIMITS),
  /** The limit itself: seconds, or megabytes. */
  limitValue: z.number(),
  /** The commit that is not read again by itself; null where it is another text. */
  sha: z.string().nullable(),
  /** The run in which that was found; null where it is this one. */
  foundInRun: z.string().nullable(),
});
export type ReaderLimitReached = z.infer<typeof ReaderLimitReached>;
