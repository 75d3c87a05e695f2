/** The task set: real changes of public repositories, named by their commits and by nothing of their text. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Commit = z.string().regex(/^[0-9a-f]{40}$/);

const Task = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  licence: z.string(),
  base: Commit,
  fix: Commit,
  files: z.array(z.string()).min(1),
  tests: z.array(z.string()).min(1),
  goal: z.string(),
  /** Runs the tests; must not contain a double quote, because it is ordered as `check="…"`. */
  check: z.string().regex(/^[^"\n]+$/),
  failing: z.string(),
  /** Nobody looks at these while the ranking of the map is tuned. */
  unseen: z.boolean(),
});
export type Task = z.infer<typeof Task>;

export const readTasks = (file: string): Task[] =>
  z.array(Task).parse(JSON.parse(readFileSync(file, 'utf8')));
