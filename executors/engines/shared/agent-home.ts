/** Lends a sign-in: a copy in a run's HOME, for as long as its program runs. */
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { placeFile } from '../../process/own-files.ts';

/**
 * Copies the operator's own sign-in in. Returns how to take it back, because a copy that lies about
 * is found by the next reader of the disk; null when there is none to copy.
 */
export const exposeSignIn = (
  { authFile, directory, name }: { authFile: string; directory: string; name: string },
  /** What of it is lent. */
  part: (content: string) => string,
  /** Hears what lay there, before and after: a program renews its sign-in while it runs. */
  seen: (content: string) => void,
): (() => void) | null => {
  let content: string;
  try {
    content = part(readFileSync(authFile, 'utf8'));
  } catch {
    return null; // Said by the caller, who knows whose it is.
  }
  seen(content);
  const place = placeFile(directory, name, content);
  return () => {
    if (lstatSync(place, { throwIfNoEntry: false })?.isFile() === true) seen(readFileSync(place, 'utf8'));
    rmSync(place, { recursive: true, force: true });
  };
};
