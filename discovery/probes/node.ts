/** Probes Node and Deno: package.json scripts with the lockfile's manager, deno.json tasks. */
import { z } from 'zod';
import {
  sourceLocation,
  isPlainName,
  type CheckKind,
  type ProjectProbe,
  type ProbeResult,
  type ProjectFolder,
} from '../probe-types.ts';
import { formatsInPlace, toNoDiffCommand, lintsInPlace } from '../formatter-tasks.ts';
import { findTaskPurpose } from '../task-purpose.ts';

const texts = z.record(z.string(), z.unknown()).optional().catch(undefined);
const PackageManifest = z.object({
  scripts: texts,
  dependencies: texts,
  devDependencies: texts,
  optionalDependencies: texts,
  peerDependencies: texts,
  engines: texts,
  workspaces: z.unknown().optional(),
  packageManager: z.string().optional().catch(undefined),
});
type PackageManifest = z.infer<typeof PackageManifest>;

const parsePackageManifest = (text: string): PackageManifest | null => {
  try {
    return PackageManifest.safeParse(JSON.parse(text.replace(/^\uFEFF/, ''))).data ?? null;
  } catch {
    return null;
  }
};
export const readPackageManifest = (project: ProjectFolder): PackageManifest | null => {
  const text = project.read('package.json');
  return text === null ? null : parsePackageManifest(text);
};

const LOCKFILES: readonly [file: string, manager: string][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];
const MANAGER = /^(npm|pnpm|yarn|bun)(?:@(\d+)?(\S*))?/;

export const findPackageManager = (project: ProjectFolder, json: PackageManifest | null): string | null => {
  const named = MANAGER.exec(json?.packageManager ?? '')?.[1];
  return (
    named ??
    LOCKFILES.find(([file]) => project.has(file))?.[1] ??
    (project.has('pnpm-workspace.yaml') ? 'pnpm' : null)
  );
};

const installWith = (
  manager: string,
  { locked, modernYarn }: { locked: boolean; modernYarn: boolean },
): string => {
  if (manager === 'npm') return locked ? 'npm ci' : 'npm install';
  if (manager === 'yarn' && modernYarn) return locked ? 'yarn install --immutable' : 'yarn install';
  return locked ? `${manager} install --frozen-lockfile` : `${manager} install`;
};

const formatRunCommand = (manager: string, script: string): string => {
  if (script === 'test' && manager !== 'bun') return `${manager} test`;
  return manager === 'npm' || manager === 'bun' ? `${manager} run ${script}` : `${manager} ${script}`;
};

const SCRIPT_NAMES_BY_KIND: Readonly<Record<CheckKind, readonly string[]>> = {
  lint: ['lint', 'lint:check', 'check:lint', 'eslint'],
  format: [
    'format:check',
    'check:format',
    'format-check',
    'fmt:check',
    'prettier:check',
    'check-format',
    'lint:format',
  ],
  types: [
    'typecheck',
    'type-check',
    'types',
    'check-types',
    'check:types',
    'types:check',
    'tsc',
    'test:types',
  ],
  test: ['test', 'test:unit', 'unit', 'tests', 'vitest', 'jest'],
  build: ['build'],
};

const OWN_WORDS =
  /^(?:install|publish|pack|link|add|remove|why|list|audit|init|config|set|version|start|stop|exec|dlx|create|up|update|check|cache|info|node|npm|run|workspaces?)$/;

export const scriptsOf = (json: PackageManifest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(json.scripts ?? {}).flatMap(([k, v]) =>
      typeof v === 'string' && v.trim() !== '' ? [[k, v]] : [],
    ),
  );

export const parsePackageScripts = (text: string): Readonly<Record<string, string>> => {
  const json = parsePackageManifest(text);
  return json === null ? {} : scriptsOf(json);
};

export const probeNode: ProjectProbe = (project) => {
  if (!project.has('package.json')) return null;
  const json = readPackageManifest(project);
  if (!json) return { ecosystem: 'node', packageManager: null, found: [] };
  const text = project.read('package.json');
  const manager = findPackageManager(project, json) ?? 'npm';
  const locked = LOCKFILES.some(([file, m]) => m === manager && project.has(file));
  const modernYarn =
    project.has('.yarnrc.yml') || Number(MANAGER.exec(json.packageManager ?? '')?.[2] ?? 1) >= 2;
  const needs =
    json.workspaces !== undefined ||
    project.has('pnpm-workspace.yaml') ||
    [json.dependencies, json.devDependencies, json.optionalDependencies, json.peerDependencies].some(
      (d) => d !== undefined && Object.keys(d).length > 0,
    );
  const scripts = scriptsOf(json);
  const findScriptBody = (name: string): string | null =>
    Object.hasOwn(scripts, name) ? (scripts[name] ?? null) : null;
  const names = Object.keys(scripts)
    .filter((n) => isPlainName(n))
    .slice(0, 300);
  const kinds = new Map(names.map((n) => [n, findTaskPurpose(n, findScriptBody)]));
  const found: ProbeResult['found'] = [];
  if (needs)
    found.push({
      kind: 'install',
      command: installWith(manager, { locked, modernYarn }),
      source: sourceLocation(
        'package.json',
        text,
        /"(?:packageManager|dependencies|devDependencies|workspaces)"/,
      ),
    });
  for (const kind of ['lint', 'format', 'types', 'test', 'build'] as const) {
    const isOfKind = (name: string): boolean => kinds.get(name) === kind;
    const isNamedFor = (name: string): boolean => findTaskPurpose(name, () => null) === kind;
    const others = names.filter((n) => isOfKind(n) && isPlainScript(n));
    const known = SCRIPT_NAMES_BY_KIND[kind].find(isOfKind) ?? others.find(isNamedFor) ?? others[0];
    // In a package of many, nobody asks for a formatter by its mere script.
    const isWriting =
      project.dir !== '' ? null : kind === 'format' ? formatsInPlace : kind === 'lint' ? lintsInPlace : null;
    const writes = isWriting === null ? undefined : names.find((n) => isWriting(n, findScriptBody(n)));
    const name = known ?? writes;
    if (name === undefined) continue;
    const shown =
      manager !== 'npm' && OWN_WORDS.test(name) ? `${manager} run ${name}` : formatRunCommand(manager, name);
    found.push({
      kind,
      command: known === undefined ? toNoDiffCommand(shown) : shown,
      source: sourceLocation('package.json', text, new RegExp(`"${name.replace(/[.+*?]/g, '\\$&')}"\\s*:`)),
    });
  }
  return { ecosystem: 'node', packageManager: manager, found };
};

/** `prepare`, `pretest` and `postinstall` run automatically. */
const isPlainScript = (name: string): boolean => !/^(?:pre|post)(?!tt|fix)|^prepare|watch|:fix$/.test(name);

const Tasks = z.object({ tasks: texts });
export const probeDeno: ProjectProbe = (project) => {
  const file = ['deno.json', 'deno.jsonc'].find((f) => project.has(f));
  if (file === undefined) return null;
  const text = project.read(file) ?? '{}';
  let tasks: Record<string, unknown> = {};
  try {
    tasks = Tasks.safeParse(JSON.parse(text.replace(/^[ \t]*\/\/.*$/gm, ''))).data?.tasks ?? {};
  } catch {
    // Comments break JSON, but Deno itself reads it.
  }
  const findTask = (...names: string[]): string | undefined => names.find((n) => Object.hasOwn(tasks, n));
  const probeTask = (kind: CheckKind, plain: string | null, ...names: string[]): ProbeResult['found'] => {
    const name = findTask(...names);
    if (name !== undefined)
      return [{ kind, command: `deno task ${name}`, source: sourceLocation(file, text, `"${name}"`) }];
    return plain === null ? [] : [{ kind, command: plain, source: file }];
  };
  const tests = project.paths.some((p) => /(?:^|\/)(?:[^/]*[._])?test\.[mc]?[jt]sx?$/.test(p));
  return {
    ecosystem: 'deno',
    packageManager: 'deno',
    found: [
      ...probeTask('lint', 'deno lint', 'lint'),
      ...probeTask('format', 'deno fmt --check', 'fmt:check', 'format:check', 'check:format'),
      ...probeTask('types', null, 'check', 'check:types', 'typecheck'),
      ...probeTask('test', tests ? 'deno test' : null, 'test'),
    ],
  };
};
