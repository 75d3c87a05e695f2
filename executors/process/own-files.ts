/** Puts files into a run's HOME without following links that an agent left there. */
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const isDirectory = (place: string): boolean =>
  lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** Replaces anything else of that name by a real directory. */
export const ownDirectory = (home: string, name: string): string => {
  const place = path.join(home, name);
  if (!isDirectory(place)) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { mode: 0o700 });
  }
  return place;
};

/** `directory` must come from `ownDirectory`. Returns the file's path. */
export const placeFile = (directory: string, name: string, content: string | Uint8Array): string => {
  const place = path.join(directory, name);
  rmSync(place, { recursive: true, force: true });
  writeFileSync(place, content, { flag: 'wx', mode: 0o600 });
  return place;
};
