/** Reuses downloads of an interrupted installation in the next export of the tree (E15). */
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../../process/folder-trees.ts';

/** Downloads in HOME that are verified on use, or named only once complete. */
const FETCHED = [
  '.npm/_cacache',
  '.yarn/berry/cache',
  ...['composer', 'deno', 'go-build', 'pip', 'pypoetry/cache', 'uv', 'yarn'].map((name) => `.cache/${name}`),
  '.local/share/pnpm/store',
  '.composer/cache',
  '.cargo/registry',
  'go/pkg/mod/cache',
  '.hex/packages',
];
/** Boxes do not show this file. */
const INSTALLS_FOR_FILE = 'installs-for';

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** An agent may have written this HOME. */
const isRealFolder = (home: string, path: string): boolean => {
  for (let up = path; up !== '.'; up = dirname(up)) if (!isFolder(join(home, up))) return false;
  return true;
};

/** A copied part may be incomplete. */
const isMarked = (place: string, of: string): boolean => {
  try {
    return !isFolder(join(place, 'kept')) && readFileSync(join(place, INSTALLS_FOR_FILE), 'utf8') === of;
  } catch {
    return false;
  }
};

export const parseExportNumber = (name: string): number => Number(/^export-(\d+)$/.exec(name)?.[1] ?? 0);

export const createInterruptedInstalls = () => {
  const inUse = new Set<string>();
  const listLeftExports = async (fresh: string): Promise<string[]> => {
    const root = dirname(fresh);
    return (await readdir(root))
      .filter((name) => parseExportNumber(name) > 0 && !inUse.has(join(root, name)))
      .sort((a, b) => parseExportNumber(b) - parseExportNumber(a))
      .map((name) => join(root, name));
  };
  return {
    begins: (place: string): void => void inUse.add(place),
    ends: (place: string): void => void inUse.delete(place),
    /** The tree and all that its installation depends on are in `of`. */
    goOn: async (fresh: string, of: string): Promise<'fetched' | null> => {
      let found = false;
      for (const place of await listLeftExports(fresh)) {
        const home = join(place, 'home');
        // guard: E15-fetched-by-the-same
        for (const path of isMarked(place, of) && isFolder(home) ? FETCHED : []) {
          const to = join(fresh, 'home', path);
          if (!isRealFolder(home, path) || isFolder(to)) continue;
          mkdirSync(dirname(to), { recursive: true });
          renameSync(join(home, path), to);
          found = true;
        }
      }
      return found ? 'fetched' : null;
    },
    replace: async (fresh: string, of: string): Promise<void> => {
      writeFileSync(join(fresh, INSTALLS_FOR_FILE), of);
      // The previous process may still be copying there; the next export removes it then.
      for (const place of await listLeftExports(fresh)) await removeTree(place).catch(() => undefined);
    },
  };
};
export type InterruptedInstalls = ReturnType<typeof createInterruptedInstalls>;
