/**
 * E7: what installs and checks a repository, read from its workflows first, then from its
 * manifests.
 */
import { describe, expect, it } from 'vitest';
import { Contract, formatCheckCommand } from '#model/contract';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';

type Files = Record<string, string>;
const learn = (files: Files, more: string[] = []): Contract => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(selectContractFiles(paths));
  // What is not asked for is not read.
  return Contract.parse(discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null)));
};
const said = ({ command, dir }: { command: string; dir: string }): string =>
  dir ? `${dir}: ${command}` : command;
const installs = (c: Contract): string[] => c.installs.map(said);
const checks = (c: Contract): string[] => c.checks.map((k) => `${k.name} = ${said(k)}`);
const script = (scripts: Files, more: object = {}): string => JSON.stringify({ scripts, ...more });
const needs = { devDependencies: { a: '1' } };

/** A workflow that runs for every pull request, of one job with these steps. */
const workflow = (steps: string, job = ''): string =>
  `name: CI\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n${job}    steps:\n${steps}`;
const runs = (...commands: string[]): Files => ({
  '.github/workflows/ci.yml': workflow(commands.map((c) => `      - run: ${c}\n`).join('')),
});

describe('the manifests of a repository without workflows', () => {
  const rows: [string, Files, string[], string[]][] = [
    [
      'npm',
      {
        'package.json': script({ lint: 'eslint .', tsc: 'tsc --noEmit', test: 'vitest' }, needs),
        'package-lock.json': '',
      },
      ['npm ci'],
      ['lint = npm run lint', 'types = npm run tsc', 'test = npm test'],
    ],
    [
      'npm without a lockfile',
      { 'package.json': script({ test: 'jest' }, needs) },
      ['npm install'],
      ['test = npm test'],
    ],
    [
      'pnpm',
      {
        'package.json': script({ 'format:check': 'prettier --check .', build: 'tsup' }, needs),
        'pnpm-lock.yaml': '',
      },
      ['pnpm install --frozen-lockfile'],
      ['format = pnpm format:check', 'build = pnpm build'],
    ],
    [
      'modern yarn, before a lockfile of others',
      {
        'package.json': script({ test: 'x' }, { ...needs, packageManager: 'yarn@4.1.0' }),
        'yarn.lock': '',
        'package-lock.json': '',
      },
      ['yarn install --immutable'],
      ['test = yarn test'],
    ],
    [
      'bun',
      { 'package.json': script({ test: 'bun test' }, needs), 'bun.lock': '' },
      ['bun install --frozen-lockfile'],
      ['test = bun run test'],
    ],
    [
      'deno',
      { 'deno.json': '{"tasks":{"test":"deno test -A"}}' },
      [],
      ['lint = deno lint', 'format = deno fmt --check', 'test = deno task test'],
    ],
    [
      'uv',
      {
        'pyproject.toml':
          '[project]\nname = "a"\n[dependency-groups]\ndev = ["pytest"]\n[tool.ruff]\n[tool.mypy]\nfiles = ["a"]\n',
        'uv.lock': '',
      },
      ['uv sync'],
      ['lint = uv run ruff check', 'types = uv run mypy', 'test = uv run pytest'],
    ],
    [
      'poetry',
      { 'pyproject.toml': '[tool.poetry]\n[tool.pytest.ini_options]', 'poetry.lock': '' },
      ['poetry install'],
      ['test = poetry run pytest'],
    ],
    [
      'pdm',
      { 'pyproject.toml': '[project]\n[tool.pytest.ini_options]', 'pdm.lock': '' },
      ['pdm install'],
      ['test = pdm run pytest'],
    ],
    [
      'pipenv',
      { Pipfile: '[dev-packages]\npytest = "*"' },
      ['pipenv install --dev'],
      ['test = pipenv run pytest'],
    ],
    [
      'tox',
      { 'setup.py': 'setup(name="a")', 'tox.ini': '[testenv]\ncommands = x' },
      ['pip install tox'],
      ['test = tox'],
    ],
    ['nox', { 'setup.py': 'setup(name="a")', 'noxfile.py': '' }, ['pip install nox'], ['test = nox']],
    [
      'extras and requirements that say something',
      {
        'pyproject.toml': '[project]\n[project.optional-dependencies]\ntest = ["pytest"]\n',
        'requirements.txt': 'flask\n',
        'requirements-dev.txt': '# nothing\n',
      },
      ["pip install -r requirements.txt -e '.[test]'"],
      ['test = pytest'],
    ],
    [
      'unittest',
      { 'setup.cfg': '', 'tests/test_a.py': '' },
      [],
      ['test = python3 -m unittest discover -s tests'],
    ],
    [
      'Go',
      { 'go.mod': 'module x\n\nrequire (\n a v1\n)\n', '.golangci.yml': '' },
      ['go mod download'],
      ['lint = golangci-lint run', 'test = go test ./...'],
    ],
    [
      'Rust',
      { 'Cargo.toml': '[package]\n', 'rustfmt.toml': '', 'clippy.toml': '' },
      [],
      [
        'lint = cargo clippy --all-targets',
        'format = cargo fmt --all -- --check',
        'test = cargo test',
        'build = cargo build',
      ],
    ],
    [
      'Maven',
      { 'pom.xml': '<artifactId>spotless-maven-plugin</artifactId>', mvnw: '' },
      [],
      ['format = ./mvnw spotless:check', 'test = ./mvnw test'],
    ],
    [
      'Gradle',
      { 'build.gradle.kts': 'plugins { id("com.diffplug.spotless") }', gradlew: '' },
      [],
      ['format = ./gradlew spotlessCheck', 'test = ./gradlew test'],
    ],
    [
      'Ruby',
      { Gemfile: 'gem "rspec"', '.rubocop.yml': '', 'lib/a.rb': '', 'spec/a_spec.rb': '' },
      ['bundle install'],
      ['lint = bundle exec rubocop', 'test = bundle exec rspec'],
    ],
    [
      'PHP',
      { 'composer.json': '{"scripts":{"test":"phpunit"}}', 'phpstan.neon': '' },
      ['composer install'],
      ['types = vendor/bin/phpstan analyse', 'test = composer test'],
    ],
    [
      'Elixir',
      { 'mix.exs': '{:credo, "~> 1.7"}', '.formatter.exs': '' },
      ['mix deps.get'],
      ['lint = mix credo', 'format = mix format --check-formatted', 'test = mix test'],
    ],
    ['.NET', { 'App.sln': '' }, [], ['test = dotnet test', 'build = dotnet build']],
    ['Swift', { 'Package.swift': '', 'Tests/a.swift': '' }, [], ['test = swift test', 'build = swift build']],
    ['Zig', { 'build.zig': 'b.step("test", "")' }, [], ['test = zig build test', 'build = zig build']],
    ['Haskell', { 'a.cabal': '', 'cabal.project': '' }, [], ['test = cabal test', 'build = cabal build']],
    [
      'CMake',
      { 'CMakeLists.txt': 'enable_testing()', 'a.c': '' },
      [],
      ['test = ctest --test-dir build', 'build = cmake --build build'],
    ],
    [
      'autotools',
      { 'configure.ac': '', 'a.c': '', 'tests/Makefile.am': '' },
      [],
      ['test = make check', 'build = make'],
    ],
    [
      'meson',
      { 'meson.build': "test('unit', exe)\n", 'a.c': '' },
      [],
      ['test = meson test -C build', 'build = meson compile -C build'],
    ],
    [
      'make',
      { Makefile: 'CC := x\ntest: all\n\t./t\ncheck: test\nlint:\n\tx\n' },
      [],
      ['lint = make lint', 'test = make test'],
    ],
    [
      'just',
      { justfile: 'test:\n  ./t\nfmt-check:\n  ./f\n' },
      [],
      ['format = just fmt-check', 'test = just test'],
    ],
    ['Task', { 'Taskfile.yml': 'tasks:\n  test:\n    cmd: ./t\n' }, [], ['test = task test']],
    ['pre-commit', { '.pre-commit-config.yaml': '' }, [], ['lint = pre-commit run --all-files']],
  ];
  it.each(rows)('E7: %s', (_, files, install, check) => {
    const c = learn(files);
    expect(checks(c)).toEqual(check);
    expect(installs(c)).toEqual(install);
  });

  it('E7: names the file and the line of what it says', () => {
    const c = learn({
      'package.json': '{\n "scripts": {\n  "lint": "eslint .",\n  "test": "vitest"\n }\n}',
      Makefile: 'a:\n\nfmt-check:\n\tx\n',
    });
    expect(c.checks.map((k) => k.source)).toEqual(['package.json:3', 'Makefile:3', 'package.json:4']);
  });

  it('E7: takes no placeholder and nothing that goes out for a check, and fixers only to see what they would change', () => {
    const test = 'echo "Error: no test specified" && exit 1';
    const c = learn({
      'package.json': script({
        test,
        lint: 'eslint --fix .',
        format: 'prettier --write .',
        deploy: 'x',
        'test:e2e': 'x',
      }),
    });
    expect(checks(c)).toEqual([
      'lint = npm run lint && git diff --exit-code',
      'format = npm run format && git diff --exit-code',
    ]);
    expect(c.riskFlags).toContain('no check runs tests');
  });

  it('E7: survives manifests that are not what they should be', () => {
    for (const text of ['{', '[]', 'null', '{"scripts":["a"]}', '{"scripts":{"test":3},"dependencies":"x"}'])
      expect(checks(learn({ 'package.json': text }))).toEqual([]);
    expect(checks(learn({ 'package.json': '\uFEFF{"scripts":{"test":"x"}}' }))).toEqual(['test = npm test']);
  });

  it('E7: enters an environment of its own before plain pip, and before what uses it', () => {
    const c = learn({ 'requirements.txt': 'pytest\n', 'pytest.ini': '' });
    expect([...c.installs, ...c.checks].map(formatCheckCommand)).toEqual([
      'python3 -m venv .venv && . ./.venv/bin/activate && pip install -r requirements.txt',
      '. ./.venv/bin/activate && pytest',
    ]);
  });
});

describe('the workflows of a repository', () => {
  it('E7: say more than its manifests, with the line of each command', () => {
    const c = learn(
      {
        'go.mod': 'module x\nrequire a v1\n',
        '.github/workflows/ci.yml': workflow(
          '      - uses: actions/checkout@v4\n      - run: |\n          go mod download\n          # all of it\n          make test\n      - uses: golangci/golangci-lint-action@v6\n',
        ),
      },
      ['Makefile'],
    );
    expect(checks(c)).toEqual(['lint = golangci-lint run', 'test = make test']);
    expect(c.checks.map((k) => k.source)).toEqual([
      '.github/workflows/ci.yml:12',
      '.github/workflows/ci.yml:11',
    ]);
    expect(c.installs.map((k) => k.source)).toEqual(['.github/workflows/ci.yml:9']);
  });

  const rows: [string, string, string[]][] = [
    ['the project’s own invocation', 'mypy', ['types = mypy']],
    ['what only runs others', 'uv run --frozen pytest -n auto', ['test = uv run --frozen pytest -n auto']],
    [
      'an order of commands',
      'cargo build && cargo test --workspace',
      ['test = cargo test --workspace', 'build = cargo build'],
    ],
    ['a script by its name', './scripts/run-tests.sh', ['test = ./scripts/run-tests.sh']],
    ['output that goes elsewhere', 'go test ./... 2>&1 | tee out.txt', ['test = go test ./...']],
    ['nothing that publishes', 'npm publish', []],
    ['nothing that may fail', 'npm run lint || true', []],
    ['nothing with a secret', 'pytest --token=${{ secrets.TOKEN }}', []],
    ['nothing of the system', 'sudo apt-get install -y libfoo', []],
    ['nothing that nobody can type', 'cargo test -p "$(./name)"', []],
    ['nothing that only shows a version', 'mypy --version', []],
  ];
  it.each(rows)('E7: give %s', (_, command, expected) => {
    expect(checks(learn(runs(JSON.stringify(command))))).toEqual(expected);
  });

  it('E7: are put together with their folders, variables, matrix and defaults', () => {
    const c = learn(
      {
        'web/package.json': script({ check: 'tsc --noEmit', unit: 'vitest' }, needs),
        '.github/workflows/ci.yml': workflow(
          '      - run: npm run ${{ matrix.task }}\n      - run: cd ../api && pytest $ARGS\n      - run: ruff check\n        working-directory: api\n',
          '    strategy:\n      matrix:\n        os: [windows-latest, ubuntu-latest]\n        task: [check, unit]\n    defaults:\n      run:\n        working-directory: web\n    env:\n      ARGS: -x\n',
        ),
      },
      ['api/a.py'],
    );
    expect(checks(c)).toEqual([
      'lint = api: ruff check',
      'types = web: npm run check',
      'test = api: pytest -x',
      'web test = web: npm run unit',
    ]);
  });

  it('E7: are followed into the actions and workflows of the same repository, however often they call each other', () => {
    const c = learn({
      '.github/workflows/ci.yml':
        'on: pull_request\njobs:\n  a:\n    uses: ./.github/workflows/shared.yml\n    with:\n      task: unit\n',
      '.github/workflows/shared.yml':
        'on:\n  workflow_call:\n    inputs:\n      task: {type: string}\njobs:\n  b:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: ./.github/actions/go\n        with: {args: -race}\n      - run: make test-${{ inputs.task }}\n  c:\n    uses: ./.github/workflows/shared.yml\n',
      Makefile: 'test-unit:\n\tgo test ./...\n',
      '.github/actions/go/action.yml':
        'inputs:\n  args: {default: none}\nruns:\n  using: composite\n  steps:\n    - run: go vet ${{ inputs.args }} ./...\n      shell: bash\n    - uses: ./.github/actions/go\n',
    });
    expect(checks(c)).toEqual(['lint = go vet -race ./...', 'test = make test-unit']);
  });

  it('E7: count only where a pull request on Linux sets them going', () => {
    const job = (on: string, more = ''): Files => ({
      '.github/workflows/x.yml': `on: ${on}\njobs:\n  a:\n    runs-on: ubuntu-latest\n${more}    steps:\n      - run: make test\n`,
    });
    for (const on of ['pull_request', '[push]', '{merge_group: {}}', '{pull_request: {types: [opened]}}'])
      expect(checks(learn(job(on), ['Makefile'])), on).toEqual(['test = make test']);
    for (const on of [
      'release',
      '{schedule: [{cron: "0 0 * * *"}]}',
      'workflow_dispatch',
      '{push: {tags: ["v*"]}}',
      '{pull_request: {types: [closed]}}',
    ])
      expect(checks(learn(job(on), ['Makefile'])), on).toEqual([]);
    for (const more of [
      "    if: github.event_name == 'push'\n",
      "    if: github.ref == 'refs/heads/main'\n",
      '    if: ${{ failure() }}\n',
      '    if: false\n',
    ])
      expect(checks(learn(job('pull_request', more), ['Makefile'])), more).toEqual([]);
    for (const more of [
      "    if: github.event_name != 'schedule'\n",
      '    if: always() && !cancelled()\n',
      "    if: github.repository == 'a/b'\n",
    ])
      expect(checks(learn(job('pull_request', more), ['Makefile'])), more).toEqual(['test = make test']);
  });

  it('E7: a build that tests need runs before them, in the same shell', () => {
    const c = learn({
      ...runs('npm ci', 'npm run build', 'npm test'),
      'package.json': script({ build: 'tsc', test: 'node --test' }, needs),
    });
    const test = c.checks.find((k) => k.name === 'test');
    expect(test && formatCheckCommand(test)).toBe('npm run build && npm test');
    const made = learn(
      { ...runs('cmake -B out', 'cmake --build out', 'cd out && ctest'), 'CMakeLists.txt': '' },
      ['a.c'],
    );
    expect(made.checks.map(formatCheckCommand)).toEqual([
      'cmake -B out && cmake --build out && cd out && ctest',
      'cmake -B out && cmake --build out',
    ]);
  });

  it('E7: what they install on the system, and the services of their tests, is told', () => {
    const c = learn({
      '.github/workflows/ci.yml': workflow(
        '      - run: sudo apt-get install -y libfoo\n      - run: pytest\n',
        '    services:\n      postgres: {image: postgres}\n',
      ),
    });
    expect(c.riskFlags.join('\n')).toMatch(/libfoo \(\.github\/workflows\/ci\.yml:9\)[\s\S]*postgres/);
  });
});

describe('the versions that a repository asks for', () => {
  it.each<[string, Files, string, string | null, string]>([
    ['.nvmrc', { 'package.json': script({ test: 'x' }), '.nvmrc': 'v22.1\n' }, 'node', '22.1', '.nvmrc:1'],
    [
      'packageManager',
      { 'package.json': script({ test: 'x' }, { packageManager: 'pnpm@9.1.0+sha512.a' }) },
      'pnpm',
      '9.1.0',
      'package.json:1',
    ],
    [
      'engines',
      { 'package.json': script({ test: 'x' }, { engines: { node: '>=20' } }) },
      'node',
      '>=20',
      'package.json:1',
    ],
    ['go.mod', { 'go.mod': 'module x\n\ngo 1.23\n' }, 'go', '1.23', 'go.mod:3'],
    [
      'rust-toolchain.toml',
      { 'Cargo.toml': '', 'rust-toolchain.toml': '[toolchain]\nchannel = "1.80"\n' },
      'cargo',
      '1.80',
      'rust-toolchain.toml:2',
    ],
    [
      'rust-toolchain',
      { 'Cargo.toml': '', 'rust-toolchain': 'nightly-2026-01-01\n' },
      'cargo',
      'nightly-2026-01-01',
      'rust-toolchain:1',
    ],
    [
      '.python-version',
      { 'requirements.txt': 'pytest', '.python-version': '3.13\n' },
      'python',
      '3.13',
      '.python-version:1',
    ],
    [
      'requires-python',
      { 'pyproject.toml': '[project]\nrequires-python = ">=3.10"\n' },
      'python',
      '>=3.10',
      'pyproject.toml:2',
    ],
    [
      '.tool-versions',
      { 'mix.exs': '', '.tool-versions': 'erlang 27\nelixir 1.18\n' },
      'mix',
      null,
      'mix.exs',
    ],
    [
      '.tool-versions of Node',
      { 'package.json': script({ test: 'x' }), '.tool-versions': '\nnodejs 22\n' },
      'node',
      '22',
      '.tool-versions:2',
    ],
    [
      'mise.toml',
      { 'package.json': script({ test: 'x' }), 'mise.toml': '[tools]\nnode = "24"\n' },
      'node',
      '24',
      'mise.toml:2',
    ],
    ['.java-version', { 'pom.xml': '', '.java-version': '21' }, 'java', '21', '.java-version:1'],
    [
      '.ruby-version',
      { Gemfile: '', 'lib/a.rb': '', 'spec/a_spec.rb': '', '.ruby-version': 'ruby-3.4.1' },
      'ruby',
      '3.4.1',
      '.ruby-version:1',
    ],
    [
      'global.json',
      { 'a.sln': '', 'global.json': '{"sdk":{"version":"9.0.100"}}' },
      'dotnet',
      '9.0.100',
      'global.json:1',
    ],
    ['nothing but its workflow', runs('pytest'), 'python', null, '.github/workflows/ci.yml:7'],
  ])('E7: %s', (_, files, name, asked, source) => {
    expect(learn(files).tools).toContainEqual({ name, asked, source });
  });
});

describe('commands that look like tests', () => {
  const gradle: Files = { 'build.gradle.kts': '', gradlew: '' };
  it('E7: leave the tests out, and are none', () => {
    const excluded = learn({ ...gradle, ...runs('./gradlew check -x jvmTest -x test') });
    expect(checks(excluded).join()).not.toContain('-x test');
    const built = learn({ ...gradle, ...runs('./gradlew build --exclude-task test') });
    expect(checks(built).join()).not.toMatch(/test = .*--exclude-task/);
  });
  it('E7: install the runner, or look at the code, under the name of a test', () => {
    const files: Files = { 'composer.json': '{}', 'phpunit.xml.dist': '', phpunit: '' };
    expect(checks(learn({ ...files, ...runs('./phpunit install', './phpunit src') }))).toContain(
      'test = ./phpunit src',
    );
    const quality = learn({ 'setup.py': '', ...runs('bin/test quality') }, ['bin/test']);
    expect(checks(quality).join()).not.toContain('test = bin/test quality');
  });
  it('E7: a script that tests every project tests, whatever the projects are called', () => {
    const files = {
      'package.json': script({ test: 'nx run-many -t test --exclude website website-eslint' }, needs),
      'package-lock.json': '',
    };
    expect(checks(learn(files))).toContain('test = npm test');
  });
  it('E7: a second build system that tests nothing gives way to the one that does', () => {
    const files = {
      'CMakeLists.txt': 'include(CTest)\nadd_subdirectory(tests)',
      'meson.build': "project('x')",
    };
    const commands = learn(files, ['src/a.cpp']).checks.map(({ command }) => command);
    expect(commands).toContain('ctest --test-dir build');
    expect(commands.join()).not.toContain('meson');
  });
  it('E7: a file that an earlier step wrote is none of the repository', () => {
    const steps = runs('echo "print(1)" > test.py && poetry run python test.py', 'pytest');
    const learned = learn({ 'pyproject.toml': '[project]\nname = "a"\n', ...steps });
    expect(checks(learned).join()).not.toContain('test.py');
    expect(checks(learned)).toContain('test = pytest');
  });
  it('E7: a guide that sets a build up and tests it is read as a whole', () => {
    const guide =
      '# Tests\n\n```\nmeson setup -Dtest=enabled build\nmeson compile -C build/\nmeson test -C build/\n```\n';
    const learned = learn({ 'CONTRIBUTING.md': guide, 'meson.build': "project('x')" }, ['src/a.c']);
    expect(learned.checks.find(({ name }) => name === 'test')).toMatchObject({
      command: 'meson test -C build/',
      before: ['meson setup -Dtest=enabled build', 'meson compile -C build/'],
    });
  });
  it('E7: a long name that begins with test tests', () => {
    const steps = runs('make test-unit-non-plugin-and-non-released');
    expect(checks(learn({ 'go.mod': 'module a\n', Makefile: '', ...steps }))).toContain(
      'test = make test-unit-non-plugin-and-non-released',
    );
  });
});

describe('a step that asks what a tool prints', () => {
  const go = { 'go.mod': 'module a\n', 'a_test.go': '' };
  const step = (...lines: string[]): Files => ({
    ...go,
    '.github/workflows/ci.yml': workflow(
      ['      - run: |', ...lines.map((line) => `          ${line}`), ''].join('\n'),
    ),
  });
  it.each([
    ['test', ['test -z "$(gofmt -l .)"'], 'format = test -z "$(gofmt -l .)"'],
    ['brackets', ['[ -z "$(gofmt -s -l .)" ]'], 'format = [ -z "$(gofmt -s -l .)" ]'],
    ['if', ['if [ -n "$(gofmt -l .)" ]; then', '  exit 1', 'fi'], 'format = test -z "$(gofmt -l .)"'],
  ])('E7: is kept whole, as the check that it is: %s', (_, lines, check) => {
    expect(checks(learn(step(...lines)))).toContain(check);
  });
  it('E7: is no check where nothing fails by it', () => {
    const said = checks(learn(step('if [ -n "$(gofmt -l .)" ]; then', '  echo later', 'fi')));
    expect(said.filter((one) => one.startsWith('format'))).toEqual([]);
  });
});
