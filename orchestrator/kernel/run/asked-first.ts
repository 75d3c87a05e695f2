/** Record of what the repository of a campaign run asks before work. */
import { z } from 'zod';
import { RULE_KINDS } from '../../model/contribution-rule.ts';

const Wish = z.object({
  rule: z.enum(RULE_KINDS),
  value: z.string().nullable(),
  quote: z.string(),
  file: z.string(),
  line: z.number(),
});

export const AskedFirst = z.object({ run: z.string(), repo: z.string(), wishes: z.array(Wish) });
export type AskedFirst = z.infer<typeof AskedFirst>;
