/** Probes C and C++ build files, and task runners: make, just, Task, pre-commit. */
import {
  sourceLocation,
  isPlainName,
  type ProjectProbe,
  type ProbeResult,
  type CheckKind,
} from '../probe-types.ts';
import { findTaskPlaces } from '#tools';
import { formatsInPlace, toNoDiffCommand } from '../formatter-tasks.ts';
import { findTaskPurpose } from '../task-purpose.ts';
import { withNeededValues } from '../variable-targets.ts';

const CODE = /\.(?:c|cc|cpp|cxx|h|hpp)$/;

const AUTOMAKE_TESTS = /(?:^|\/)(?:unit)?(?:tests?|testsuite|t|check)\/(?:[\w.-]+\/)*Makefile\.(?:am|in)$/i;
/** Without it, CTest finds no test, and passes. */
const TESTS_OFF =
  /^[^#\n\r\u2028\u2029]*\boption\s*\(\s*(\w*(?:BUILD|ENABLE)_(?:UNIT_?)?TEST(?:S|ING)?)\s+"[^"\n]{0,200}"\s+OFF\s*\)/im;
const TESTS_UNSET = /^[ \t]*if\s*\(\s*(\w*(?:BUILD|ENABLE)_(?:UNIT_?)?TEST(?:S|ING)?)\s*\)/im;
const SETTINGS = /\b(?:option|set)\s*\(\s*(\w+)/gi;
/** An option that is off, or a variable that nothing there sets: `if(ENABLE_TESTS)`. */
const findTestSwitch = (cmake: string): string | undefined => {
  const off = TESTS_OFF.exec(cmake)?.[1];
  const unset = off === undefined ? TESTS_UNSET.exec(cmake)?.[1] : undefined;
  // CTest sets this one.
  if (unset === undefined || unset === 'BUILD_TESTING') return off;
  return [...cmake.matchAll(SETTINGS)].some(([, name]) => name === unset) ? undefined : unset;
};
/** `include(CTest)` alone registers nothing, and ctest passes without a test. */
const TESTING = /^[^#\n\r\u2028\u2029]*\binclude\s*\(\s*CTest/im;
const TESTS_BUILT = /(?:^|\/)(?:unit[-_]?)?tests?\/(?:[\w.-]+\/)?CMakeLists\.txt$/i;
const REGISTERS =
  /^[^#\n]*\b(?:enable_testing|add_test|\w*discover_tests|add_subdirectory\s*\(\s*["']?[\w./${}-]*(?:unit)?tests?\b)/im;

export const probeNativeBuild: ProjectProbe = (project) => {
  const { has, paths } = project;
  if (has('build.zig') || !paths.some((p) => CODE.test(p))) return null;
  const found: ProbeResult['found'] = [];
  const cmake = project.read('CMakeLists.txt');
  const hasTests =
    REGISTERS.test(cmake ?? '') || (TESTING.test(cmake ?? '') && paths.some((p) => TESTS_BUILT.test(p)));
  const plus = paths.filter((p) => /\.(?:cc|cpp|cxx|hpp)$/.test(p)).length;
  const ecosystem = plus * 2 > paths.filter((p) => /\.(?:c|cc|cpp|cxx)$/.test(p)).length ? 'cpp' : 'c';
  const addCommand = (kind: CheckKind, command: string, source: string, before: string[]): void =>
    void found.push({ kind, command, source, before });
  const said = ['meson.build', 'test/meson.build', 'tests/meson.build'].map((f) => project.read(f) ?? '');
  const mesonTests = said.some((text) =>
    /^\s*test\s*\(|\bsubdir\s*\(\s*['"](?:\w+\/)?(?:tests?|unit|t)['"]/m.test(text),
  );
  if (has('meson.build') && (mesonTests || !hasTests)) {
    if (mesonTests) addCommand('test', 'meson test -C build', 'meson.build', ['meson setup build']);
    addCommand('build', 'meson compile -C build', 'meson.build', ['meson setup build']);
    return { ecosystem, packageManager: 'meson', found };
  }
  if (has('configure.ac') || has('configure')) {
    const start = has('configure') ? [] : [has('autogen.sh') ? './autogen.sh' : 'autoreconf -fi'];
    const source = has('configure.ac') ? 'configure.ac' : 'configure';
    addCommand('build', 'make', source, [...start, './configure']);
    // Without tests of its own, `make check` of Automake runs nothing and passes.
    if (
      paths.some((p) => AUTOMAKE_TESTS.test(p)) ||
      /^(?:TESTS|check-local)\b/m.test(project.read('Makefile.am') ?? '')
    )
      addCommand('test', 'make check', source, [...start, './configure', 'make']);
    return { ecosystem, packageManager: 'autotools', found };
  }
  if (!has('CMakeLists.txt')) return null;
  const option = findTestSwitch(cmake ?? '');
  // guard: E7-tests-switched-on
  const configure = option === undefined ? 'cmake -B build' : `cmake -B build -D${option}=ON`;
  addCommand('build', 'cmake --build build', 'CMakeLists.txt', [configure]);
  if (hasTests)
    addCommand(
      'test',
      'ctest --test-dir build',
      sourceLocation('CMakeLists.txt', cmake, REGISTERS.test(cmake ?? '') ? REGISTERS : TESTING),
      [configure, 'cmake --build build'],
    );
  return { ecosystem, packageManager: 'cmake', found };
};

const targetsOf = (text: string, runner: string): [name: string, body: string, line: number][] => {
  const pattern = PATTERNS[runner] ?? MAKE;
  const recipe = RECIPES[runner] ?? MAKE_RECIPE;
  const out: [string, string, number][] = [];
  text.split('\n').forEach((line, i) => {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined && isPlainName(name)) out.push([name, '', i + 1]);
    else if (/^\s+\S/.test(line) && out.length > 0) {
      const last = out[out.length - 1];
      const [, marks = '', does = ''] = recipe.exec(line.trim()) ?? [];
      if (last && last[1].length < 2_000) last[1] += `${does}${marks.includes('-') ? ' || true' : ''}\n`;
    }
  });
  return withNeededValues(text, runner, out.slice(0, 400));
};

export const readTaskBodies = (
  read: (path: string) => string | null,
  runner: string,
): Map<string, string> => {
  const { tasks, tasksAs } = findTaskPlaces(runner);
  const text = tasks.map(read).find((t) => t !== null) ?? '';
  if (tasksAs === 'mise') return withNamed(tablesIn(text, MISE_TASK));
  if (tasksAs === 'tables') return scriptsInTables(text);
  if (tasksAs === 'environments')
    return new Map(
      [...tablesIn(text, /^\[(?:testenv:|env\.)([\w.-]+)\]/)].map(([name, section]) => [
        name,
        /^commands\s*=([\s\S]*?)(?=^\S|(?![\s\S]))/m.exec(section)?.[1]?.trim() ?? '',
      ]),
    );
  if (tasksAs === 'aliases')
    return new Map(
      [...(tablesIn(text, /^\[(alias)\]/).get('alias') ?? '').matchAll(SCRIPT_KEY)].map(
        ([, name = '', does = '']) => [
          name,
          does
            .replace(/["'[\]]/g, '')
            .replaceAll(', ', ' ')
            .trim(),
        ],
      ),
    );
  if (tasksAs === 'sessions')
    return new Map([...text.matchAll(/^def (\w+)\(session\b/gm)].map(([, name = '']) => [name, '']));
  return new Map(targetsOf(text, tasksAs ?? '').map(([name, body]) => [name, body]));
};

const MISE_TASK = /^\[tasks\."?([\w:-]+)"?\]/;
const withNamed = (tasks: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    [...tasks].map(([name, does]) => [
      name,
      does.replace(/"([\w-]+:)\*"/g, (_, start: string) =>
        [...tasks.keys()]
          .filter((one) => one.startsWith(start))
          .map((one) => `"${one}"`)
          .join(', '),
      ),
    ]),
  );
const miseTasks = (text: string): [name: string, body: string, line: number][] =>
  [...readTaskBodies((path) => (path === 'mise.toml' ? text : null), 'mise')]
    .slice(0, 400)
    .map(([name, does]) => [name, does, lineOf(text, name)]);
const lineOf = (text: string, task: string): number =>
  text.split('\n').findIndex((line) => MISE_TASK.exec(line)?.[1] === task) + 1;

const tablesIn = (text: string, start: RegExp): Map<string, string> => {
  const out = new Map<string, string>();
  let name: string | null = null;
  for (const line of text.slice(0, 200_000).split('\n')) {
    if (line.startsWith('[')) name = start.exec(line)?.[1] ?? null;
    else if (name !== null) out.set(name, `${out.get(name) ?? ''}${line}\n`.slice(0, 4_000));
  }
  return out;
};

/** `lint = "…"`, and what poe writes as `lint.cmd = "…"`. */
const SCRIPT_KEY = /^["']?([\w:-]+)["']?(?:\.(?:cmd|shell|sequence|ref|script))?\s*=\s*(\[[^\]]*\]|.*)$/gm;
/** `name = "…"` or a list of commands below a table of scripts or tasks, or a table each. */
const scriptsInTables = (text: string): Map<string, string> => {
  const out = tablesIn(
    text,
    /^\[(?:tool\.poe\.|(?:tool\.pixi\.)?(?:feature\.[\w-]+\.)?)tasks\."?([\w:-]+)"?\]/,
  );
  const lists =
    /^\[((?:tool\.hatch\.)?envs\.[\w.-]+\.scripts|tool\.pdm\.scripts|tool\.poe\.tasks|(?:tool\.pixi\.)?(?:feature\.[\w-]+\.)?tasks)\]/;
  for (const [table, body] of tablesIn(text, lists)) {
    // Hatch needs the environment's name for a script outside the default one.
    const env = /envs\.([\w.-]+)\.scripts$/.exec(table)?.[1] ?? 'default';
    for (const [, name = '', does = ''] of body.matchAll(SCRIPT_KEY))
      out.set(env === 'default' ? name : `${env}:${name}`, does);
  }
  return out;
};

const MAKE = /^([\w./-]+)(?:\s+[\w./-]+)*\s*::?(?![=:])/;
const PATTERNS: Readonly<Record<string, RegExp>> = {
  make: MAKE,
  just: /^@?([\w-]+)(?:\s+[^:]*)?:(?!=)/,
  task: /^ {2}(?:["']?)([\w:-]+)["']?:\s*$/,
};

const MAKE_RECIPE = /^([@+-]*)(.*)$/;
/** A dash before a command of make or just forgives it; in a list of YAML it says nothing. */
const RECIPES: Readonly<Record<string, RegExp>> = { task: /^()(?:- )?(.*)$/ };

const OWN_SCRIPTS = [
  ...['script', 'scripts'].flatMap((dir) =>
    (['test', 'lint', 'format'] as const).map((kind) => [kind, `${dir}/${kind}`] as const),
  ),
  ...['test.sh', 'tests.sh', 'run-tests.sh', 'run_tests.sh', 'runtests.sh', 'test_runner'].map(
    (file) => ['test', file] as const,
  ),
];
/** Settings of a tool at the root, in a language that has no reader of its own. */
const BY_SETTINGS = [
  ['test', '.busted', 'busted'],
  ['lint', '.luacheckrc', 'luacheck .'],
] as const;
const HOOKS: readonly (readonly [file: string, command: string])[] = [
  ['.pre-commit-config.yaml', 'pre-commit run --all-files'],
  ['prek.toml', 'prek run --all-files'],
  ['.trunk/trunk.yaml', 'trunk check'],
];

export const probeTaskRunners: ProjectProbe = (project) => {
  const found: ProbeResult['found'] = [];
  for (const runner of ['make', 'just', 'task', 'mise run'] as const) {
    const file = findTaskPlaces(runner.replace(' run', '')).tasks.find(project.has);
    const text = file === undefined ? null : project.read(file);
    if (file === undefined || text === null) continue;
    const targets = runner === 'mise run' ? miseTasks(text) : targetsOf(text, runner);
    for (const kind of ['lint', 'format', 'types', 'test', 'build'] as const) {
      if (found.some((f) => f.kind === kind)) continue;
      const target = firstOf(targets, kind);
      if (target) found.push({ kind, command: `${runner} ${target[0]}`, source: `${file}:${target[2]}` });
      const writes =
        kind === 'format' && !target ? targets.find(([name, does]) => formatsInPlace(name, does)) : undefined;
      if (writes)
        found.push({
          kind,
          command: toNoDiffCommand(`${runner} ${writes[0]}`),
          source: `${file}:${writes[2]}`,
        });
    }
  }
  for (const [kind, file] of OWN_SCRIPTS)
    if (project.has(file) && !found.some((f) => f.kind === kind)) {
      const command = kind === 'format' ? toNoDiffCommand(`./${file}`) : `./${file}`;
      found.push({ kind, command, source: file });
    }
  for (const [kind, file, command] of BY_SETTINGS)
    if (project.has(file) && !found.some((f) => f.kind === kind)) found.push({ kind, command, source: file });
  const hooks = HOOKS.find(([file]) => project.has(file));
  if (hooks && !found.some((f) => f.kind === 'lint'))
    found.push({ kind: 'lint', command: hooks[1], source: hooks[0] });
  return found.length === 0 ? null : { ecosystem: 'make', packageManager: null, found };
};

const PLAINEST: Readonly<Record<string, readonly string[]>> = {
  test: ['test', 'tests', 'check', 'unit', 'unit-test', 'test-unit'],
  lint: ['lint', 'linters'],
  build: ['build'],
};
const firstOf = (targets: readonly (readonly [string, string, number])[], kind: CheckKind) => {
  const isOfKind = ([name, does]: readonly [string, string, number]): boolean =>
    findTaskPurpose(name, (n) => (n === name ? does || null : null)) === kind;
  const plain = PLAINEST[kind] ?? [];
  const first = plain
    .map((p) => targets.find(([n]) => n === p))
    .find((t) => t !== undefined && (isOfKind(t) || (t[0] === 'check' && kind === 'test')));
  return (
    first ??
    (kind === 'build' ? undefined : targets.find((t) => isOfKind(t) && t[0].split(/[:_-]/).length < 3))
  );
};
