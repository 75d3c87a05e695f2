/** Limits the disk space of mirrors: removes old ones, and unused ones if room is needed. */
import { failureDetail } from '#model/failure';
import { DAY, MB } from '#model/values';
import { readdir, readFile, rename, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failureWithDetail } from '#ports/forge';
import { type DataLayout, type MirrorPlaces } from '../process/data-layout.ts';
import { removeTree } from '../process/folder-trees.ts';
import type { MirrorLimits } from './disk-limits.ts';

/** A new workspace must leave this free for the ledger (MB). */
const RESERVE_MB = 256;

export type StoredMirror = MirrorPlaces & { bytes: number; usedAt: number };

const namesIn = (dir: string): Promise<string[]> => readdir(dir).catch(() => []);
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
const bytesIn = async (dir: string): Promise<number> => {
  const sizes = await Promise.all((await namesIn(dir)).map((name) => sizeOf(join(dir, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** HEAD is written at every use, so its time tells the last one. */
const measureMirror = async (places: MirrorPlaces): Promise<StoredMirror> => ({
  ...places,
  bytes: (await bytesIn(join(places.git, 'objects/pack'))) + (await bytesIn(places.seeds)),
  usedAt: await stat(join(places.git, 'HEAD')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  ),
});

/** Rename it first, so that a half-removed mirror is never used. */
const GONE = '.gone';
export const removeMirror = async ({ git, seeds }: MirrorPlaces): Promise<void> => {
  await removeTree(`${git}${GONE}`);
  await rename(git, `${git}${GONE}`);
  await removeTree(`${git}${GONE}`);
  await removeTree(seeds);
};
const removeLeftovers = async (layout: DataLayout): Promise<void> => {
  for (const name of await namesIn(layout.mirrors))
    if (name.endsWith(GONE)) await removeTree(join(layout.mirrors, name));
};

const GIT_SUFFIX = '.git';
export const listMirrors = async (layout: DataLayout): Promise<StoredMirror[]> => {
  const found: StoredMirror[] = [];
  for (const name of await namesIn(layout.mirrors)) {
    if (!name.endsWith(GIT_SUFFIX)) continue;
    const path = join(layout.mirrors, name);
    found.push(await measureMirror({ git: path, seeds: `${path.slice(0, -GIT_SUFFIX.length)}.seeds` }));
  }
  return found;
};

const findBorrowedMirrors = async (layout: DataLayout): Promise<Set<string>> => {
  const runs = await namesIn(layout.runs);
  const lenders = await Promise.all(
    runs.map(async (run) => {
      const objects = join(layout.runs, run, 'git/objects');
      const text = await readFile(join(objects, 'info/alternates'), 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [dirname(resolve(objects, line))]));
    }),
  );
  return new Set(lenders.flat());
};

/** Throws `disk_full`. `remove` must call its argument again while it holds the mirror. */
export const evictMirrors = async (input: {
  layout: DataLayout;
  limits: MirrorLimits;
  now: number;
  remove: (mirror: StoredMirror, isUnused: () => Promise<boolean>) => Promise<boolean>;
}): Promise<void> => {
  const { layout, limits, now, remove } = input;
  await removeLeftovers(layout);
  const mirrors = (await listMirrors(layout)).sort((a, b) => a.usedAt - b.usedAt);
  let total = mirrors.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const mirror of mirrors) {
    const needed = total > limits.diskMb * MB || now - mirror.usedAt > limits.keepDays * DAY;
    if (needed && (await remove(mirror, async () => !(await findBorrowedMirrors(layout)).has(mirror.git))))
      total -= mirror.bytes;
  }
  if (total > limits.diskMb * MB)
    throw failureWithDetail(
      'disk_full',
      `The repositories of unfinished runs take ${Math.ceil(total / MB)} MB of disk, more than mirrors.diskMb allows ` +
        `(${limits.diskMb}). End some of these runs, or allow more.`,
      failureDetail({ kind: 'mirrors_full', used: Math.ceil(total / MB), limit: limits.diskMb }),
    );
  const { bavail, bsize } = await statfs(dirname(layout.runs));
  if (bavail * bsize < RESERVE_MB * MB)
    throw failureWithDetail(
      'disk_full',
      `Less than ${RESERVE_MB} MB are left on the disk of the data directory. Free some space, then retry.`,
      failureDetail({ kind: 'disk_nearly_full', limit: RESERVE_MB }),
    );
};
