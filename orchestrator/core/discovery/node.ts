/** Node repositories: scripts of package.json, run by the package manager whose lockfile is there. */
import { z } from 'zod';
import type { ProbedCheck, Probe } from './probe.ts';

const Package = z.object({
  scripts: z.record(z.string(), z.unknown()).optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  optionalDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  peerDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  workspaces: z.unknown().optional(),
  packageManager: z.string().optional().catch(undefined),
});
type Package = z.infer<typeof Package>;

const parsed = (text: string): Package | null => {
  try {
    return Package.safeParse(JSON.parse(text.replace(/^\uFEFF/, ''))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

const LOCKFILES: readonly [file: string, manager: string][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** In the order they are run; the first script of a row that exists is taken. */
const SCRIPTS: readonly [check: string, names: readonly string[]][] = [
  ['lint', ['lint', 'lint:check']],
  ['typecheck', ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'tsc']],
  ['test', ['test', 'test:unit', 'tests']],
  ['build', ['build']],
];
const PLACEHOLDER = /no test specified/i;

const installWith = (manager: string, locked: boolean, modernYarn: boolean): string => {
  if (manager === 'npm') return locked ? 'npm ci' : 'npm install --no-package-lock';
  if (manager === 'yarn' && modernYarn) return locked ? 'yarn install --immutable' : 'yarn install';
  return locked ? `${manager} install --frozen-lockfile` : `${manager} install`;
};

const run = (manager: string, script: string): string =>
  script === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${script}`;

/** A script's name goes into a command: only plain ones do. */
const plain = (name: string): boolean => /^[\w:.-]+$/.test(name);

export const node: Probe = (paths, read) => {
  const text = read('package.json');
  if (!paths.has('package.json') || text === null) return null;
  const json = parsed(text);
  if (!json) return { packageManager: null, install: null, checks: [] };
  const lock = LOCKFILES.find(([file]) => paths.has(file));
  const named = /^(npm|pnpm|yarn|bun)(?:@(\d+))?/.exec(json.packageManager ?? '');
  const manager = named?.[1] ?? lock?.[1] ?? 'npm';
  const locked = LOCKFILES.some(([file, m]) => m === manager && paths.has(file));
  const modernYarn = paths.has('.yarnrc.yml') || Number(named?.[2] ?? 1) >= 2;
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = json;
  const needs = [dependencies, devDependencies, optionalDependencies, peerDependencies].some(
    (d) => d !== undefined && Object.keys(d).length > 0,
  );
  const scripts = json.scripts ?? {};
  const checks = SCRIPTS.flatMap(([check, names]): ProbedCheck[] => {
    const script = names.find((n) => plain(n) && typeof scripts[n] === 'string' && scripts[n].trim() !== '');
    if (script === undefined || PLACEHOLDER.test(String(scripts[script]))) return [];
    return [{ name: check, command: run(manager, script), source: `package.json scripts.${script}` }];
  });
  const install = needs || json.workspaces !== undefined ? installWith(manager, locked, modernYarn) : null;
  return { packageManager: manager, install, checks };
};
