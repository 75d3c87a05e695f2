/** Caches installed dependencies by the files they depend on (E15). Boxes get a copy. */
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { createHash, randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { mayChangeInstall, isFetchOnly } from '#model/contract';
import { DAY, KB, MB, MINUTE } from '#model/values';
import type { CachedInstall } from '#ports/workspaces';
import type { InstallLimits } from '../disk-limits.ts';
import type { GitTree } from '../read-objects.ts';
import { displayPath } from '../path-names.ts';
import { spawnProcess } from '../../process/spawn.ts';
import { copyTree, removeTree } from '../../process/folder-trees.ts';

const Made = z.object({
  /** Null if it may have built from sources. */
  added: z.array(z.string()).nullable(),
  bytes: z.number(),
});

const DEPENDENCIES =
  /(?:^|\/)(?:node_modules|\.pnpm-store|\.venv|venv|env|\.tox|\.nox|__pypackages__|[\w.-]+\.egg-info|\.bundle|bundle|vendor|deps|\.yarn|\.pnp\.c?js|\.pnp\.loader\.mjs|\.deno|obj)$/;
/** These scripts may build from sources. */
const LIFECYCLE = [
  'preinstall',
  'install',
  'postinstall',
  'preprepare',
  'prepare',
  'postprepare',
  'prepublish',
];
const MOST_ADDED = 2_000;

const listEntries = (dir: string) => readdirSync(dir, { withFileTypes: true });

const findAddedPaths = (
  dir: string,
  tracked: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): string[] | null => {
  const found: string[] = [];
  const walkBelow = (below: string): void => {
    for (const entry of listEntries(join(dir, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (folders.has(path)) {
        if (entry.isDirectory()) walkBelow(path);
      } else if (!tracked.has(path) && path !== '.git') found.push(path);
      if (found.length > MOST_ADDED) return;
    }
  };
  walkBelow('');
  return found.length > MOST_ADDED ? null : found;
};

const LARGEST_MANIFEST = 256 * KB;
const Package = z.object({ scripts: z.record(z.string(), z.unknown()).optional() });
const hasLifecycle = (file: string): boolean => {
  try {
    if (statSync(file).size > LARGEST_MANIFEST) return true;
    const { scripts = {} } = Package.parse(JSON.parse(readFileSync(file, 'utf8')));
    return LIFECYCLE.some((name) => Object.hasOwn(scripts, name));
  } catch {
    return true;
  }
};

const hasCopies = (place: string): boolean => {
  for (const lib of ['lib', 'lib64', 'Lib']) {
    if (lstatSync(join(place, lib), { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    for (const python of listEntries(join(place, lib))) {
      const site = join(place, lib, python.name, 'site-packages');
      if (lstatSync(site, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
      for (const { name } of listEntries(site)) {
        if (!name.endsWith('.dist-info')) continue;
        const file = join(site, name, 'direct_url.json');
        const there = lstatSync(file, { throwIfNoEntry: false });
        if (there?.isFile() !== true) continue;
        // guard: O10-install-record-bounded
        if (there.size > LARGEST_MANIFEST) return true;
        const text = readFileSync(file, 'utf8');
        if (text.includes('"file:') && !/"editable": *true/.test(text)) return true;
      }
    }
  }
  return false;
};

const wholeOf = (dir: string, home: string, tree: GitTree, commands: readonly string[]): string[] | null => {
  const tracked = new Set([...tree.keys()].map(displayPath));
  const folders = new Set<string>();
  for (const path of tracked)
    for (let up = dirname(path); up !== '.' && !folders.has(up); up = dirname(up)) folders.add(up);
  const added = commands.every(isFetchOnly) ? findAddedPaths(dir, tracked, folders) : null;
  if (added === null || !added.every((path) => DEPENDENCIES.test(path))) return null;
  const manifests = [...tracked].filter((path) => basename(path) === 'package.json');
  if (
    added.some((path) => path.endsWith('node_modules')) &&
    manifests.some((path) => hasLifecycle(join(dir, path)))
  )
    return null;
  const places = [...added.map((path) => join(dir, path)), join(home, '.local')];
  return places.some(hasCopies) ? null : added;
};

const sizeOf = async (dir: string): Promise<number> => {
  const end = await spawnProcess({
    argv: ['du', '-skx', '--', dir] as [string, ...string[]],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    timeoutMs: 60_000,
    maxOutputBytes: 4_096,
  });
  return Number(/^(\d+)\t/.exec(end.stdout)?.[1] ?? 0) * KB;
};

const readBy = ({ key, commands }: CachedInstall, tree: GitTree): string => {
  const hash = createHash('sha256').update(`${key}\n`);
  const installs = commands.map((command) => ({ command }));
  // guard: E15-kept-by-lockfile
  for (const [path, { mode, oid }] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (mayChangeInstall(displayPath(path), installs)) hash.update(`${mode} ${oid} ${path}\n`);
  return hash.digest('hex');
};

const MAKING = 'making-';
const IN_USE = 10 * MINUTE;

export const createInstallCache = (root: string, limits: InstallLimits) => {
  const placeOf = (kept: CachedInstall, tree: GitTree): string => join(root, readBy(kept, tree));
  const readCacheEntry = async (place: string): Promise<z.infer<typeof Made> | null> => {
    const text = await readFile(join(place, 'made.json'), 'utf8').catch(() => null);
    return text === null ? null : (Made.safeParse(JSON.parse(text)).data ?? null);
  };

  /** Never removes an installation that is being copied. */
  const makeRoom = async (now: number): Promise<void> => {
    const found: { place: string; usedAt: number; bytes: number | null }[] = [];
    for (const name of await readdir(root).catch(() => [])) {
      const place = join(root, name);
      const usedAt = (await stat(place).catch(() => null))?.mtimeMs ?? 0;
      if (!name.startsWith(MAKING))
        found.push({ place, usedAt, bytes: (await readCacheEntry(place))?.bytes ?? null });
      else if (now - usedAt > DAY) await removeTree(place);
    }
    let bytes = 0;
    for (const one of found.sort((a, b) => b.usedAt - a.usedAt)) {
      const age = now - one.usedAt;
      const fits = bytes + (one.bytes ?? 0) <= limits.diskMb * MB && age <= limits.keepDays * DAY;
      // guard: E15-installs-bounded
      if (one.bytes !== null && (fits || age < IN_USE)) bytes += one.bytes;
      else await removeTree(one.place);
    }
  };

  return {
    keep: async (kept: CachedInstall, from: { dir: string; home: string; tree: GitTree }): Promise<void> => {
      const place = placeOf(kept, from.tree);
      if (await readCacheEntry(place)) return;
      const making = join(root, `${MAKING}${randomUUID()}`);
      await mkdir(join(making, 'added'), { recursive: true, mode: 0o700 });
      try {
        const added = wholeOf(from.dir, from.home, from.tree, kept.commands);
        await copyTree(from.home, join(making, 'home'));
        for (const [i, path] of (added ?? []).entries())
          await copyTree(join(from.dir, path), join(making, 'added', String(i)));
        const bytes = await sizeOf(making);
        if (bytes > limits.diskMb * MB) return;
        await writeFile(join(making, 'made.json'), JSON.stringify({ added, bytes }));
        await rename(making, place).catch(() => undefined);
      } finally {
        await removeTree(making);
      }
      await makeRoom(Date.now());
    },

    reuse: async (
      kept: CachedInstall,
      to: { dir: string; home: string; tree: GitTree },
    ): Promise<'installed' | 'fetched' | null> => {
      const place = placeOf(kept, to.tree);
      const made = await readCacheEntry(place);
      if (!made) return null;
      const now = new Date();
      await utimes(place, now, now);
      await removeTree(to.home);
      await copyTree(join(place, 'home'), to.home);
      // guard: E15-whole-only
      if (made.added === null || !made.added.every((path) => canPlace(to.dir, path))) return 'fetched';
      for (const [i, path] of made.added.entries())
        await copyTree(join(place, 'added', String(i)), join(to.dir, path));
      return 'installed';
    },
    makeRoom,
  };
};
export type InstallCache = ReturnType<typeof createInstallCache>;

const canPlace = (dir: string, path: string): boolean => {
  for (let up = dirname(path); up !== '.'; up = dirname(up))
    // guard: E15-through-no-link
    if (lstatSync(join(dir, up), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  // guard: E15-over-nothing
  return lstatSync(join(dir, path), { throwIfNoEntry: false }) === undefined;
};
