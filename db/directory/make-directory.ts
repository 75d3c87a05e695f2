/** Creates directories that several programs may create at the same time. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseFailure } from '../sql/database-failures.ts';

/** Private to the owner. Throws a readable error. */
export const makeDirectory = (dataDir: string): void => {
  try {
    makeWithin(dataDir);
  } catch (error) {
    const says = error instanceof Error ? error.message : 'unknown';
    throw new DatabaseFailure({ kind: 'directory_not_made', directory: dataDir, says }, error);
  }
};

/** Not recursive, as Node 24 hangs where none can be created (below /proc). */
const makeWithin = (dir: string): void => {
  if (existsSync(dir)) return;
  makeWithin(dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // guard: L7-directory-made-by-others
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
