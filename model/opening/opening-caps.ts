/** Limits of pull requests that are open, and opened in an hour and a day; absent: no limit (G10). */
import { z } from 'zod';

const count = z.int().min(1).max(10_000);

export const OpeningCaps = z.strictObject({
  /** Ours that are open with one owner, and in one repository. */
  openPerOwner: count.exactOptional(),
  openPerRepository: count.exactOptional(),
  /** Opened in the last hour, and in the last 24 hours. */
  perHour: count.exactOptional(),
  perDay: count.exactOptional(),
});
export type OpeningCaps = z.infer<typeof OpeningCaps>;
