/** An added, dropped or moved dependency of a change. */
import { z } from 'zod';

const text = z.string();

/** `version` as declared, empty when none; null when the dependency is absent. */
export const DependencyChange = z.object({
  name: text,
  was: text.nullable(),
  version: text.nullable(),
  path: text,
});
export type DependencyChange = z.infer<typeof DependencyChange>;
