/** Makes directories that several programs may make at the same moment. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Readable by its owner only; it throws a sentence for people. */
export const makeDirectory = (dataDir: string): void => {
  try {
    makeWithin(dataDir);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    throw new Error(
      `The data directory ${dataDir} cannot be made (${why}). Choose one that this user may write.`,
      { cause: error },
    );
  }
};

/**
 * One by one: told to make the missing ones by itself, Node 24 never comes back where none can be
 * made (below /proc).
 */
const makeWithin = (dir: string): void => {
  if (existsSync(dir)) return;
  makeWithin(dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another worker that starts was faster.
    // guard: L7-directory-made-by-others
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
