/**
 * Puts files into a run's HOME from outside. Agents have written there before us, so no link of
 * theirs is followed.
 */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
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
