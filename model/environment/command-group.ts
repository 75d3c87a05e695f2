/** A group of commands that one permission may cover (E10). */
import { z } from 'zod';

/** `words` is the description; `objections` were shown with it. */
export const CommandGroup = z.object({ words: z.string(), objections: z.array(z.string()) });
export type CommandGroup = z.infer<typeof CommandGroup>;
