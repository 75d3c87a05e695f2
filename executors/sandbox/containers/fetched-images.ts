/** List of the images that we fetched ourselves, so that nobody else's are ever removed (E20). */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { HOUR } from '#model/values';

const Fetched = z.record(z.string(), z.object({ name: z.string(), usedAt: z.number() }));
type Fetched = z.infer<typeof Fetched>;

const fileIn = (dataDir: string): string => path.join(dataDir, 'box/images.json');
export const readFetchedImages = (dataDir: string): Fetched => {
  try {
    return Fetched.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch {
    return {};
  }
};
export const writeFetchedImages = (dataDir: string, fetched: Fetched): void => {
  const file = fileIn(dataDir);
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(fetched), { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
};

/** Notes that an image was used; only one that was just fetched becomes ours. */
export const recordImageUse = (
  dataDir: string,
  { id, name }: { id: string; name: string },
  { isNew, now }: { isNew: boolean; now: number },
): void => {
  const all = readFetchedImages(dataDir);
  const before = all[id];
  if (!before && !isNew) return;
  if (before && now - before.usedAt < HOUR) return;
  writeFetchedImages(dataDir, { ...all, [id]: { name, usedAt: now } });
};
