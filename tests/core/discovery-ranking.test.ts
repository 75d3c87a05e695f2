/**
 * E7: of all that workflows, manifests and guides say, one ranking chooses what a change must pass.
 */
import { describe, expect, it } from 'vitest';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';

type Files = Record<string, string>;
const checks = (files: Files, more: string[] = []): string[] => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(selectContractFiles(paths));
  const read = (path: string): string | null => (wanted.has(path) ? (files[path] ?? null) : null);
  return discoverContract(paths, read).checks.map(({ name, command }) => `${name} = ${command}`);
};
const workflow = (steps: string, job = ''): Files => ({
  '.github/workflows/ci.yml': `name: CI\non: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n${job}    steps:\n${steps}`,
});
const script = (scripts: Files): string => JSON.stringify({ scripts });

describe('the ranking', () => {
  it('E7: prefers the task of a workflow to a stranger task of the manifest', () => {
    const Makefile = 'test-%:\n\tcargo test ${_FEATURES}\ncheck-wasm:\n\tcargo check\n';
    const files = { ...workflow('      - run: make test-default\n'), Makefile, 'Cargo.toml': '[package]\n' };
    expect(checks(files)).toContain('test = make test-default');
  });

  it('E7: prefers the plain task of the manifest to part of it in a workflow', () => {
    const files = {
      ...workflow('      - run: npm run test:browser\n      - run: npm run lint:docs\n'),
      'package.json': script({ test: 'jest', 'test:browser': 'karma', lint: 'eslint .', 'lint:docs': 'x' }),
    };
    expect(checks(files)).toEqual(['lint = npm run lint', 'test = npm test']);
  });

  it('E7: puts the language of most files first, whose tests are the tests', () => {
    const files = { 'package.json': script({ docs: 'x' }), 'go.mod': 'module x\n', 'a.go': '', 'b.go': '' };
    expect(discoverContract(Object.keys(files), (p) => (files as Files)[p] ?? null).ecosystems[0]).toBe('go');
  });

  it('E7: takes a package for Swift for one only where there is Swift', () => {
    const files = { 'Package.swift': 'x', 'CMakeLists.txt': 'enable_testing()' };
    expect(checks(files, ['src/a.cpp'])).toEqual([
      'test = ctest --test-dir build',
      'build = cmake --build build',
    ]);
    expect(checks({ 'Package.swift': 'x' }, ['Sources/A/a.swift'])).toEqual(['build = swift build']);
  });

  it('E7: leaves out what nothing of the project installs, such as spelling and licences', () => {
    const steps =
      '      - uses: crate-ci/typos@v1\n      - run: cargo deny check\n      - run: cargo clippy\n';
    expect(checks({ ...workflow(steps), 'Cargo.toml': '[package]\n' })).toContain('lint = cargo clippy');
    expect(checks({ ...workflow(steps), 'Cargo.toml': '[package]\n' }).join()).not.toMatch(/typos|deny/);
  });
});

describe('a task that is given a project', () => {
  const called = {
    '.github/workflows/one.yml':
      'on: { workflow_call: { inputs: { plugin: { type: string } } } }\njobs:\n  t:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pip install -U uv\n      - run: make plugin=${{ inputs.plugin }} install-deps\n      - run: make plugin=${{ inputs.plugin }} test\n',
    Makefile: 'install-deps:\n\tcd $(plugin) && pip install .\ntest:\n\tcd $(plugin) && pytest\n',
    'web/pyproject.toml': '[project]\n',
    'api/pyproject.toml': '[project]\n',
  };
  const call = (plugin: string): Files => ({
    [`.github/workflows/ci-${plugin}.yml`]: `on: { pull_request: { paths: ['${plugin}/**'] } }\njobs:\n  t:\n    uses: ./.github/workflows/one.yml\n    with: { plugin: ${plugin} }\n`,
  });
  it('E7: is that of the project, with its own installation and filter', () => {
    const files: Files = { ...called, ...call('web'), ...call('api') };
    const paths = Object.keys(files);
    const { checks: all, installs } = discoverContract(paths, (path) => files[path] ?? null);
    expect(all.map(({ command, filters }) => [command, filters])).toEqual([
      ['make plugin=api test', [{ only: ['api/**'] }]],
      ['make plugin=web test', [{ only: ['web/**'] }]],
    ]);
    expect(installs.map(({ command }) => command)).toEqual([
      'make plugin=api install-deps',
      'make plugin=web install-deps',
    ]);
  });

  it('E7: is one task where the value is no project of the repository', () => {
    const files = { ...called, ...workflow('      - run: make V=1 test\n      - run: make V=2 test\n') };
    expect(checks(files)).toEqual(['test = make V=1 test']);
  });
});

it('E7: rows of a matrix that test the same install the packages of one row', () => {
  const rows =
    '    strategy:\n      matrix:\n        include:\n          - { np: 1.24 }\n          - { np: 2.2 }\n';
  const steps = '      - run: pip install pytest numpy==${{ matrix.np }}\n      - run: pytest\n';
  const files: Files = { ...workflow(steps, rows), 'a.py': '' };
  const { installs } = discoverContract([...Object.keys(files)], (path) => files[path] ?? null);
  expect(installs.filter(({ command }) => command.includes('numpy')).length).toBe(1);
  expect(installs.map(({ command }) => command).join()).not.toContain('matrix');
});

describe('which of several tests', () => {
  it('E7: prefers what leaves a few out to what picks a few', () => {
    const steps =
      '      - run: vendor/bin/phpunit --group cache\n      - run: vendor/bin/phpunit --exclude-group cache,slow\n';
    const files = { ...workflow(steps), 'composer.json': '{"require-dev":{"phpunit/phpunit":"*"}}' };
    expect(checks(files, ['phpunit.xml'])).toContain('test = vendor/bin/phpunit --exclude-group cache,slow');
  });

  it.each([
    ['php -c php.ini vendor/bin/phpunit --group cache', 'php -c php.ini vendor/bin/phpunit', 'composer.json'],
    ['./gradlew testNpm', './gradlew build -x spotlessCheck -Pplain=true', 'build.gradle'],
    ['./gradlew :plugin:build', './gradlew build -x lint', 'build.gradle'],
  ])('E7: prefers all tests to `%s`', (part, all, manifest) => {
    const files = { ...workflow(`      - run: ${part}\n      - run: ${all}\n`), [manifest]: '{}' };
    expect(checks(files, ['gradlew', 'phpunit.xml'])).toEqual([`test = ${all}`]);
    const alone = { ...workflow(`      - run: ${part}\n`), [manifest]: '{}' };
    const usual = manifest === 'composer.json' ? 'vendor/bin/phpunit' : part;
    expect(checks(alone, ['gradlew', 'phpunit.xml'])).toEqual([`test = ${usual}`]);
  });

  it('E7: what writes the expected output into its files checks nothing, and a release is built whole', () => {
    const steps =
      '      - run: dune build @man --auto-promote\n      - run: dune build -p a,b\n      - run: dune test --auto-promote\n      - run: dune test\n';
    const files = { ...workflow(steps), 'dune-project': '', 'a.ml': '' };
    expect(checks(files)).toEqual(['test = dune test', 'build = dune build -p a,b']);
  });

  it('E7: an environment of tox that is called by its version runs the tests', () => {
    const files = { ...workflow('      - run: tox -e "3.14-unit"\n'), Makefile: 'test:\n\tpytest\n' };
    const python = { ...files, 'pyproject.toml': '[project]\n', 'tox.ini': '[tox]\n' };
    expect(checks(python)).toEqual(['test = tox -e "3.14-unit"']);
    const part = { ...python, ...workflow('      - run: tox -e "3.14-docs-examples"\n') };
    expect(checks(part).join()).not.toContain('3.14-docs');
  });
});

it('E7: a script of another environment of hatch is run there', () => {
  const text = '[tool.hatch.envs.test.scripts]\ndefault = "pytest {args}"\n';
  expect(checks({ 'pyproject.toml': `[project]\n${text}` })).toContain('test = hatch run test:default');
  const usual = '[tool.hatch.envs.default.scripts]\nlint = "ruff check"\n';
  expect(checks({ 'pyproject.toml': `[project]\n${usual}` })).toContain('lint = hatch run lint');
});

describe('what workflows and guides say that is no check', () => {
  const go = { 'go.mod': 'module x\n' };
  it.each([
    ['makes ready what would run', ['tox run -vv --notest -e py'], { 'pyproject.toml': '[tool.pytest]\n' }],
    ['is run in a container of its own', ['./assets/docker/test.sh alpine', 'go test ./... -race'], go],
    [
      'looks at one file',
      ['vendor/bin/phpunit tests/One.php', 'vendor/bin/phpunit'],
      { 'composer.json': '{}' },
    ],
    ['is a function of a sourced script', ['. ./setenv && build -DDEBUG=ON', 'go test ./...'], go],
  ])('E7: a command that %s', (_, commands, manifest) => {
    const steps = commands.map((c) => `      - run: ${c}\n`).join('');
    expect(checks({ ...workflow(steps), ...manifest }, ['a.py', 'a.go', 'a.php']).join()).not.toMatch(
      /notest|docker|One\.php|-DDEBUG/,
    );
  });

  it('E7: a build or test of a folder that nothing configures first', () => {
    const steps = '      - run: cmake --build build\n      - run: ctest --test-dir build -j 4\n';
    expect(checks({ ...workflow(steps), 'CMakeLists.txt': 'enable_testing()' }, ['a.cpp'])).toContain(
      'test = ctest --test-dir build',
    );
  });

  it('E7: the starter workflow of the code host for Python tests, whatever its name', () => {
    const said = workflow('      - run: tox --verbose\n')['.github/workflows/ci.yml'] ?? '';
    const files = { '.github/workflows/python-package.yml': said, 'tox.ini': '[tox]\n' };
    expect(checks(files)).toEqual(['test = tox --verbose']);
  });

  it('E7: a solution of C++ alone is none of .NET', () => {
    const line = (file: string): string => `Project("{1}") = "a", "${file}", "{2}"\n`;
    expect(checks({ 'a.sln': line('a.vcxproj') })).toEqual([]);
    expect(checks({ 'a.sln': line('a.csproj') })).toContain('test = dotnet test');
  });

  it('E7: a build folder in a guide, which a command alone does not configure', () => {
    const CONTRIBUTING = '```sh\nmkdir build\ncd build\ncmake ..\ncmake --build .\nctest\n```\n';
    const files = { 'CONTRIBUTING.md': CONTRIBUTING, 'CMakeLists.txt': 'enable_testing()' };
    expect(checks(files, ['a.c'])).toContain('test = ctest --test-dir build');
  });

  it('E7: a command that is to fail, or that goes into an archive that was unpacked', () => {
    const steps = '      - run: "! bin/bats test/failing.bats"\n      - run: bin/bats test\n';
    expect(checks(workflow(steps), ['test/a.bats'])).toEqual(['test = bin/bats test']);
    const archive = '      - run: |\n          tar xf a-1.2.tgz\n          cd a-1.2\n          make check\n';
    expect(checks({ ...workflow(archive), Makefile: 'check:\n\t./t\n' }).join()).not.toContain('a-1.2');
  });

  it('E7: a static library, a script that an underscore takes out of use, and reports of coverage', () => {
    expect(checks({ Makefile: 'static: a.o\ntest:\n\t./t\n' })).toEqual(['test = make test']);
    expect(checks({ 'package.json': script({ _prepublish: 'tsc', test: 'jest' }) })).toEqual([
      'test = npm test',
    ]);
    const upload = workflow('      - run: mix coveralls.github\n');
    expect(checks({ ...upload, 'mix.exs': 'x' }, ['test/a_test.exs'])).toContain('test = mix test');
  });

  it('E7: a file in a guide that is not in the repository', () => {
    const files = { 'CONTRIBUTING.md': '```sh\nisort m_module.py --diff\n```\n', 'setup.py': '' };
    expect(checks(files).join()).not.toContain('m_module');
    expect(checks(files, ['m_module.py']).join()).toContain('m_module');
  });
});

describe('what rewrites files', () => {
  it.each([
    ['an option on the line', workflow('      - run: npm run lint --fix\n'), script({ lint: 'eslint .' })],
    [
      'a script that fixes',
      workflow('      - run: npm test\n'),
      script({ lint: 'eslint --fix .', test: 'jest' }),
    ],
  ])('E7: is no check: %s', (_, files, manifest) => {
    expect(checks({ ...files, 'package.json': manifest }).join()).not.toMatch(/--fix|run lint --/);
  });

  it.each(['php-cs-fixer fix', 'black .', 'cargo fmt', 'ruff format', 'gofumpt -w .'])(
    'E7: is no check: a target that runs %s',
    (does) => {
      expect(checks({ Makefile: `lint:\n\t${does}\ntest:\n\t./t\n` })).toEqual(['test = make test']);
      expect(checks({ Makefile: `lint:\n\t${does} --check\ntest:\n\t./t\n` })[0]).toMatch(/make lint/);
    },
  );
});

describe('steps of a workflow', () => {
  it('E7: run tox as a variable of the step says, also one object of the matrix', () => {
    const matrix = '    strategy:\n      matrix:\n        include:\n';
    const rows = ['pylint', 'mypy', 'py'].map((e) => `        - env:\n            TOXENV: ${e}\n`).join('');
    const steps = '      - run: uvx --with tox-uv tox\n        env: ${{ matrix.env }}\n';
    expect(checks({ ...workflow(steps, matrix + rows), 'tox.ini': '[tox]\n' })).toEqual([
      'lint = uvx --with tox-uv tox -e pylint',
      'types = uvx --with tox-uv tox -e mypy',
      'test = uvx --with tox-uv tox -e py',
    ]);
    const toxed = '      - run: pip install -U tox\n      - run: tox\n';
    const found = { ...workflow(toxed, '    env:\n      TOXENV: py\n'), 'tox.ini': '[tox]\n' };
    const { installs } = discoverContract(Object.keys(found), (p) => (found as Files)[p] ?? null);
    expect(installs.map(({ command }) => command).join()).not.toContain('-e py');
    const named = '      - run: nox\n        env:\n          NOXSESSION: tests\n';
    expect(checks({ ...workflow(named), 'noxfile.py': '' })).toEqual(['test = nox -s tests']);
  });

  it('E7: are read in actions that try a script again', () => {
    const steps =
      '      - uses: nick-fields/retry@v4\n        with:\n          command: cargo test --workspace\n';
    expect(checks({ ...workflow(steps), 'Cargo.toml': '[package]\n' })).toContain(
      'test = cargo test --workspace',
    );
  });

  it('E7: are not ours once the code of somebody else is there', () => {
    const theirs = '      - uses: actions/checkout@v4\n        with:\n          repository: rails/turbo\n';
    const files = { Rakefile: 'Rake::TestTask.new\ntask :test', Gemfile: '', 'lib/a.rb': '' };
    const found = checks({ ...workflow(`${theirs}      - run: bin/test all\n`), ...files });
    expect(found).toEqual(['test = bundle exec rake test']);
    const beside = theirs + '          path: fixtures\n';
    expect(checks({ ...workflow(`${beside}      - run: bundle exec rake spec\n`), ...files })).toEqual([
      'test = bundle exec rake spec',
    ]);
  });

  it.each([
    ['make install', { Makefile: 'install:\n\tcp a /usr/bin\n' }, []],
    ['make install', { Makefile: 'install:\n\tpip install -r requirements.txt\n' }, ['make install']],
    ['pnpm playwright install chromium', { 'package.json': script({ test: 'x' }) }, []],
  ])(
    'E7: install what the project needs, not the project or a browser: %s',
    (command, files: Files, expected) => {
      const all: Files = { ...workflow(`      - run: ${command}\n      - run: make test\n`), ...files };
      const { installs } = discoverContract(Object.keys(all), (p) => all[p] ?? null);
      expect(installs.map((i) => i.command)).toEqual(expected);
    },
  );
});

describe('what is no test', () => {
  it.each([
    ['mvn -v', []],
    ['mvn -B -ntp', ['test = mvn -B -ntp']],
    ['vendor/bin/phpunit --check-php-configuration', []],
    ['./mvnw artifact:check-buildplan', []],
    ['pnpm i -D typescript', []],
  ])('E7: %s', (command, expected) => {
    expect(checks(workflow(`      - run: ${command}\n`))).toEqual(expected);
  });

  it('E7: is guessed of no language that the workflows leave alone in a folder that they test', () => {
    const files = { 'Cargo.toml': '[package]\n', 'pyproject.toml': '[project]\n', 'pytest.ini': '' };
    const more = ['src/a.rs', 'src/b.rs', 'tests/test_a.py'];
    expect(checks({ ...workflow('      - run: cargo test\n'), ...files }, more).join()).not.toMatch(/pytest/);
    expect(checks(files, more).join()).toMatch(/cargo test.*pytest/);
  });
});
