/** Finds the toolchains on the operator's PATH (E15). Runs nothing. */
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { hostTools, type HostTool } from '#tools';

type OperatorToolchains = {
  path: readonly string[];
  readable: readonly string[];
  /** Variables of the box, with `~` for the run's HOME. */
  env: Readonly<Record<string, string>>;
};

type Operator = { env: Readonly<Record<string, string | undefined>>; home: string };

/** Every box shows these anyway. */
const SYSTEM_TOOL_FOLDERS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/nix/store',
  '/gnu/store',
  '/run/current-system',
];
const FOR_ALL = ['/opt', '/usr/local', '/snap', '/home/linuxbrew/.linuxbrew'];
/** Settings and data beside these stay hidden. */
const PARTS = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libexec', 'share', 'include', 'pkg', 'src', 'api', 'misc'],
  ...[
    'jre',
    'jmods',
    'conf',
    'boot',
    'release',
    'VERSION',
    'go.env',
    'sdk',
    'shared',
    'host',
    'packs',
    'doc',
  ],
];

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);
const isFolder = (place: string): boolean =>
  statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
const findRealPath = (place: string): string | null => {
  try {
    return realpathSync(place);
  } catch {
    return null;
  }
};
const mayRun = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

const isOfProject = (dir: string): boolean => /\/(?:node_modules\/\.bin|node-gyp-bin)\/?$/.test(dir);

type ToolPlace = NonNullable<HostTool['places']>[number];

const foldersOf = ({ at, variable }: ToolPlace, { env, home }: Operator): string[] => {
  const said = variable === undefined ? undefined : env[variable];
  if (said !== undefined && path.isAbsolute(said)) return isFolder(said) ? [said] : [];
  const place = path.join(home, at);
  if (!place.endsWith('/*')) return isFolder(place) ? [place] : [];
  const around = path.dirname(place);
  return isFolder(around) ? readdirSync(around).map((name) => path.join(around, name)) : [];
};

const holdsHome = (place: string, home: string): boolean => isWithin(home, place);

type Shown = { readable: string[]; env: Record<string, string> };

const rowsOf = (programs: readonly string[], operator: Operator): Shown => {
  const shown: Shown = { readable: [], env: {} };
  for (const row of hostTools())
    for (const place of row.places ?? [])
      for (const folder of foldersOf(place, operator)) {
        const isInside = (file: string): boolean =>
          isWithin(file, folder) || isWithin(findRealPath(file) ?? file, findRealPath(folder) ?? folder);
        // A version manager's programs lie elsewhere, such as rustup's below the home.
        const isUsed = programs.some(
          (file) =>
            isInside(file) ||
            (place.variable !== undefined &&
              (row.name === path.basename(file) || row.programs.includes(path.basename(file)))),
        );
        if (!isUsed || holdsHome(folder, operator.home)) continue;
        shown.readable.push(...(place.parts?.map((part) => path.join(folder, part)) ?? [folder]));
        if (place.variable !== undefined && !place.written) shown.env[place.variable] = folder;
      }
  return shown;
};

const pathsAround = (program: string, home: string): string[] => {
  const file = findRealPath(program);
  if (
    file === null ||
    SYSTEM_TOOL_FOLDERS.some((dir) => isWithin(file, dir) && !isWithin(file, '/usr/local'))
  )
    return [program];
  const root = path.dirname(path.dirname(file));
  const isInstallation = /^s?bin$/.test(path.basename(path.dirname(file))) && root.split('/').length > 2;
  if (!isInstallation || holdsHome(root, home) || path.basename(root) === '.local') return [program, file];
  if (FOR_ALL.some((dir) => isWithin(root, dir))) return [program, root];
  return [program, ...PARTS.map((part) => path.join(root, part))];
};

const ROOTS = [
  'JAVA_HOME',
  'GOROOT',
  'MAVEN_HOME',
  'M2_HOME',
  'GRADLE_HOME',
  'DOTNET_ROOT',
  'ANDROID_HOME',
  'ANDROID_SDK_ROOT',
];

export const findToolchains = (operator: Operator): OperatorToolchains => {
  const { env, home } = operator;
  const dirs = [...new Set((env['PATH'] ?? '').split(':'))].filter(
    (dir) => path.isAbsolute(dir) && isFolder(dir) && !isOfProject(dir),
  );
  const known = hostTools().flatMap(({ programs }) => programs);
  const found = dirs.map((dir) => ({
    dir,
    programs: known.map((name) => path.join(dir, name)).filter(mayRun),
  }));
  const programs = found.flatMap((f) => f.programs);
  const own = programs.filter(
    (file) => !SYSTEM_TOOL_FOLDERS.some((dir) => isWithin(file, dir)) || isWithin(file, '/usr/local'),
  );
  const rows = rowsOf(programs, operator);
  const roots = ROOTS.flatMap((name) => {
    const place = env[name];
    if (place === undefined || !path.isAbsolute(place) || !isFolder(place) || holdsHome(place, home))
      return [];
    return [[name, place] as const];
  });
  const names = new Set(programs.map((file) => path.basename(file)));
  const rowEnv = hostTools().flatMap((row) =>
    row.programs.some((name) => names.has(name)) ? Object.entries(row.env ?? {}) : [],
  );
  const readable = [
    ...rows.readable,
    ...roots.map(([, place]) => place),
    ...own.flatMap((file) => pathsAround(file, home)),
  ];
  return {
    path: found
      .filter((f) => f.programs.length > 0 || rows.readable.some((r) => isWithin(f.dir, r)))
      .map((f) => f.dir),
    readable: [...new Set(readable)].filter((place) => existsSync(place)),
    env: { ...Object.fromEntries([...rowEnv, ...roots]), ...rows.env },
  };
};
