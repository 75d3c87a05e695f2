/** Puts files into a run's HOME without following links that an agent left there. */
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const isDirectory = (place: string): boolean =>
  lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** Replaces anything else of that name by a real directory. */
export const ensureRealDirectory = (home: string, name: string): string => {
  const place = path.join(home, name);
  if (!isDirectory(place)) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { mode: 0o700 });
  }
  return place;
};

/** `directory` must come from `ensureRealDirectory`. Returns the file's path. */
export const placeFile = (directory: string, name: string, content: string | Uint8Array): string => {
  const place = path.join(directory, name);
  rmSync(place, { recursive: true, force: true });
  writeFileSync(place, content, { flag: 'wx', mode: 0o600 });
  return place;
};

/** Removes a placed file after a program that may have put anything in its place; null if it did. */
export const readAndRemoveFile = (directory: string, name: string, maxBytes: number): string | null => {
  // guard: G5-placed-file-here
  if (!isDirectory(directory)) return null;
  const place = path.join(directory, name);
  const there = lstatSync(place, { throwIfNoEntry: false });
  // guard: G5-placed-file-bounded
  const isOurs = there?.isFile() === true && there.size <= maxBytes;
  const content = isOurs ? readFileSync(place, 'utf8') : null;
  rmSync(place, { recursive: true, force: true });
  return content;
};
