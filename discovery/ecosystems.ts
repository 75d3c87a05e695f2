/** Merges workflows and manifests into installations and checks; workflows take precedence. */
import type { Contract } from '#model/contract';
import {
  CHECK_KINDS,
  type FoundCommand,
  type CheckKind,
  type ProjectProbe,
  type ProbeResult,
  type ProjectFolder,
} from './probe-types.ts';
import {
  composerScripts,
  probeDotnet,
  probeElixir,
  probeGo,
  probeHaskell,
  probeJava,
  probePerl,
  probePhp,
  probeRuby,
  probeRust,
  probeSwift,
  probeZig,
} from './probes/compiled-languages.ts';
import { probeNativeBuild, probeTaskRunners, readTaskBodies } from './probes/native-builds.ts';
import { probeDeno, findPackageManager, probeNode, readPackageManifest, scriptsOf } from './probes/node.ts';
import { probePython } from './probes/python.ts';
import { findProjectPlaces, readProjectFolder, withoutProjectMembers } from './find-projects.ts';
import { findTaskPlaces, languageRuntimes } from '#tools';
import { recogniseProgram, type TaskBody } from './recognise-program.ts';
import { readProjectFolders } from './concerned-checks.ts';
import { mayUseTool, listRequiredTools } from './required-tools.ts';
import { habitsOf, otherLanguageIn, unreadCiSystems } from './other-languages.ts';
import { withEnvironment } from './pip-environments.ts';
import {
  BY_PIP,
  chooseChecks,
  chooseInstalls,
  ecosystemFamilyOf,
  findMainEcosystem,
  type LocatedProbe,
  type RankedCommand,
} from './select-checks.ts';
import { findGuideCommands } from './guide-commands.ts';
import { readCiCommands, type FromCi } from './workflows/ci-commands.ts';
import { uniteVersions } from './workflows/ci-versions.ts';

type Read = (path: string) => string | null;

const PROBES: readonly ProjectProbe[] = [
  probeNode,
  probeDeno,
  probePython,
  probeGo,
  probeRust,
  probeJava,
  probeRuby,
  probePhp,
  probeElixir,
  probeDotnet,
  probeSwift,
  probeZig,
  probeHaskell,
  probePerl,
  probeNativeBuild,
];

const MOST_CHECKS = 40;
const MOST_LEFT = 40;
const BUILT = /^(?:rust|c|cpp|zig|swift|haskell)$/;
const BUILD_BY_NAME = /^(?:npm|pnpm|yarn|bun|deno|make|just|task|mise|dotnet|zig) \w/;

const SOURCES: Readonly<Record<string, RegExp>> = {
  node: /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/,
  deno: /\.[cm]?[jt]sx?$/,
  python: /\.pyi?$/,
  go: /\.go$/,
  rust: /\.rs$/,
  java: /\.(?:java|kt|scala|groovy)$/,
  kotlin: /\.(?:java|kt|scala)$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  elixir: /\.exs?$/,
  erlang: /\.erl$/,
  dotnet: /\.(?:cs|fs|vb)$/,
  zig: /\.zig$/,
  swift: /(?<!(?:^|\/)Package)\.swift$/,
  haskell: /\.hs$/,
  perl: /\.(?:p[lm]|t)$/,
  c: /\.[ch]$/,
  cpp: /\.(?:c|cc|cpp|cxx|h|hpp)$/,
};
const byFiles = ({ paths }: ProjectFolder, found: readonly ProbeResult[]): ProbeResult[] => {
  const countSources = ({ ecosystem }: ProbeResult): number =>
    paths.filter((p) => SOURCES[ecosystem]?.test(p) === true).length;
  return found
    .map((one) => ({ one, files: countSources(one) }))
    .sort((a, b) => b.files - a.files)
    .map(({ one }) => one);
};

const probeProjects = (
  paths: readonly string[],
  read: Read,
): { projects: Map<string, ProjectFolder>; probed: LocatedProbe[]; run: LocatedProbe[] } => {
  const projects = new Map<string, ProjectFolder>();
  const probed: LocatedProbe[] = [];
  const run: LocatedProbe[] = [];
  const places = withoutProjectMembers(findProjectPlaces(paths));
  for (const dir of new Set(['', ...places.map((p) => p.dir)])) {
    const project = readProjectFolder(dir, paths, read);
    projects.set(dir, project);
    const families = places.find((p) => p.dir === dir)?.families;
    const here = PROBES.flatMap((one) => one(project) ?? []).filter(
      ({ ecosystem }) => dir === '' || families?.has(ecosystemFamilyOf(ecosystem)),
    );
    for (const one of byFiles(project, here)) probed.push({ ...one, dir });
    const made = probeTaskRunners(project);
    if (made) run.push({ ...made, dir });
  }
  return { projects, probed, run };
};
const bodiesIn = (read: Read): TaskBody => {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const loadTasks = (runner: string, dir: string): ReadonlyMap<string, string> => {
    const start = dir === '' ? '' : `${dir}/`;
    const { tasksAs } = findTaskPlaces(runner);
    // Sessions of Python name their commands in Python.
    if (tasksAs !== undefined && tasksAs !== 'sessions')
      return readTaskBodies((p) => read(start + p), runner);
    if (/^(?:npm|pnpm|yarn|bun|turbo|lerna|run-s|npm-run-all|vp)$/.test(runner)) {
      const json = readPackageManifest({ dir, has: () => true, read: (p) => read(start + p), paths: [] });
      return new Map(Object.entries(json ? scriptsOf(json) : {}));
    }
    if (runner === 'composer') return new Map(Object.entries(composerScripts(read(`${start}composer.json`))));
    return new Map();
  };
  return (runner, task, dir) => {
    if (runner === 'file') return read(dir === '' ? task : `${dir}/${task}`)?.slice(0, 4_000) ?? null;
    const key = `${runner}\n${dir}`;
    const map = known.get(key) ?? loadTasks(runner, dir);
    known.set(key, map);
    if (task === '') return [...map].find(([name]) => !name.startsWith('.'))?.[1] ?? null;
    return map.get(task) ?? null;
  };
};

const NAMES_PACKAGES =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile|(?:requirements\/)?[\w.-]*requirements[\w.-]*\.(?:txt|in))$/;
const MOST_MANIFESTS = 20;
const createNameCheck = (paths: readonly string[], read: Read): ((program: string) => boolean) => {
  const texts = paths
    .filter((path) => NAMES_PACKAGES.test(path))
    .slice(0, MOST_MANIFESTS)
    .flatMap((path) => (read(path) ?? '').split(/[^\w.-]+/));
  const names = new Set(texts);
  return (program) => names.has(program);
};

const sourceIn = (dir: string, source: string): string =>
  dir === '' || source === '' ? source : `${dir}/${source}`;

/** Notes for a person; `unknown` is the name of a main language without a probe. */
const flagsOf = (paths: readonly string[], ci: FromCi, unknown: string | null): string[] => {
  const [system] = ci.system;
  const [elsewhere] = isElsewhere(ci) ? ci.otherTests : [];
  const sayWhere = ({ command, source }: FromCi['otherTests'][number]): string =>
    `its tests run on ${systemsOf(ci).join(' and ')} in CI: ${command.slice(0, 120)} (${source})`;
  const unread = ci.unread.slice(0, 5).join(', ');
  return [
    unknown === null
      ? ''
      : `${unknown} is not known to AgentPR: only what its workflows and guides run, or what is usual, is checked`,
    ...unreadCiSystems(paths).map(({ name, file }) => `${name} is not read (${file})`),
    unread === '' ? '' : `workflows that are too large, or no YAML, and say nothing here: ${unread}`,
    system ? `CI installs system packages: ${system.what} (${system.source})` : '',
    elsewhere ? sayWhere(elsewhere) : '',
    ci.services.length > 0 ? `tests in CI have services: ${ci.services.join(', ')}` : '',
  ].filter((flag) => flag !== '');
};

/** A build is a check where CI runs it, where it is called so, or where no test needs it. */
const isWantedCheck = (check: RankedCommand, all: readonly RankedCommand[]): boolean =>
  check.kind !== 'build' ||
  check.where === 'workflow' ||
  BUILD_BY_NAME.test(check.command) ||
  BUILT.test(check.ecosystem) ||
  !all.some(({ kind, dir }) => kind === 'test' && dir === check.dir);

export const ecosystemsOf = (
  paths: readonly string[],
  read: Read,
): Pick<
  Contract,
  'ecosystems' | 'packageManager' | 'installs' | 'checks' | 'leftToCi' | 'tools' | 'folders'
> & {
  flags: string[];
} => {
  const { projects, probed: all, run } = probeProjects(paths, read);
  const folders = new Set(paths.flatMap((p) => foldersAbove(p)));
  const body = bodiesIn(read);
  const ci = withOwnManager(
    readCiCommands(paths, read, (dir) => folders.has(dir), body),
    projects.get(''),
  );
  const other = otherLanguageIn(paths);
  const probed = ownProbes(all, ci, other === null ? 0 : other.files, paths);
  const isKnown = probed.some(({ dir }) => dir === '') || ci.found.some(({ kind }) => kind !== 'install');
  const manifests: FoundCommand[] = [
    ...run.flatMap(({ dir, found }) =>
      found.map((f) => ({
        ...f,
        dir,
        source: sourceIn(dir, f.source),
        ecosystem: languageOf(f.command, dir, body, probed) ?? findMainEcosystem(probed, dir),
      })),
    ),
    ...probed.flatMap(({ dir, found, ecosystem }) =>
      found.map((f) => ({ ...f, dir, ecosystem, source: sourceIn(dir, f.source) })),
    ),
    ...(other === null || isKnown ? [] : habitsOf(other.ecosystem, paths)),
  ];
  const isProject = (dir: string, ecosystem: string): boolean =>
    (dir === '' || folders.has(dir)) &&
    (ecosystem === '' ||
      (dir === '' && ecosystem === other?.ecosystem) ||
      probed.some((p) => p.dir === dir && ecosystemFamilyOf(p.ecosystem) === ecosystemFamilyOf(ecosystem)));
  const guides = findGuideCommands(paths, read, isProject, body).map((f) => ({
    ...f,
    ecosystem: f.ecosystem === '' ? findMainEcosystem(probed, f.dir) : f.ecosystem,
  }));
  const chosen = chooseChecks(ci, { manifests, guides }, probed, body);
  const checks = withSystems(ci, chosen.checks);
  const installs = chooseInstalls(ci, checks, { manifests, guides }, createNameCheck(paths, read), probed);
  const wanted = checks.filter((check) => isWantedCheck(check, checks));
  const ready = withEnvironment(withRunner(installs, wanted), wanted);
  const used = new Set([...ready.installs, ...ready.checks].map((c) => c.ecosystem));
  const ecosystems = [
    ...new Set(probed.filter((p) => p.dir === '' || used.has(p.ecosystem)).map((p) => p.ecosystem)),
  ];
  const found = ecosystems.length > 0 ? ecosystems : languagesBelow(probed, run);
  const isMain =
    other !== null && (found.length === 0 || found.every((e) => other.files > sourcesOf(e, paths)));
  const isKept = (one: string): boolean =>
    one !== 'make' && (!isMain || probed.some(({ ecosystem }) => ecosystem === one));
  const withOther =
    other !== null && (isMain || used.has(other.ecosystem))
      ? [other.ecosystem, ...found.filter(isKept)]
      : found;
  const named = assignCheckNames(ready.checks.map((one) => withVersions(ci, setVariables(one))));
  const left = [...named.slice(MOST_CHECKS), ...chosen.beyond].map(({ command, dir, source }) => ({
    command,
    dir,
    source,
  }));
  const dirs = [...new Set([...ready.installs, ...ready.checks].map((c) => c.dir))];
  const needed = dirs.length > 1 ? [...dirs, ...findProjectPlaces(paths).map((place) => place.dir)] : [];
  return {
    ecosystems: withOther,
    packageManager: isMain ? other.packageManager : managerAt(projects, probed, installs, checks),
    installs: ready.installs.map(({ command, dir, source, before }) => ({
      command,
      dir,
      source,
      ...(before ? { before } : {}),
    })),
    checks: named.slice(0, MOST_CHECKS),
    ...(left.length > 0 ? { leftToCi: left.slice(0, MOST_LEFT) } : {}),
    ...(needed.length > 0 ? { folders: readProjectFolders(needed, read) } : {}),
    tools: listRequiredTools([...ready.installs, ...ready.checks], read, ci.tools),
    flags: flagsOf(paths, ci, isMain ? other.name : null),
  };
};

/** A repository may try Bun beside its package manager, which cannot use what Bun installs. */
const withOwnManager = (ci: FromCi, root: ProjectFolder | undefined): FromCi => {
  const own = root && findPackageManager(root, readPackageManifest(root));
  if (!own || own === 'bun') return ci;
  const isBeside = (program: string): boolean => program === 'bun';
  // guard: E7-own-manager-first
  const found = ci.found.map((f) => (isBeside(f.program) ? { ...f, weight: f.weight + BESIDE_WEIGHT } : f));
  return { ...ci, found };
};
const BESIDE_WEIGHT = 5;

const quoteValue = (value: string): string => (/^[\w@%+=:,./-]*$/.test(value) ? value : `'${value}'`);
const setVariables = (one: FoundCommand): FoundCommand => {
  const set = Object.entries(one.variables ?? {})
    .filter(([name]) => !/^(?:lint|format)$/.test(one.kind) || !OF_SERVICE.test(name))
    .map(([name, value]) => `${name}=${quoteValue(value)}`);
  if (set.length === 0) return one;
  const [last = ''] = (one.before ?? []).slice(-1);
  const isAlone = (one.before ?? []).length === 0 || ENTERS_VENV.test(last);
  return isAlone && !/^(?:cd|test|\[|\() /.test(one.command)
    ? { ...one, command: `${set.join(' ')} ${one.command}` }
    : { ...one, before: [`export ${set.join(' ')}`, ...(one.before ?? [])] };
};
const OF_SERVICE = /^(?:PG|POSTGRES|MYSQL|MARIADB|REDIS|DATABASE|DB|MONGO)|_(?:URL|URI|HOST|PORT|USER|DB)$/i;
const ENTERS_VENV = /\.venv\/bin\/activate'?$/;

const toolOfLanguage = (ecosystem: string): string | undefined =>
  languageRuntimes().byLanguage.get(ecosystemFamilyOf(ecosystem));

/** A check that CI does not run is judged by the versions of all its jobs. */
const withVersions = (ci: FromCi, one: FoundCommand): FoundCommand => {
  const ofJobs = ci.found.flatMap(({ ciVersions }) => ciVersions);
  const byTool = Map.groupBy(ofJobs, ({ name }) => name);
  const all = one.ciVersions ?? [...byTool.values()].flatMap((same) => uniteVersions(same.map((v) => [v])));
  const own = toolOfLanguage(one.ecosystem);
  const ciVersions = all.filter(({ name }) => name === own || (!own && mayUseTool(one.command, name)));
  return { ...one, ciVersions };
};

const isElsewhere = (ci: FromCi): boolean => ci.otherTests.length > 0 && !ci.testsHere;
const systemsOf = (ci: FromCi): string[] => [...new Set(ci.otherTests.map(({ system }) => system))];
const withSystems = (ci: FromCi, checks: readonly RankedCommand[]): RankedCommand[] =>
  checks.map((c) =>
    isElsewhere(ci) && c.kind === 'test'
      ? { ...c, needs: [...(c.needs ?? []), { kind: 'system', names: systemsOf(ci) }] }
      : c,
  );

const sourcesOf = (ecosystem: string, paths: readonly string[]): number =>
  paths.filter((p) => SOURCES[ecosystem]?.test(p) === true).length;

const MOST_BESIDE = 10;
/** Languages that build themselves, and bring C along: modules of Python may be C in the main. */
const COMPILED = /^(?:rust|swift|zig|haskell|go|java|kotlin|dotnet)$/;
/** Manifests that only publish, or only configure a helper, make no project of a language. */
const ownProbes = (
  probed: readonly LocatedProbe[],
  ci: FromCi,
  others: number,
  paths: readonly string[],
): LocatedProbe[] => {
  const tests = ci.found.filter((f) => f.kind === 'test' || f.kind === 'lint');
  const isUnusedProbe = ({ ecosystem, dir }: LocatedProbe): boolean =>
    ecosystem === 'deno' &&
    tests.length > 0 &&
    !ci.found.some((f) => f.ecosystem === 'deno' && f.kind !== 'install') &&
    probed.some((p) => p.dir === dir && p.ecosystem === 'node');
  const usesC = ci.found.some((f) => ecosystemFamilyOf(f.ecosystem) === 'c');
  /** CMake may only offer the sources of another language to those who build by it. */
  const isHelperProbe = ({ ecosystem, dir }: LocatedProbe): boolean => {
    if (!/^(?:c|cpp)$/.test(ecosystem)) return false;
    const own = sourcesOf(ecosystem, paths);
    const beside = probed.filter((p) => p.dir === dir && COMPILED.test(p.ecosystem));
    return (
      others > own * 2 || (!usesC && beside.some((p) => sourcesOf(p.ecosystem, paths) > own * MOST_BESIDE))
    );
  };
  return probed.filter((one) => !isUnusedProbe(one) && !isHelperProbe(one));
};

/** A task's own command decides, because a folder may hold several languages. */
const languageOf = (
  command: string,
  dir: string,
  body: TaskBody,
  probed: readonly LocatedProbe[],
): string | null => {
  const [runner = '', task = ''] = command.split(' ');
  for (const line of (body(runner, task, dir) ?? '').split('\n').slice(0, 20)) {
    const said = recogniseProgram(line.trim(), dir, body)?.ecosystem ?? '';
    const here = probed.find(
      (p) => p.dir === dir && ecosystemFamilyOf(p.ecosystem) === ecosystemFamilyOf(said),
    );
    if (here) return here.ecosystem;
  }
  return null;
};

const languagesBelow = (probed: readonly LocatedProbe[], run: readonly LocatedProbe[]): string[] => {
  const countProbes = (name: string): number => probed.filter((p) => p.ecosystem === name).length;
  const below = [...new Set(probed.map((p) => p.ecosystem))].sort((a, b) => countProbes(b) - countProbes(a));
  if (run.length === 0) return [];
  return below.length > 0 ? below.slice(0, 1) : ['make'];
};

const RUNS_APART = /^(?:python3? -m |uvx .*?|pipx run )?(tox|nox)\b/;
const withRunner = (
  installs: readonly FoundCommand[],
  checks: readonly FoundCommand[],
): readonly FoundCommand[] => {
  const test = checks.find((c) => c.kind === 'test' && c.dir === '');
  const runner = RUNS_APART.exec(test?.command ?? '')?.[1];
  const isGuessedInstall = (install: FoundCommand): boolean =>
    install.dir === '' && BY_PIP.test(install.command.replace(/^uv /, '')) && !('weight' in install);
  const others = installs.filter((i) => !isGuessedInstall(i));
  if (!test || runner === undefined || others.some((i) => i.dir === '')) return installs;
  return [
    ...others,
    { kind: 'install', command: `pip install ${runner}`, dir: '', source: test.source, ecosystem: 'python' },
  ];
};

const foldersAbove = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.slice(0, 8).map((_, i) => parts.slice(0, i + 1).join('/'));
};
const PROGRAM = /^(?:python3? -m )?(npm|pnpm|yarn|bun|uv|poetry|pdm|pipenv|pip)\b/;
const managerAt = (
  projects: ReadonlyMap<string, ProjectFolder>,
  probed: readonly LocatedProbe[],
  installs: readonly FoundCommand[],
  checks: readonly FoundCommand[],
): string | null => {
  const main = checks.find((c) => c.kind === 'test' && c.dir === '')?.ecosystem;
  const managed = probed.filter((p) => p.packageManager !== null);
  const first = managed.find((p) => p.ecosystem === main && p.dir === '') ?? managed[0];
  if (!first) return null;
  const root = projects.get(first.dir);
  const sure =
    first.ecosystem === 'node'
      ? root && findPackageManager(root, readPackageManifest(root)) !== null
      : first.packageManager !== 'pip';
  if (sure || !/^(?:node|python)$/.test(first.ecosystem)) return first.packageManager;
  const said = installs.find((i) => i.dir === first.dir && i.ecosystem === first.ecosystem);
  const byTests = /^(?:\S+ -m )?(tox|nox)\b/.exec(
    checks.find((c) => c.kind === 'test' && c.dir === first.dir)?.command ?? '',
  )?.[1];
  return byTests ?? PROGRAM.exec(said?.command ?? '')?.[1] ?? first.packageManager;
};

const depthOf = (dir: string): number => (dir === '' ? 0 : dir.split('/').length);

const assignCheckNames = (checks: readonly FoundCommand[]): Contract['checks'] => {
  const taken = new Set<string>();
  const orderOfKind = (kind: FoundCommand['kind']): number => CHECK_KINDS.indexOf(kind as CheckKind);
  return [...checks]
    .sort(
      (a, b) =>
        orderOfKind(a.kind) - orderOfKind(b.kind) ||
        depthOf(a.dir) - depthOf(b.dir) ||
        (a.dir < b.dir ? -1 : Number(a.dir > b.dir)),
    )
    .map(({ kind, command, dir, source, ecosystem, before, needs, ciVersions = [], filters }) => {
      const options = [
        kind,
        ...(dir === '' ? [] : [`${dir} ${kind}`]),
        ...(ecosystem === '' ? [] : [`${ecosystem} ${kind}`]),
        ...Array.from({ length: 40 }, (_, i) => `${i + 2} ${kind}`),
      ];
      const name = options.find((o) => !taken.has(o)) ?? kind;
      taken.add(name);
      return {
        name,
        command,
        dir,
        source,
        ...(before && before.length > 0 ? { before } : {}),
        ...(needs ? { needs } : {}),
        ...(ciVersions.length > 0 ? { ciVersions: [...ciVersions] } : {}),
        ...(filters ? { filters: [...filters] } : {}),
      };
    });
};
