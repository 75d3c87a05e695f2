/**
 * E15: exports whose installation was cut off, by a crash or by a restart. What package managers
 * had fetched goes on in the next export for the same; the half-made rest is removed.
 */
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeTree } from '../../process/folder-trees.ts';

/**
 * Below HOME: what is fetched there is checked against its digest when it is used, or gets its name
 * only once it is whole.
 */
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
/** Beside tree and HOME, which alone are shown in a box. */
const INSTALLS_FOR_FILE = 'installs-for';

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Through no link: whoever wrote this HOME may have led it elsewhere. */
const isRealFolder = (home: string, path: string): boolean => {
  for (let up = path; up !== '.'; up = dirname(up)) if (!isFolder(join(home, up))) return false;
  return true;
};

/** Of what was copied since, a part may be half there. */
const isMarked = (place: string, of: string): boolean => {
  try {
    return !isFolder(join(place, 'kept')) && readFileSync(join(place, INSTALLS_FOR_FILE), 'utf8') === of;
  } catch {
    return false; // It was made for something else, or hardly begun.
  }
};

/** Of an export's folder; 0 for any other. */
export const exportNumber = (name: string): number => Number(/^export-(\d+)$/.exec(name)?.[1] ?? 0);

export const createInterruptedInstalls = () => {
  const inUse = new Set<string>();
  /** The newest first. */
  const beside = async (fresh: string): Promise<string[]> => {
    const root = dirname(fresh);
    return (await readdir(root))
      .filter((name) => exportNumber(name) > 0 && !inUse.has(join(root, name)))
      .sort((a, b) => exportNumber(b) - exportNumber(a))
      .map((name) => join(root, name));
  };
  return {
    begins: (place: string): void => void inUse.add(place),
    ends: (place: string): void => void inUse.delete(place),
    /** For a fresh export; `of` names its tree and all else that its installation depends on. */
    goOn: async (fresh: string, of: string): Promise<'fetched' | null> => {
      let found = false;
      for (const place of await beside(fresh)) {
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
    /** It stands for the others from now on, which are removed. */
    replace: async (fresh: string, of: string): Promise<void> => {
      writeFileSync(join(fresh, INSTALLS_FOR_FILE), of);
      // A copy that the process before had begun may still be under way there: the next one removes it.
      for (const place of await beside(fresh)) await removeTree(place).catch(() => undefined);
    },
  };
};
export type InterruptedInstalls = ReturnType<typeof createInterruptedInstalls>;
