/** Puts files into a run's HOME from outside. Agents have written there before us, so no link of theirs is followed. */
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const isDirectory = (place: string): boolean =>
  lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** A real directory right below HOME; whatever else had that name is gone. */
export const ownDirectory = (home: string, name: string): string => {
  const place = path.join(home, name);
  if (!isDirectory(place)) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { mode: 0o700 });
  }
  return place;
};

/** `directory` comes from `ownDirectory`. Returns the file's path. */
export const placeFile = (directory: string, name: string, content: string | Uint8Array): string => {
  const place = path.join(directory, name);
  rmSync(place, { recursive: true, force: true });
  writeFileSync(place, content, { flag: 'wx', mode: 0o600 });
  return place;
};

/**
 * Copies the operator's own sign-in in. Returns how to take it back, because a copy that lies about is found by the next
 * reader of the disk; null when there is none to copy.
 */
export const lendSignIn = (
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
