/** Copies a sign-in into a run's HOME while its program runs. */
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { placeFile } from '../../process/own-files.ts';

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
  const place = placeFile(directory, name, content);
  return () => {
    if (lstatSync(place, { throwIfNoEntry: false })?.isFile() === true) seen(readFileSync(place, 'utf8'));
    rmSync(place, { recursive: true, force: true });
  };
};
