/**
 * Where short-lived files of ours lie, and whose home is hidden: what the operator's environment
 * may name wrongly or not at all.
 */
import { mkdtempSync, realpathSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import path from 'node:path';

const codeOf = (error: unknown): string => {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
};

/** A fresh directory, without links in its path. Throws a sentence. */
export const makeTemporary = (prefix: string): string => {
  try {
    return mkdtempSync(path.join(realpathSync(tmpdir()), prefix));
  } catch (error) {
    throw new Error(
      `Nothing can be written to ${tmpdir()} (${codeOf(error)}). Make it a directory for temporary files, or let TMPDIR name one.`,
      { cause: error },
    );
  }
};

/**
 * Of the environment and of the account. A container may run us as a number that no account has.
 */
export const ownHomes = (): string[] =>
  [homedir, () => userInfo().homedir].flatMap((home) => {
    try {
      return [home()];
    } catch (error) {
      codeOf(error);
      return [];
    }
  });
