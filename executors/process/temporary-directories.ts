/** Finds the temporary directory and the homes to hide, even if the environment is wrong. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';

const codeOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
};

/** Returns a path without links. Throws if no directory can be made. */
export const makeTemporaryDirectory = (prefix: string): string => {
  try {
    return mkdtempSync(path.join(realpathSync(tmpdir()), prefix));
  } catch (error) {
    throw new Error(
      `Nothing can be written to ${tmpdir()} (${codeOf(error)}). Make it a directory for temporary files, or let TMPDIR name one.`,
      { cause: error },
    );
  }
};

/** Our uid may have no account in a container. */
export const listOwnHomes = (): string[] =>
  [homedir, () => userInfo().homedir].flatMap((home) => {
    try {
      return [home()];
    } catch (error) {
      codeOf(error);
      return [];
    }
  });
