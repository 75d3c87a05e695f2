/** Copies a sign-in into a run's HOME while its program runs. */
import { readFileSync } from 'node:fs';
import { MB } from '#model/values';
import { placeFile, readAndRemoveFile } from '../../process/home-files.ts';

const MAX_SIGN_IN_BYTES = MB;

/** Returns the function that removes the copy; null if there is no sign-in. */
export const exposeSignIn = (
  { authFile, directory, name }: { authFile: string; directory: string; name: string },
  part: (content: string) => string,
  /** Called before and after, because programs renew their sign-in. */
  seen: (content: string) => void,
): (() => void) | null => {
  let content: string;
  try {
    content = part(readFileSync(authFile, 'utf8'));
  } catch {
    return null;
  }
  seen(content);
  placeFile(directory, name, content);
  return () => {
    const renewed = readAndRemoveFile(directory, name, MAX_SIGN_IN_BYTES);
    if (renewed !== null) seen(renewed);
  };
};
