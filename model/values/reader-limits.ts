/** The limit at which reading untrusted input was given up (O10). */
import { z } from 'zod';

const READER_LIMITS = ['time', 'memory', 'size'] as const;

export const ReaderLimitReached = z.object({
  file: z.string().max(400).nullable(),
  limit: z.enum(READER_LIMITS),
  /** Seconds, or megabytes. */
  limitValue: z.number(),
  /** Commit that is not read again automatically; null for other input. */
  sha: z.string().nullable(),
  foundInRun: z.string().nullable(),
});
export type ReaderLimitReached = z.infer<typeof ReaderLimitReached>;
