/**
 * E7: commands that are the repository's own: known by their words, by the step that runs them, or
 * by what they list.
 */
import { describe, expect, it } from 'vitest';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';
import { recogniseProgram } from '../../discovery/recognise-program.ts';
import { recogniseByStepName } from '../../discovery/workflows/step-purpose.ts';

type Files = Record<string, string>;
const learnt = (files: Files, more: string[] = []) => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(selectContractFiles(paths));
  return discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null));
};
const checks = (files: Files, more: string[] = []): string[] =>
  learnt(files, more).checks.map(({ name, command }) => `${name} = ${command}`);
type Step = { name?: string; run?: string; uses?: string };
const workflow = (...steps: Step[]): Files => ({
  '.github/workflows/ci.yml': JSON.stringify({
    on: 'pull_request',
    jobs: { ci: { 'runs-on': 'ubuntu-latest', steps } },
  }),
});

describe('a script that is a check by its name', () => {
  it.each([
    ['./bin/forbid', 'lint'],
    ['./scripts/find-banned.sh', 'lint'],
    ['scripts/checksrc-all.pl', 'lint'],
    ['bun run editorconfig-checker', 'lint'],
    ['bin/doctest', 'test'],
    ['bash script/cucumber --color', 'test'],
    ['bin/banner', null],
    ['./run-clang-tidy.sh', 'lint'],
    ['./apply-patches.sh', null],
    ['./run-clang-format.sh', null],
  ])('E7: %s is for %s', (command, purpose) => {
    expect(recogniseProgram(command, '', () => null)?.purpose ?? null).toBe(purpose);
  });

  it('E7: given a suite of its own beside the tests, when a step runs both, then both are checks', () => {
    const files = { ...workflow({ run: 'script/test' }, { run: 'script/cucumber' }), Gemfile: 'x' };
    expect(checks(files)).toEqual(['test = script/test', 'ruby test = script/cucumber']);
  });
});

describe('a command of the repository that is known by its step', () => {
  const by = (command: string, name: string): string | null =>
    recogniseByStepName(command, { name })?.purpose ?? null;
  it.each([
    ['CFLAGS=-Werror make nopch', 'Build the compositor', 'build'],
    ['./ci/all.sh', 'Run unit tests', 'test'],
    ['just forbid', 'Check for forbidden words', 'lint'],
    ['python3 tools/look.py', 'Check formatting', 'format'],
    ['make boilerplate', 'Verify copyright headers', 'lint'],
    ['cargo xtask everything', 'Run unit tests', 'test'],
    ['cargo xtask tidy', 'Run clippy + rustfmt', 'lint'],
  ])('E7: given `%s`, when its step is called %s, then it is for %s', (command, name, purpose) => {
    expect(by(command, name)).toBe(purpose);
  });

  it.each([
    ['./ci/all.sh', 'Install test dependencies'],
    ['./ci/all.sh', 'Upload test results'],
    ['./ci/all.sh', 'Install clippy + rustfmt'],
    ['./ci/all.sh', ''],
    ['make fuzz', 'Run tests'],
    ['cargo xtask publish', 'Run tests'],
    ['make -n all', 'Run tests'],
    ['curl https://example.org', 'Run tests'],
    ['npm run whatever', 'Run tests'],
  ])('E7: given `%s`, when its step is called "%s", then nothing is claimed', (command, name) => {
    expect(by(command, name)).toBe(null);
  });

  it('E7: given a name for the step and none for the command, when CI runs it, then it is a check', () => {
    const step = { name: 'Build the compositor', run: 'CFLAGS=-Werror make nopch' };
    const files = { ...workflow(step), Makefile: 'nopch:\n\tninja\n', 'CMakeLists.txt': 'x' };
    expect(checks(files, ['a.cpp'])).toEqual(['build = CFLAGS=-Werror make nopch']);
  });
});

it('E7: given a task that installs one part, when CI runs it before a check of that part, then it is run', () => {
  const does = (run: string): string[] => {
    const Makefile = `install-front:\n\t${run}\nlint-front:\n\tyarn lint\n`;
    const steps = [{ run: 'make install-front' }, { run: 'make lint-front' }];
    const files: Files = { ...workflow(...steps), Makefile };
    const contract = discoverContract(Object.keys(files), (path) => files[path] ?? null);
    return contract.installs.map(({ command }) => command);
  };
  expect(does('yarn install --frozen-lockfile')).toEqual(['make install-front']);
  expect(does('cp -r front /usr/share')).toEqual([]);
});

it('E7: given a variable for one command, when a step sets it, then the command is run', () => {
  const files = { ...workflow({ run: 'RUST_LOG=debug cargo test' }), 'Cargo.toml': '[package]\n' };
  expect(checks(files)).toContain('test = RUST_LOG=debug cargo test');
});

it('E7: given a remark in a block of commands, when a guide is read, then it is no command', () => {
  const guide = '```sh\n# Download checkpatch.pl first\n# pytest tests\ngo test ./...\n```\n';
  expect(checks({ 'CONTRIBUTING.md': guide, 'go.mod': 'module x\n' })).toEqual(['test = go test ./...']);
});

describe('tasks of poe', () => {
  const pyproject = (tasks: string): Files => ({
    'pyproject.toml': `[project]\nname = "x"\n[tool.poe.tasks]\n${tasks}`,
    'uv.lock': '',
  });
  it('E7: given tasks with their options apart, when they are read, then uv finds poe', () => {
    const tasks = 'lint.help = "Lint"\nlint.sequence = [{ cmd = "ruff check" }]\ntest.cmd = "pytest"\n';
    expect(checks(pyproject(tasks))).toEqual(['lint = uv run poe lint', 'test = uv run poe test']);
  });

  it('E7: given a task that formats in place, when it ran, then nothing may differ', () => {
    const tasks = 'format.sequence = [{ cmd = "ruff check --fix" }, { cmd = "ruff format" }]\n';
    expect(checks(pyproject(tasks))).toEqual(['format = uv run poe format && git diff --exit-code']);
  });
});

describe('linters that come with CI', () => {
  const linted = (run: string, more: string[] = []): string[] =>
    checks({ ...workflow({ run }, { run: 'go test ./...' }), 'go.mod': 'module x\n' }, more);
  it('E7: given a linter that nothing of the project installs, when CI brings it, then it is no check', () => {
    expect(linted('semgrep scan --config ./.semgrep/own.yml')).toHaveLength(1);
    expect(linted('cargo deny check', ['deny.toml'])).toHaveLength(1);
    expect(linted('./lint.sh', ['lint.sh'])).toHaveLength(2);
  });

  it('E7: given a script that installs the product, when CI runs it, then it installs no dependency', () => {
    const files = {
      ...workflow({ run: 'make install && ./install --all\ngo test ./...' }),
      'go.mod': 'module x\n',
    };
    const { installs } = learnt(files, ['install', 'Makefile']);
    expect(installs.map(({ command }) => command).join()).not.toContain('./install');
  });
});

it.each([
  ['.pre-commit-config.yaml', 'pre-commit run --all-files'],
  ['prek.toml', 'prek run --all-files'],
  ['.trunk/trunk.yaml', 'trunk check'],
])('E7: given %s, when no task lints, then `%s` does', (file, command) => {
  expect(checks({}, [file])).toEqual([`lint = ${command}`]);
});

it('E7: given the action of fourmolu, when CI formats by it, then its command is the check', () => {
  const files = { ...workflow({ uses: 'haskell-actions/run-fourmolu@v13' }), 'a.cabal': 'name: a' };
  expect(checks(files)).toContain('format = fourmolu --mode check .');
});

describe('tasks of mise', () => {
  const mise = {
    'mise.toml':
      '[tasks.check]\ndepends = ["check:*"]\n[tasks."check:lint"]\nrun = "deno lint"\n' +
      '[tasks."check:fmt"]\nrun = "deno fmt --check"\n[tasks.build]\nrun = "tsc -p ."\n',
  };
  it('E7: given tasks, when nothing else is known, then they are the checks', () => {
    const found = checks(mise);
    for (const one of ['format = mise run check:fmt', 'build = mise run build']) expect(found).toContain(one);
    expect(learnt(mise).checks.map(({ source }) => source)).toContain('mise.toml:7');
  });

  it('E7: given a task that stands for others, when CI runs it, then it is what they are', () => {
    const files = { ...workflow({ run: 'mise run check' }), ...mise };
    expect(checks(files).join()).toContain('mise run check');
  });
});

describe('a formatter that writes', () => {
  const rust = { 'Cargo.toml': '[package]\n' };
  it.each([
    ["find src -name '*.h' | xargs clang-format-21 -i -style=file", []],
    ['make shfmt', ['Makefile']],
    ['clang-format-18 -i **/*.c', []],
    ['go fmt ./...', ['go.mod']],
  ])('E7: given `%s`, when CI runs it, then nothing may differ afterwards', (run, more) => {
    expect(checks({ ...workflow({ run }), ...rust }, more)).toContain(
      `format = ${run} && git diff --exit-code`,
    );
  });

  it.each(['eslint --fix .', 'own-function go fmt ./...', 'cargo test && cargo fmt', 'make release'])(
    'E7: given `%s`, when CI runs it, then it is no check of the format',
    (run) => {
      const found = checks({ ...workflow({ run }), Makefile: 'release:\n\ttrue\n' });
      expect(found.join()).not.toMatch(/format = (?:eslint|own-function)/);
      expect(found.join()).not.toContain('make release && git');
    },
  );

  it.each(['./scripts/format', './gradlew format', 'make fmt'])(
    'E7: given a guide that asks for `%s`, when it ran, then nothing may differ',
    (command) => {
      const guide = `\`\`\`sh\n${command}\n\`\`\`\n`;
      expect(checks({ 'CONTRIBUTING.md': guide }, ['Makefile'])).toEqual([
        `format = ${command} && git diff --exit-code`,
      ]);
    },
  );

  it('E7: given a script that is told to look, when CI runs it, then it is the check', () => {
    const run = 'python3 ./bin/format.py --check .';
    expect(checks({ ...workflow({ run }), 'bin/format.py': 'x' })).toContain(`format = ${run}`);
  });
});

it('E7: given scripts called test, lint and format, when no task is known, then they are the checks', () => {
  expect(checks({}, ['scripts/test', 'scripts/lint', 'scripts/format'])).toEqual([
    'lint = ./scripts/lint',
    'format = ./scripts/format && git diff --exit-code',
    'test = ./scripts/test',
  ]);
});

it('E7: given Automake without tests, when it is read, then `make check` proves nothing', () => {
  const files = { 'configure.ac': 'AC_INIT', 'Makefile.am': 'bin_PROGRAMS = a\n' };
  expect(checks(files, ['a.c'])).toEqual(['build = make']);
  expect(checks(files, ['a.c', 'tests/Makefile.am'])).toEqual(['test = make check', 'build = make']);
});

it('E7: given tests that tox runs through uvx, when checks run tox, then tox is installed', () => {
  const files = {
    ...workflow({ run: 'uvx --with tox-uv tox run' }, { run: 'tox run -e typing' }),
    'pyproject.toml': '[project]\nname = "x"\n',
  };
  expect(learnt(files).installs.map(({ command }) => command)).toEqual(['pip install tox']);
});

describe('E19: a task that passes whatever its checks say', () => {
  const scripts = (test: string): Files => ({
    'package.json': JSON.stringify({ scripts: { test } }),
    'package-lock.json': '{}',
  });
  it.each(['jest || true', 'jest; exit 0', 'eslint . && (jest || :)', 'jest || echo "some failed"'])(
    'E19: given `%s`, when it is read, then it is no check of tests',
    (body) => {
      expect(checks(scripts(body)).filter((one) => one.startsWith('test'))).toEqual([]);
    },
  );

  it.each([
    'jest',
    'rm -rf out || true; jest',
    'docker info || exit 0 && jest',
    'set -e; jest && echo done',
    'jest || (echo failed; exit 1)',
  ])('E19: given `%s`, when it is read, then it is a check', (body) => {
    expect(checks(scripts(body))).toContain('test = npm test');
  });

  it('E19: given a recipe whose failure make ignores, when it is read, then it is no check', () => {
    const made = (recipe: string): string[] => checks({ Makefile: `test:\n\t${recipe}\n` });
    expect(made('@pytest')).toEqual(['test = make test']);
    expect(made('-@pytest')).toEqual([]);
  });
});

describe('a project of Perl', () => {
  it.each([
    [{ 'Makefile.PL': 'x' }, 'test = make test', ['perl Makefile.PL', 'make']],
    [{ 'Build.PL': 'x' }, 'test = ./Build test', ['perl Build.PL', './Build']],
    [{ 'dist.ini': 'x' }, 'test = prove -lr t', undefined],
  ])('E7: given %o, then its own way of testing is taken', (files, test, before) => {
    const known = learnt(files, ['lib/A.pm', 't/a.t']);
    expect(known.ecosystems).toEqual(['perl']);
    expect(known.riskFlags).toEqual([]);
    expect(known.checks.map(({ name, command }) => `${name} = ${command}`)).toEqual([test]);
    expect(known.checks[0]?.before).toEqual(before);
  });
  it.each([
    ['prove -lr t', 'test'],
    ['prove -l t/one.t', null],
    ['perl Makefile.PL', 'prepare'],
    ['cpanm --installdeps .', 'install'],
    ['cpanm --installdeps --with-develop .', null],
    ['rake', 'test'],
    ['rake install', null],
    ['rake warning:error rdoc', null],
    ['make -v', null],
  ])('E7: `%s` is for %s', (command, purpose) => {
    expect(recogniseProgram(command, '', () => null)?.purpose ?? null).toBe(purpose);
  });
});

describe('a command of a guide that needs a Makefile', () => {
  const guide = { 'CONTRIBUTING.md': '```\nmake test\n```\n' };
  it('E7: is none where the repository has no Makefile, and nothing makes it', () => {
    expect(checks(guide)).toEqual([]);
    expect(checks({ ...guide, Makefile: 'all:\n\ttrue\n' })).toEqual(['test = make test']);
  });
  it('E7: is run after the command that makes it', () => {
    const after = (...before: string[]) => ({
      told: { 'CONTRIBUTING.md': ['```', ...before, 'make check', '```', ''].join('\n') },
      checks: [{ command: 'make check', before }],
    });
    for (const { told, checks: found } of [
      after('perl Makefile.PL', 'make'),
      after('sh autogen.sh', './configure', 'make'),
    ])
      expect(learnt(told).checks).toMatchObject(found);
  });
});

it.each([
  ['PATH="./bats/bin:$PATH" test/run', ['test = PATH="./bats/bin:$PATH" test/run']],
  ['PATH=$HOME/bin:$PATH test/run', []],
  ['PATH="$(pwd)/bin:$PATH" test/run', ['test = PATH="./bin:$PATH" test/run']],
])('E7: given %s, a longer PATH hides no test, and what is unknown does', (run, found) => {
  expect(checks(workflow({ run }), ['test/run'])).toEqual(found);
});

it('E7: given Bun beside the own package manager, then the own one installs and tests', () => {
  const job = (...steps: Step[]) => ({ 'runs-on': 'ubuntu-latest', steps });
  const jobs = {
    bun: job({ run: 'bun install' }, { run: 'bun test' }),
    node: job({ run: 'pnpm install --frozen-lockfile' }, { run: 'pnpm test' }),
  };
  const files = {
    '.github/workflows/ci.yml': JSON.stringify({ on: 'pull_request', jobs }),
    'package.json': '{"scripts":{"test":"vitest run"}}',
    'pnpm-lock.yaml': '',
  };
  expect(learnt(files).installs.map(({ command }) => command)).toEqual(['pnpm install --frozen-lockfile']);
  expect(checks(files)).toEqual(['test = pnpm test']);
});

it('E7: given an extension of PHP, then its tests run without questions, and a container’s are left out', () => {
  const files = {
    ...workflow({ run: 'bash ci/test_dockerized.sh 8.2' }),
    'config.m4': 'PHP_ARG_ENABLE(a, a)\n  PHP_NEW_EXTENSION(a, a.c, $ext_shared)\n',
    'ci/test_dockerized.sh': 'docker run php:$1 make test\n',
  };
  const found = learnt(files, ['a.c', 'tests/a.phpt']).checks;
  expect(found.map(({ before = [], command }) => [...before, command].join(' && '))).toEqual([
    'phpize && ./configure && make && NO_INTERACTION=1 REPORT_EXIT_STATUS=1 make test',
  ]);
});

it('E7: given tests under coverage in CI, then they run as CI runs them', () => {
  const files = {
    ...workflow({ run: 'coverage run -m unittest discover tests/' }),
    'pyproject.toml': '[tool.poetry]\nname = "a"\n',
    'a.py': '',
  };
  expect(checks(files, ['tests/test_a.py'])).toEqual(['test = coverage run -m unittest discover tests/']);
});

it.each<[string, Step[], string[]]>([
  ['rake alone', [{ uses: 'ruby/setup-ruby@v1' }, { run: 'rake test' }], []],
  ['a script', [{ uses: 'ruby/setup-ruby@v1' }, { run: 'script/test' }], ['bundle install']],
  ['bundler', [{ uses: 'ruby/setup-ruby@v1' }, { run: 'bundle exec rake test' }], ['bundle install']],
])('E7: given tests by %s in CI, then a Gemfile is installed only for bundler', (_, steps, installs) => {
  const files = { ...workflow(...steps), Gemfile: '', Rakefile: 'Rake::TestTask.new\n' };
  const contract = learnt(files, ['lib/a.rb', 'test/a_test.rb']);
  expect(contract.checks).toHaveLength(1);
  expect(contract.installs.map(({ command }) => command)).toEqual(installs);
});

it('E7: given tests by tox in CI, then a guide’s installation by uv is not needed', () => {
  const files = {
    ...workflow({ run: 'pip install tox' }, { run: 'tox' }),
    'tox.ini': '[testenv]\ncommands = pytest\n',
    'CONTRIBUTING.md': '```\nuv pip install -e .\n```\n',
  };
  expect(learnt(files).installs.map(({ command }) => command)).toEqual(['pip install tox']);
});

describe('tests that CMake builds only when it is asked', () => {
  const made = (option: string) =>
    learnt({ 'CMakeLists.txt': `project(x C)\n${option}\nenable_testing()\nadd_test(NAME a COMMAND a)\n` }, [
      'test/a.c',
    ]).checks.flatMap(({ before }) => before ?? []);
  it.each([
    ['option(X_BUILD_TESTS "Build all tests" OFF)', 'cmake -B build -DX_BUILD_TESTS=ON'],
    ['option(X_BUILD_TESTS "Build all tests" ON)', 'cmake -B build'],
    ['# option(X_BUILD_TESTS "Build all tests" OFF)', 'cmake -B build'],
    ['option(X_BUILD_TEST_DOCS "Build docs" OFF)', 'cmake -B build'],
    ['if(ENABLE_TESTS)\n  add_subdirectory(test)\nendif()', 'cmake -B build -DENABLE_TESTS=ON'],
    ['set(ENABLE_TESTS ON)\nif(ENABLE_TESTS)\nendif()', 'cmake -B build'],
    ['include(CTest)\nif(BUILD_TESTING)\nendif()', 'cmake -B build'],
  ])('E7: given %s, then they are asked for by `%s`', (option, configure) => {
    expect(new Set(made(option))).toEqual(new Set([configure, 'cmake --build build']));
  });
});
