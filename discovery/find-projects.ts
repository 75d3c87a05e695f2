/** Finds the folders that are projects of their own, and the files of them to read. */
import { isPlainFolderPath } from '#model/contract';
import { toolFiles } from '#tools';
import type { ProjectFolder } from './probe-types.ts';

const PROJECT_MARKS: readonly (readonly [family: string, mark: RegExp, own: RegExp | null])[] = [
  ['node', /^package\.json$/, /^(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/],
  ['deno', /^deno\.jsonc?$/, /^deno\.lock$/],
  [
    'python',
    /^(?:pyproject\.toml|setup\.py|requirements\.txt|Pipfile)$/,
    /^(?:uv\.lock|poetry\.lock|Pipfile\.lock|pdm\.lock)$/,
  ],
  ['go', /^go\.mod$/, null],
  ['rust', /^Cargo\.toml$/, null],
  ['java', /^(?:pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?)$/, /^(?:mvnw|gradlew)$/],
  ['ruby', /^(?:Gemfile|[\w.-]+\.gemspec)$/, /^Gemfile\.lock$/],
  ['php', /^composer\.json$/, /^composer\.lock$/],
  ['elixir', /^(?:mix\.exs|rebar\.config)$/, /^mix\.lock$/],
  ['dotnet', /^[\w.-]+\.slnx?$/, /^[\w.-]+\.slnx?$/],
  ['swift', /^Package\.swift$/, null],
  ['zig', /^build\.zig$/, null],
  ['haskell', /^(?:stack\.yaml|cabal\.project|[\w.-]+\.cabal)$/, null],
  ['c', /^(?:CMakeLists\.txt|configure\.ac|meson\.build)$/, null],
];
const ASIDE =
  /(?:^|\/)(?:examples?|samples?|demos?|fixtures?|__fixtures__|test-?data|tests?|x?t|__tests__|specs?|vendor|third[_-]?party|node_modules|docs?|documentation|website|www|templates?|bench(?:marks?)?|e2e|playgrounds?|scripts?|tools?|hack|\.[^/]*|dist|build|deps|contrib|cookbook|recipes|tutorials?|snippets|stubs|assets|integration[-_]tests?|sandbox|experiments?|[\w.-]*[-_]?(?:samples?|examples?|template|tmpl)[\w-]*|projects\/windows|internal\/tools?|bazel|packaging|snap|homebrew|misc|extern\w*|evals?|notebooks?|support)(?:\/|$)/i;

const MOST_PROJECTS = 12;
const MAX_PROJECT_DEPTH = 3;
const MOST_PATHS = 20_000;

const dirOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const countFolderParts = (dir: string): number => (dir === '' ? 0 : dir.split('/').length);
const isInFolder = (dir: string, other: string): boolean =>
  other === '' || dir === other || dir.startsWith(`${other}/`);

type ProjectPlace = { dir: string; families: Set<string>; own: Set<string> };

/** A Flutter package has a project of each platform, which its own tool builds. */
const isPlatformFolder = (dir: string, packages: ReadonlySet<string>): boolean =>
  /(?:^|\/)(?:android|ios|macos|linux|windows)(?:\/|$)/.test(dir) &&
  [...packages].some((of) => dir.startsWith(of === '' ? '' : `${of}/`) && dir !== of);

export const findProjectPlaces = (paths: readonly string[]): ProjectPlace[] => {
  const found = new Map<string, ProjectPlace>();
  const packages = new Set(paths.filter((p) => /(?:^|\/)pubspec\.yaml$/.test(p)).map(dirOf));
  for (const path of paths) {
    const dir = dirOf(path);
    if (isPlatformFolder(dir, packages)) continue;
    if (countFolderParts(dir) > MAX_PROJECT_DEPTH || (dir !== '' && ASIDE.test(dir))) continue;
    const name = nameOf(path);
    for (const [family, mark, own] of PROJECT_MARKS) {
      const isOwn = own?.test(name) ?? false;
      if (!mark.test(name) && !isOwn) continue;
      if (!isPlainFolderPath(dir)) continue;
      const place = found.get(dir) ?? { dir, families: new Set<string>(), own: new Set() };
      if (mark.test(name)) place.families.add(family);
      if (isOwn) place.own.add(family);
      found.set(dir, place);
    }
  }
  return [...found.values()]
    .filter((p) => p.families.size > 0)
    .sort((a, b) => countFolderParts(a.dir) - countFolderParts(b.dir) || (a.dir < b.dir ? -1 : 1));
};

export const withoutProjectMembers = (places: readonly ProjectPlace[]): ProjectPlace[] => {
  const alone: ProjectPlace[] = [];
  for (const place of places) {
    const families = [...place.families].filter(
      (family) =>
        place.own.has(family) ||
        !alone.some(
          (other) =>
            other.dir !== place.dir && isInFolder(place.dir, other.dir) && other.families.has(family),
        ),
    );
    if (families.length > 0 && alone.length < MOST_PROJECTS)
      alone.push({ ...place, families: new Set(families) });
  }
  return alone;
};

export const readProjectFolder = (
  dir: string,
  paths: readonly string[],
  read: (path: string) => string | null,
): ProjectFolder => {
  const start = dir === '' ? '' : `${dir}/`;
  const inside: string[] = [];
  for (const path of paths) {
    if (inside.length >= MOST_PATHS) break;
    if (path.startsWith(start)) inside.push(path.slice(start.length));
  }
  const names = new Set(inside);
  return {
    dir,
    paths: inside,
    has: (path) => names.has(path),
    read: (path) => (names.has(path) ? read(start + path) : null),
  };
};

const SCRIPT =
  /^(?:[\w.-]+\/)?(?:scripts?|bin|ci|dev|tools?|\.ci|\.github\/scripts)\/[\w.-]*(?:test|lint|check|format|fmt|type|build|install|setup|ci|verify|bootstrap)[\w.-]*$/i;
const MOST_SCRIPTS = 60;
export const scriptFiles = (paths: readonly string[]): string[] =>
  paths.filter((p) => SCRIPT.test(p) && !/\.(?:md|txt|png|lock)$/.test(p)).slice(0, MOST_SCRIPTS);

const MOST_MANIFESTS = 240;
export const manifestFiles = (paths: readonly string[]): string[] => {
  const dirs = new Set([
    '',
    ...findProjectPlaces(paths)
      .slice(0, 60)
      .map((p) => p.dir),
  ]);
  return paths
    .filter((p) => {
      const dir = dirOf(p);
      const name = dir.endsWith('requirements') ? `requirements/${nameOf(p)}` : nameOf(p);
      return (
        toolFiles().taskPaths.has(p) ||
        (toolFiles().reads.test(name) && (dirs.has(dir) || dirs.has(dirOf(dir))))
      );
    })
    .sort((a, b) => countFolderParts(dirOf(a)) - countFolderParts(dirOf(b)) || (a < b ? -1 : 1))
    .slice(0, MOST_MANIFESTS);
};
