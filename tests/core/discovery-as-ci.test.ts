/** E7: checks and installations are those of CI's own jobs, neither more nor less. */
import { describe, expect, it } from 'vitest';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';

type Files = Record<string, string>;
const learn = (files: Files, more: string[] = []) => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(selectContractFiles(paths));
  return discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null));
};
const job = (name: string, steps: string): string =>
  `  ${name}:\n    runs-on: ubuntu-latest\n    steps:\n${steps}`;
const run = (...commands: string[]): string => commands.map((c) => `      - run: ${c}\n`).join('');
const ci = (...jobs: string[]): Files => ({
  '.github/workflows/ci.yml': `name: CI\non: pull_request\njobs:\n${jobs.join('')}`,
});
const commandsOf = (all: readonly { command: string }[] = []): string[] =>
  all.map(({ command }) => command).sort();

describe('features that CI tests apart', () => {
  const test = (...options: string[]): string => ['cargo test', ...options].join(' ');
  const files = {
    ...ci(
      job(
        'test',
        run(test(), test('--no-default-features'), test('--features a,b'), test('--all-features'), test()),
      ),
    ),
    'Cargo.toml': '[package]\nname = "x"\n',
  };
  it('E7: all of them at once are tested beside none, and the others are left to CI', () => {
    const { checks, leftToCi } = learn(files);
    expect(commandsOf(checks.filter(({ name }) => name.endsWith('test')))).toEqual([
      test(),
      test('--all-features'),
    ]);
    expect(commandsOf(leftToCi)).toEqual([test('--features a,b'), test('--no-default-features')]);
  });
  it('E7: tags of a build are features, too', () => {
    const commands = ['go test ./...', 'go test -tags purego ./...', 'go test ./...'];
    const { checks, leftToCi } = learn({ ...ci(job('test', run(...commands))), 'go.mod': 'module x\n' });
    expect(commandsOf(checks.filter(({ name }) => name === 'test'))).toEqual(['go test ./...']);
    expect(commandsOf(leftToCi)).toEqual(['go test -tags purego ./...']);
  });
});

describe('what is installed', () => {
  const poetry = { 'pyproject.toml': '[tool.poetry]\nname = "x"\n', 'poetry.lock': '' };
  const coverage = run('pip install coverage', 'coverage run -m unittest discover tests/');
  it('E7: is what the testing job of CI installs, where that is a program by its name alone', () => {
    expect(commandsOf(learn({ ...ci(job('test', coverage)), ...poetry }).installs)).toEqual([
      'pip install coverage',
    ]);
    const whole = job('test', run('pip install coverage', 'poetry install', 'poetry run pytest'));
    expect(commandsOf(learn({ ...ci(whole), ...poetry }).installs)).toEqual(['poetry install']);
  });
  it('E7: is nothing in a folder that nothing checks', () => {
    const files = {
      'go.mod': 'module x\n',
      'src/mango/requirements.txt': 'requests\n',
      Makefile: 'check:\n\tgo test ./...\n',
    };
    expect(learn(files, ['a.go']).installs).toEqual([]);
  });
});

it('E7: a script that stands before a check in its line runs before it', () => {
  const line = './zig/download.sh && ./zig/zig build test';
  const files = { ...ci(job('test', run(line))), 'build.zig': '', 'zig/download.sh': '' };
  const { checks } = learn(files, ['src/a.zig']);
  expect(checks.find(({ name }) => name === 'test')).toMatchObject({
    command: './zig/zig build test',
    before: ['./zig/download.sh'],
  });
});

describe('what is no check of its own', () => {
  it('E7: a member of a build beside a package of another language', () => {
    const files = {
      'settings.gradle': "include 'ui'\n",
      'build.gradle': '',
      'ui/build.gradle': '',
      'ui/package.json': '{"scripts":{"test":"vitest"}}',
      'ui/pnpm-lock.yaml': '',
    };
    expect(
      commandsOf(learn(files, ['src/main/java/A.java']).checks.filter(({ dir }) => dir === 'ui')),
    ).toEqual(['pnpm test']);
  });
  it('E7: a guess at a formatter beside hooks, which format, too', () => {
    const hooked = {
      'pyproject.toml': '[project]\nname = "x"\n[tool.black]\nline-length = 80\n',
      '.pre-commit-config.yaml': 'repos: []\n',
    };
    expect(commandsOf(learn(hooked).checks)).toEqual(['pre-commit run --all-files']);
    const tox = { ...hooked, 'tox.ini': '[testenv:lint]\ncommands = pre-commit run -a\n' };
    const { checks } = learn({ ...tox, ...ci(job('lint', run('tox -e lint'))) });
    expect(checks.map(({ name }) => name)).toEqual(['lint', 'test']);
  });
  it('E7: a look at how commit messages are formatted', () => {
    const step =
      '      - name: Check commit message formatting\n        run: tools/ci.sh commit_formatting_run\n';
    expect(learn(ci(job('format', step)), ['tools/ci.sh']).checks).toEqual([]);
  });
  it('E7: what works in another repository that the job checks out', () => {
    const other =
      '      - uses: actions/checkout@v6\n        with:\n          repository: a/b\n          path: pegof\n';
    const files = {
      ...ci(
        job('pegof', other + run('cmake -S pegof -B pegof/build', 'cmake --build pegof/build', 'make -j2')),
        job('plain', run('./configure', 'make', 'make check')),
      ),
      Makefile: 'check:\n\t./t\n',
      configure: '',
    };
    const { checks, leftToCi } = learn(files, ['a.c']);
    expect(JSON.stringify([checks, leftToCi])).not.toContain('pegof/build');
    expect(checks.find(({ name }) => name === 'test')?.command).toBe('make check');
  });
  it.each([
    ['data', ['npm ci', 'npm test -- data/big'], ['npm ci'], ['npm test -- data/big']],
    ['tests/data', ['pytest tests/data tests/unit'], [], ['pytest tests/data tests/unit']],
    ['other', ['npm ci', 'npm --prefix other test', 'cd other && npm test', 'node other/test.js'], [], []],
  ])('E7: tests of its own with data of another repository in %s', (path, lines, installs, tests) => {
    const data = `      - uses: actions/checkout@v6\n        with:\n          repository: a/b\n          path: ${path}\n`;
    const files = {
      ...ci(job('test', data + run(...lines))),
      'package.json': '{"scripts":{"test":"node --test"}}',
      'package-lock.json': '{}',
      'tests/unit/test_a.py': '',
    };
    const found = learn(files, ['a.js']);
    expect(found.checks.map(({ command, dir }) => `${dir} ${command}`).join()).not.toContain('other');
    expect(commandsOf(found.installs)).toEqual(expect.arrayContaining(installs));
    expect(commandsOf(found.checks)).toEqual(expect.arrayContaining(tests));
  });
});

it('E7: Lua has a package manager where a rockspec is', () => {
  expect(learn({ 'x.lua': '' }).packageManager).toBeNull();
  expect(learn({ 'x.lua': '', 'x-1.rockspec': '' }).packageManager).toBe('luarocks');
});

describe('what the jobs of several rows and of built programs run', () => {
  const composer = { 'composer.json': '{"require-dev": {"phpunit/phpunit": "*"}}', 'composer.lock': '' };
  const rows =
    '  t:\n    runs-on: ubuntu-latest\n    continue-on-error: ${{ !matrix.stable }}\n    strategy:\n      matrix:\n        php: ["8.3"]\n        stable: [true]\n        flags: [""]\n        include:\n          - { php: "8.5", stable: false, flags: --ignore-platform-req=php }\n    steps:\n      - run: composer update ${{ matrix.flags }}\n      - run: vendor/bin/phpunit\n';
  it('E7: are installed as the row is that must pass', () => {
    expect(commandsOf(learn({ ...ci(rows), ...composer }).installs)).toEqual(['composer update']);
  });
  it('E7: count for nothing where the whole job may fail', () => {
    const lint = job('t', run('golangci-lint run'));
    const may = lint.replace('    steps', '    continue-on-error: true\n    steps');
    const linters = [lint, may].map((one) =>
      commandsOf(learn({ ...ci(one), 'go.mod': 'module x\n' }).checks),
    );
    expect(linters.map((all) => all.includes('golangci-lint run'))).toEqual([true, false]);
  });
  it('E7: are built before them, where the program or the extension is made there', () => {
    const steps = '      - name: Compile\n        run: ./bootstrap\n      - run: ./rebar3 ct\n';
    const erlang = { ...ci(job('t', steps)), bootstrap: '' };
    const beforeOf = (files: Files): unknown =>
      learn({ ...files, 'rebar.config': '' }).checks.find(({ name }) => name === 'test')?.before;
    expect(beforeOf(erlang)).toEqual(['./bootstrap']);
    expect(beforeOf({ ...erlang, rebar3: '' })).toBeUndefined();
    const gem = ci(job('t', run('bundle install', 'bundle exec rake compile', 'bundle exec rake test')));
    expect(beforeOf({ ...gem, Gemfile: '', Rakefile: '' })).toEqual(['bundle exec rake compile']);
  });
  it('E7: are all type checkers, and one of those for several versions', () => {
    const poetry = { 'pyproject.toml': '[tool.poetry]\nname = "x"\n', 'poetry.lock': '' };
    const types = (...commands: string[]): string[] =>
      commandsOf(
        learn({ ...ci(job('t', run(...commands))), ...poetry }).checks.filter(({ name }) =>
          name.endsWith('types'),
        ),
      );
    const two = ['poetry run mypy docs tests', 'poetry run mypy src'];
    expect(types(...two)).toEqual(two);
    const scripts = { 'test:types': 'tsc', 'test:types:5.3': 'tsc' };
    const node = { 'package.json': JSON.stringify({ scripts }), 'package-lock.json': '' };
    const asked = ci(job('t', run('npm run test:types', 'npm run test:types:5.3')));
    expect(commandsOf(learn({ ...asked, ...node }).checks)).toEqual(['npm run test:types']);
  });
  it('E7: are those of all features under their own name', () => {
    const commands = ['cargo test', 'cargo test --features=all-features'];
    const files = { ...ci(job('t', run(...commands))), 'Cargo.toml': '[package]\nname = "x"\n' };
    expect(commandsOf(learn(files).checks.filter(({ name }) => name.endsWith('test')))).toEqual(commands);
  });
  it('E7: are none that only compile the tests', () => {
    const Makefile = 'test-build:: x\nx:\n\tcc x.c\n';
    expect(commandsOf(learn({ Makefile }).checks)).not.toContain('make test-build');
    const sbt = ci(job('t', run("sbt 'project a' Test/nativeLink", "sbt 'project a' test")));
    expect(commandsOf(learn({ ...sbt, 'build.sbt': '' }).checks)).toEqual(["sbt 'project a' test"]);
  });
  it('E7: are no documents, though the name of the workflow has underscores', () => {
    const docs = ci(job('build_docs_job', run('./build.sh')))['.github/workflows/ci.yml'];
    expect(
      commandsOf(learn({ '.github/workflows/docs_pages.yml': docs ?? '', 'build.sh': '' }).checks),
    ).toEqual([]);
  });
});
