/** Where the product's code lies, and the doors by which its packages are reached. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export const PRODUCT_FOLDERS: readonly string[] = [
  'app',
  'board',
  'bot',
  'cli',
  'db',
  'discovery',
  'executors',
  'forge',
  'governor',
  'model',
  'orchestrator',
  'pull-text',
  'slack',
  'text-safety',
  'tools',
  'webhooks',
];

/** Folders without I/O, clocks, randomness and waiting, but for their `*.effect.ts` and `*.io.ts`. */
export const PURE_FOLDERS: readonly string[] = [
  'discovery',
  'pull-text',
  'text-safety',
  'governor',
  'model',
  'orchestrator/campaign-standing',
  'orchestrator/campaigns',
  'orchestrator/clusters',
  'orchestrator/commands',
  'orchestrator/orders',
  'orchestrator/settings',
  'orchestrator/reports',
  ...[
    'run',
    'inputs',
    'effects',
    'lifecycle',
    'preparation',
    'rounds',
    'gate',
    'ci',
    'reviews',
    'upstream',
  ].map((room) => `orchestrator/kernel/${room}`),
];
/** Doors of rooms that have both. */
const MIXED_DOORS: readonly string[] = [
  'campaigns',
  'campaigns/acts',
  'kernel/preparation',
  'clusters',
  'reports',
  'settings',
].map((room) => `orchestrator/${room}/index.ts`);
export const isPure = (file: string): boolean =>
  PURE_FOLDERS.some((folder) => file.startsWith(`${folder}/`)) &&
  !/\.(?:effect|io)\.ts$/.test(file) &&
  !MIXED_DOORS.includes(file);

const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};

/** Files by the specifier under which `imports` of package.json gives them. */
export const IMPORTED_FILES: ReadonlyMap<string, string> = new Map(
  Object.entries(imports).flatMap(([name, path]) =>
    path.startsWith('./') && path.endsWith('.ts') ? [[name, path.slice(2)]] : [],
  ),
);

/** The folder of each package that has a door, by the specifier of its `index.ts`. */
export const DOORS: ReadonlyMap<string, string> = new Map(
  [...IMPORTED_FILES].flatMap(([name, file]) => (file.endsWith('/index.ts') ? [[name, dirname(file)]] : [])),
);

/** Doors of parts of a room: in their own room everybody goes straight to a file. */
const INNER_DOORS: readonly string[] = [
  '#inputs',
  '#effects',
  '#run',
  '#runtime',
  '#preparation',
  '#kernel',
  '#language',
  '#chat',
  '#chat-text',
  '#views',
  '#report-views',
  '#process',
  '#campaigns/acts',
  '#tools/output',
  '#tools/packages',
  '#tools/words',
];
/** The folder whose files need not come by this door. */
export const insideOf = (door: string, folder: string): string =>
  INNER_DOORS.includes(door) ? (folder.split('/')[0] ?? folder) : folder;
