/** Selects the checks of a repository with several projects that a change concerns (E7). */
import type { Contract, PathFilter } from '#model/contract';
import { isProse } from '#model/paths';
import { createExactGlobMatcher } from '#text-safety';

type Read = (path: string) => string | null;
type Folders = NonNullable<Contract['folders']>;

const MANIFESTS = [
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'composer.json',
  'mix.exs',
  'deno.json',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Package.swift',
  'Gemfile',
  'requirements.txt',
];
const MAX_MANIFEST_LENGTH = 200_000;
const MOST_FOLDERS = 60;

const isInside = (path: string, dir: string): boolean =>
  dir === '' || path === dir || path.startsWith(`${dir}/`);

const ownerOf = (path: string, dirs: readonly string[]): string => {
  const owners = dirs.filter((dir) => isInside(path, dir));
  return owners.reduce((best, dir) => (dir.length > best.length ? dir : best), '');
};

const resolvePath = (dir: string, relative: string): string | null => {
  const parts = dir.split('/').filter(Boolean);
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
};

const nameIn = (file: string, text: string): string | null => {
  const pattern = file.endsWith('.json')
    ? /"name"\s*:\s*"([^"]{2,100})"/
    : file === 'go.mod'
      ? /^module\s+(\S{2,200})/m
      : /^name\s*=\s*["']([^"']{2,100})["']/m;
  return pattern.exec(text)?.[1] ?? null;
};

const TESTS_FOLDER = /(?:^|\/)(?:tests?|specs?|t|testing)$/;

export const readProjectFolders = (dirs: readonly string[], read: Read): Folders => {
  const known = [...new Set(dirs)].slice(0, MOST_FOLDERS);
  const texts = known.map((dir) => ({
    dir,
    manifests: MANIFESTS.flatMap((file) => {
      const text = read(dir === '' ? file : `${dir}/${file}`)?.slice(0, MAX_MANIFEST_LENGTH);
      return text === undefined ? [] : [{ file, text }];
    }),
  }));
  const names = texts.flatMap(({ dir, manifests }) =>
    manifests.flatMap(({ file, text }) => {
      const name = nameIn(file, text);
      return name === null ? [] : [{ name, dir }];
    }),
  );
  return texts.map(({ dir, manifests }) => {
    const needs = new Set<string>();
    for (const { text } of manifests) {
      for (const [, relative = ''] of text.matchAll(/["'=:\s](\.{1,2}\/[\w@./-]{1,200})/g)) {
        const path = resolvePath(dir, relative);
        if (path !== null) needs.add(ownerOf(path, known));
      }
      for (const one of names)
        if (
          one.dir !== dir &&
          [`"${one.name}"`, `'${one.name}'`, ` ${one.name} v`].some((n) => text.includes(n))
        )
          needs.add(one.dir);
    }
    needs.delete(dir);
    needs.delete('');
    // Without a manifest it is no project: its tests are those of what lies around it.
    if (manifests.length === 0 && TESTS_FOLDER.test(dir))
      needs.add(ownerOf(dir.slice(0, Math.max(0, dir.lastIndexOf('/'))), known));
    return { dir, needs: [...needs] };
  });
};

/** As GitHub reads them: a list of `paths` that fits, or a file that no `paths-ignore` fits. */
const lastFitting = (
  path: string,
  globs: readonly { takesBack: boolean; fits: (path: string) => boolean }[],
) => globs.findLast(({ fits }) => fits(path))?.takesBack === false;
const patternsOf = (patterns: readonly string[] = []) =>
  patterns.map((one) => {
    const takesBack = one.startsWith('!');
    return { takesBack, fits: createExactGlobMatcher(one.slice(Number(takesBack))) };
  });
const runsFor = ({ only, ignore }: PathFilter, changed: readonly string[]): boolean => {
  const [wanted, left] = [patternsOf(only), patternsOf(ignore)];
  return changed.some((path) => (only ? lastFitting(path, wanted) : !lastFitting(path, left)));
};
/** Selects the checks that CI runs for these files; where CI runs none, linters and formatters. */
const runByCi = (checks: Contract['checks'], changed: readonly string[]): Contract['checks'] => {
  const run = checks.filter(
    ({ filters }) => filters === undefined || filters.some((one) => runsFor(one, changed)),
  );
  if (run.length > 0) return run;
  const looks = checks.filter(({ name }) => /(?:^| )(?:lint|format)$/.test(name));
  return looks.length > 0 ? looks : checks;
};

/** `paths` name what CI runs it for, wherever its folder is. */
const isNamedByFilter = ({ filters = [] }: Contract['checks'][number], changed: readonly string[]): boolean =>
  filters.some((one) => one.only !== undefined && runsFor(one, changed));

/**
 * The folders that these files lie in, those that need one of them, and the root. Null where no
 * check but the root's would see one of the files: then nobody knows what uses it.
 */
const foldersOfChange = (
  { checks, folders = [] }: Pick<Contract, 'checks' | 'folders'>,
  changed: readonly string[],
): ReadonlySet<string> | null => {
  const known = [...new Set([...folders, ...checks].map(({ dir }) => dir))];
  const withDependents = (path: string): Set<string> => {
    const found = new Set(known.filter((dir) => dir !== '' && isInside(path, dir)));
    for (let grown = true; grown;) {
      const more = folders.filter(({ dir, needs }) => !found.has(dir) && needs.some((n) => found.has(n)));
      for (const { dir } of more) found.add(dir);
      grown = more.length > 0;
    }
    return found;
  };
  const all = new Set(['']);
  for (const path of changed) {
    const found = withDependents(path);
    if (!isProse(path) && !checks.some(({ dir }) => found.has(dir))) return null;
    for (const dir of found) all.add(dir);
  }
  return all;
};

/** Leaves out checks of folders that a change does not concern, unless it concerns none or all of them. */
export const selectConcernedChecks = (
  { installs, checks: all, folders = [] }: Pick<Contract, 'installs' | 'checks' | 'folders'>,
  changed: readonly string[],
): Pick<Contract, 'installs' | 'checks'> => {
  const checks = changed.length === 0 ? all : runByCi(all, changed);
  if ([...installs, ...checks].every(({ dir }) => dir === '')) return { installs, checks };
  const touched = foldersOfChange({ checks, folders }, changed);
  if (touched === null) return { installs, checks };
  const concerned = checks.filter((c) => touched.has(c.dir) || isNamedByFilter(c, changed));
  if (concerned.length === 0) return { installs, checks };
  const used = new Set(concerned.map((c) => c.dir));
  const needed = installs.filter(
    ({ dir }) =>
      [...used].some((one) => isInside(one, dir)) ||
      concerned.some(({ before = [] }) => before.some((b) => dir !== '' && b.includes(`${dir}/.venv/`))),
  );
  return { installs: needed, checks: concerned };
};
