/**
 * The layers of the suite: a folder each, cheapest first. Where a test lies says what it may start.
 * What takes long lies in a folder `slow`, under the same name: `npm test` leaves it to
 * `npm run test:all`.
 */
export type Layer = {
  /** Also the name of its project in vitest. */
  name: string;
  folder: string;
  /** Where what takes long lies. */
  slowFolder: string;
  /** Programs (git, a sandbox, Node, a browser) may be started. */
  programs: boolean;
  /** Files share the modules that a worker has loaded: nothing there changes what modules hold. */
  shared: boolean;
  /** A file that takes longer on a quiet machine is reported (milliseconds). */
  ceilingMs: number;
  /** How long one test may take on a busy machine (milliseconds). */
  timeoutMs: number;
};

const inProcess = { programs: false, shared: true, ceilingMs: 5_000, timeoutMs: 60_000 };
const withPrograms = { programs: true, shared: false, ceilingMs: 15_000, timeoutMs: 120_000 };

const layer = (name: string, rest: Omit<Layer, 'name' | 'folder' | 'slowFolder'>): Layer => ({
  name,
  folder: `tests/${name}`,
  slowFolder: `tests/slow/${name}`,
  ...rest,
});

export const LAYERS: readonly Layer[] = [
  layer('core', inProcess),
  layer('contracts', inProcess),
  layer('adapters', { ...inProcess, timeoutMs: 120_000 }),
  layer('processes', withPrograms),
  layer('stories', { ...withPrograms, ceilingMs: 30_000 }),
  layer('rules', withPrograms),
  {
    ...layer('playground', withPrograms),
    folder: 'playground/tests',
    slowFolder: 'playground/tests/slow',
  },
];

/** `npm test` leaves it to `npm run test:all`; the file is a path from the root. */
export const isSlow = (file: string): boolean =>
  LAYERS.some(({ slowFolder }) => file.startsWith(`${slowFolder}/`));

/** The layer that a test file, as a path from the root, lies in. */
export const findLayer = (file: string): Layer | undefined =>
  LAYERS.find(({ folder, slowFolder }) => [folder, slowFolder].some((one) => file.startsWith(`${one}/`)));
