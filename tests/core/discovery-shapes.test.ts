/** E7: shapes of repositories in which a check is easily missed, or one is found that runs nothing. */
import { describe, expect, it } from 'vitest';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';

type Files = Record<string, string>;
const learnt = (files: Files, more: string[] = []) => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(selectContractFiles(paths));
  return discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null));
};
const checks = (files: Files, more: string[] = []): string[] =>
  learnt(files, more).checks.map(({ name, command, dir }) =>
    dir === '' ? `${name} = ${command}` : `${name} = ${command} (in ${dir})`,
  );
const workflow = (steps: string, more = ''): Files => ({
  '.github/workflows/ci.yml': `name: CI\non: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n${more}    steps:\n${steps}`,
});

describe('a list of commands', () => {
  it('E7: begins with dashes in a Taskfile, which forgive nothing there', () => {
    const files = { 'Taskfile.yml': 'version: "3"\ntasks:\n  test:\n    cmds:\n      - go test ./...\n' };
    expect(checks(files)).toContain('test = task test');
  });

  it('E7: that make is told to forgive still checks nothing', () => {
    expect(checks({ Makefile: 'test:\n\t-pytest\n' })).toEqual([]);
  });
});

it('E7: a build file among tests is a fixture, also in a folder of Perl', () => {
  const files = { 'Makefile.PL': '', 't/swamp/CMakeLists.txt': 'project(a)\n', 'xt/a/CMakeLists.txt': '' };
  expect(checks(files, ['t/a.t', 'lib/A.pm'])).toEqual(['test = make test']);
});

it('E7: the one test program of a library in Lua runs in its folder, where nothing says another', () => {
  expect(checks({}, ['a.lua', 'test/test.lua'])).toEqual(['test = cd test && lua test.lua']);
  expect(checks({}, ['a.lua', 'test/a_test.lua'])).toEqual([]);
  const told = workflow('      - run: busted\n');
  expect(checks(told, ['a.lua', 'test/test.lua'])).toEqual(['test = busted']);
});

describe('ctest', () => {
  const cmake = (text: string): Files => ({ 'CMakeLists.txt': `project(a)\n${text}`, 'src/a.c': '' });

  it('E7: has nothing to run where tests are commented out', () => {
    const files = cmake('include(CTest)\n# if(BUILD_TESTING)\n#   add_subdirectory(Tests)\n# endif()\n');
    expect(checks(files, ['Tests/a.c'])).not.toContain('test = ctest --test-dir build');
  });

  it.each([
    ['registers them here', 'enable_testing()\nadd_test(NAME a COMMAND a)\n', []],
    ['takes in their folder', 'if(BUILD_TESTING)\n  add_subdirectory(tests)\nendif()\n', []],
    [
      'has a folder that builds them',
      'include(CTest)\nadd_subdirectory(src)\n',
      ['src/tests/CMakeLists.txt'],
    ],
  ])('E7: runs the tests where the project %s', (_, text, more) => {
    expect(checks(cmake(text), more)).toContain('test = ctest --test-dir build');
  });
});

it('E7: an environment of tox that is called as a version is one of its tests', () => {
  const files = {
    ...workflow(
      '      - run: tox run --notest -e ${{ matrix.py }}\n      - run: tox run --skip-pkg-install -e ${{ matrix.py }}\n',
      '    strategy:\n      matrix:\n        py: ["3.13", "3.12"]\n',
    ),
    'pyproject.toml': '[project]\nname = "a"\n',
  };
  expect(checks(files)).toEqual(['test = tox run -e 3.13']);
});

it('E7: what generates types checks none', () => {
  expect(checks({ justfile: 'gen-types:\n  cargo run -p gen -- types\n' })).toEqual([]);
});

describe('a workflow', () => {
  it('E7: that checks out into a folder has its commands at the root', () => {
    const steps =
      '      - uses: actions/checkout@v4\n        with:\n          path: ${{ env.GO }}/src/${{ github.repository }}\n      - run: go test ./...\n';
    const more =
      '    env:\n      GO: ${{ github.workspace }}\n    defaults:\n      run:\n        working-directory: ${{ env.GO }}/src/${{ github.repository }}\n';
    expect(checks({ ...workflow(steps, more), 'go.mod': 'module a\n' }, ['a_test.go'])).toContain(
      'test = go test ./...',
    );
  });

  it('E7: that goes into the folder of its checkout is at the root as well', () => {
    const steps =
      '      - uses: actions/checkout@v4\n        with:\n          path: own\n      - run: cd own/web && npm test\n';
    expect(checks({ ...workflow(steps), 'web/package.json': '{"scripts":{"test":"jest"}}' })).toContain(
      'test = npm test (in web)',
    );
  });

  it('E7: of continuous integration is not one of integration tests', () => {
    const text = workflow(
      '      - run: dotnet tool restore\n      - run: dotnet tool run dotnet-cake --target=Test\n',
    );
    const [file = '', says = ''] = Object.entries(text)[0] ?? [];
    const files = { [file]: says.replace('name: CI', 'name: Continuous Integration'), 'a.sln': '' };
    expect(learnt(files).installs.map(({ command }) => command)).toContain('dotnet tool restore');
    expect(checks(files)).toContain('test = dotnet tool run dotnet-cake --target=Test');
  });

  it('E7: runs aliases of cargo', () => {
    const files = {
      ...workflow('      - run: cargo lint\n      - run: cargo xtask docs\n'),
      '.cargo/config.toml':
        '[alias]\nlint = "clippy --workspace"\nxtask = ["run", "--package", "xtask", "--"]\n',
      'Cargo.toml': '[package]\n',
    };
    expect(checks(files)).toContain('lint = cargo lint');
  });

  it('E7: runs each step of a build program', () => {
    const files = {
      ...workflow('      - run: zig build test-a\n      - run: zig build test-b\n'),
      'build.zig': '',
    };
    expect(checks(files)).toEqual(
      expect.arrayContaining(['test = zig build test-a', 'zig test = zig build test-b']),
    );
  });
});

describe('a step', () => {
  it('E7: that names the folder of the workspace runs what lies there, from where it stands', () => {
    const steps =
      '      - run: ${{ github.workspace }}/scripts/test.sh\n        working-directory: packages/a\n';
    expect(checks(workflow(steps), ['scripts/test.sh', 'packages/a/pubspec.yaml'])).toEqual([
      'test = ../../scripts/test.sh (in packages/a)',
    ]);
  });

  it('E7: installs under a condition only what nothing else installs', () => {
    const steps =
      '      - run: |\n          npm ci\n          if test -d more; then\n            npm install --force\n          fi\n          npm test\n';
    const { installs } = learnt({ ...workflow(steps), 'package.json': '{"scripts":{"test":"jest"}}' });
    expect(installs.map(({ command }) => command)).toEqual(['npm ci']);
  });

  it('E7: of a language in a task of its name is plainer than a task of all', () => {
    const scripts = { test: 'npm run js:test && npm run e2e', 'js:test': 'jest', e2e: 'playwright test' };
    const files = {
      ...workflow('      - run: npm run js:test\n'),
      'package.json': JSON.stringify({ scripts }),
    };
    expect(checks(files)).toContain('test = npm run js:test');
  });
});

it('E7: an agent that is to wait for its person is sent nowhere else', () => {
  const says = (file: string): string[] =>
    learnt({
      [file]:
        '# Contributing\n\nNever open pull requests on the acme GitHub repository unless explicitly instructed.\n',
    })
      .rules.map(({ kind }) => kind)
      .filter((kind) => kind === 'elsewhere');
  expect(says('CLAUDE.md')).toEqual([]);
  expect(says('CONTRIBUTING.md')).toEqual(['elsewhere']);
});

describe('a language without a reader of its own', () => {
  it.each([
    ['Perl', { cpanfile: '' }, 'a.t', '      - run: prove -lr t\n', 'prove -lr t'],
    ['Crystal', { 'shard.yml': '' }, 'a.cr', '      - run: crystal spec\n', 'crystal spec'],
    ['Nim', { 'a.nimble': '' }, 'a.nim', '      - run: nimble test\n', 'nimble test'],
    [
      'Julia',
      { 'Project.toml': '' },
      'a.jl',
      '      - uses: julia-actions/julia-runtest@v1\n',
      "julia --project=. -e 'using Pkg; Pkg.test()'",
    ],
    [
      'OCaml',
      { 'dune-project': '' },
      'a.ml',
      '      - run: opam exec -- dune runtest\n',
      'opam exec -- dune runtest',
    ],
  ] as const)('E7: %s is tested as its workflow says', (_, files, source, steps, command) => {
    expect(checks({ ...files, ...workflow(steps) }, [source])).toContain(`test = ${command}`);
  });

  it('E7: R is tested and formatted as its guide says, and not file by file', () => {
    const guide =
      '```\n# all\nRscript -e "devtools::test()"\n\nRscript -e "devtools::test(filter = \'^{name}\')"\n\nair format .\n```\n';
    expect(checks({ DESCRIPTION: '', 'CONTRIBUTING.md': guide }, ['R/a.R'])).toEqual([
      'format = air format --check .',
      'test = Rscript -e "devtools::test()"',
    ]);
  });
});

it('E7: a guide names the folder of a command behind it', () => {
  const files = {
    'CONTRIBUTING.md': 'Tests pass: `npm test` (in `web/`) and `cargo test`\n',
    'Cargo.toml': '[package]\n',
    'web/package.json': '{"scripts":{"test":"jest"}}',
  };
  expect(checks(files, ['web/package-lock.json'])).toEqual(
    expect.arrayContaining(['test = cargo test', 'web test = npm test (in web)']),
  );
});

it('E7: a task of the root that is called after a folder stands for a guess there', () => {
  const files = {
    ...workflow('      - run: deno task lint:web\n'),
    'deno.json': '{"tasks":{"lint:web":"cd web && deno lint"}}',
    'web/deno.json': '{}',
  };
  expect(checks(files, ['web/deno.lock'])).not.toContain('web lint = deno lint (in web)');
});

it('E7: mypy looks at what a script of the repository has it look at', () => {
  const files = {
    'pyproject.toml': '[project]\n[tool.mypy]\nstrict = true\n',
    'scripts/lint.sh': 'set -e\nmypy acme\n',
  };
  expect(checks(files)).toContain('types = mypy acme');
});

it('E7: types that nobody checks are not checked where workflows lint and test', () => {
  const pyproject = '[project]\nname = "a"\n[tool.pyright]\nstrict = ["a"]\n';
  const files = (...steps: string[]): Files => ({
    ...workflow(steps.map((one) => `      - run: ${one}\n`).join('')),
    'pyproject.toml': pyproject,
  });
  expect(checks(files('ruff check .', 'pytest')).join()).not.toContain('pyright');
  expect(checks(files('pytest')).join()).toContain('types = pyright');
});

describe('what must be there before a command can judge', () => {
  const job = (...steps: string[]): string =>
    `on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${steps.map((s) => `      - run: ${s}\n`).join('')}`;
  const commands = (files: Readonly<Record<string, string>>): string[] =>
    learnt(files).checks.map(
      ({ name, before = [], command }) => `${name}: ${[...before, command].join(' && ')}`,
    );

  it('E7: make without a file of its own runs behind what writes one, or not at all', () => {
    const perl = { 'Makefile.PL': 'use ExtUtils::MakeMaker;', 't/a.t': '', 'lib/A.pm': '' };
    expect(commands({ ...perl, '.github/workflows/ci.yml': job('cpanm Module::Name', 'make test') })).toEqual(
      ['test: perl Makefile.PL && make && make test'],
    );
    const c = { 'CMakeLists.txt': 'project(a C)\n', 'a.c': '', 'scripts/run-tests.py': '' };
    const configure = "CFLAGS='-O2 -Werror' cmake -G 'Unix Makefiles' .";
    expect(
      commands({
        ...c,
        '.github/workflows/ci.yml': job(configure, 'make', 'python3 ./scripts/run-tests.py'),
      }),
    ).toContain(`test: ${configure} && make && python3 ./scripts/run-tests.py`);
    expect(commands({ Makefile: 'test:\n\tcc a.c\n', '.github/workflows/ci.yml': job('make test') })).toEqual(
      ['test: make test'],
    );
  });

  it('E7: make in the folder of tests tests', () => {
    const files = { 'tests/Makefile': 'all:\n\tcc a.c\n', 'a.h': '', 'doc/Makefile': 'all:\n\tasciidoc a\n' };
    expect(commands({ ...files, '.github/workflows/ci.yml': job('make -C tests', 'make -C doc') })).toContain(
      'test: make -C tests',
    );
  });

  it('E7: bundler starts nothing where there is no Gemfile', () => {
    const files = { 'a.gemspec': '', Rakefile: 'Rake::TestTask.new\n', 'lib/a.rb': '', 'test/test_a.rb': '' };
    expect(commands(files)).toEqual(['test: rake test']);
    expect(commands({ ...files, Gemfile: '' })).toEqual(['test: bundle exec rake test']);
  });

  it.each<[Readonly<Record<string, string>>, string]>([
    [{ 'noxfile.py': '@nox.session\ndef tests(session):\n  session.run("pytest")\n', 'a.py': '' }, 'nox'],
    [{ '.busted': '', 'a.lua': '' }, 'busted'],
    [{ test_runner: '#!/bin/sh\n', a: '' }, './test_runner'],
    [{ 'run-tests.sh': '#!/bin/sh\n', 'a.sh': '' }, './run-tests.sh'],
  ])('E7: without workflows, tests are run by what the repository brings: %j', (files, command) => {
    expect(commands(files).join('\n')).toContain(command);
  });

  it('E7: a linter that workflows run is not guessed beside it', () => {
    const files = { '.luacheckrc': '', 'a.lua': '', 'a-1.rockspec': '', 'spec/a_spec.lua': '' };
    const found = commands({ ...files, '.github/workflows/ci.yml': job('luacheck a.lua', 'busted') });
    expect(found.filter((one) => one.includes('luacheck'))).toEqual(['lint: luacheck a.lua']);
  });

  it('E7: a crate whose tests stand in its sources is not called untested', () => {
    const files = { 'Cargo.toml': '[package]\nname = "a"\n', 'src/lib.rs': '' };
    expect(learnt(files).riskFlags).not.toContain('no tests were found');
  });
});
