/** A group of commands that one permission may cover (E10). */
import { z } from 'zod';

/** `words` is the description; `objections` were shown with it. */
export const CommandSort = z.object({ words: z.string(), objections: z.array(z.string()) });
export type CommandSort = z.infer<typeof CommandSort>;
