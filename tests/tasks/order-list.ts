/** The orders: real changes of public repositories, and how a person reads what their CI runs. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Order = z.strictObject({
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  fix: z.string().regex(/^[0-9a-f]{40}$/),
  about: z.string(),
  /** Commands of its CI that this machine can run, in order; each check is judged by itself. */
  hand: z.strictObject({
    installs: z.array(z.string()),
    checks: z.array(z.string()),
    /** The pull request as its maintainer would have it, written down before the first run. */
    pull: z.strictObject({ base: z.string(), title: z.string(), has: z.array(z.string()) }).optional(),
  }),
  /** What a person writes in the chat; absent: the subject of the commit. */
  goal: z.string().optional(),
  /** What the person answers where the card asks for a line of why; absent: nothing. */
  why: z.string().optional(),
  /** What a good agent would report; the builtin engine then makes the change. Absent: a script does, and says nothing. */
  report: z.record(z.string(), z.unknown()).optional(),
  /** The right end where it is no pull request: a part of the reason that the phone shows. */
  refused: z.string().optional(),
});
export type Order = z.infer<typeof Order>;

export const readOrders = (file: string): Order[] =>
  z.array(Order).parse(JSON.parse(readFileSync(file, 'utf8')));
