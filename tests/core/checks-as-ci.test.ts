/** E7: a check is run as CI runs it: in its folder, with its variables, after what brings its program. */
import { describe, expect, it } from 'vitest';
import { formatCheckCommand, type Contract } from '#model/contract';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { readSmall } from '../corpus/labels.ts';
import { measure } from '../corpus/measure.ts';

type Files = Readonly<Record<string, string>>;
const learn = (files: Files): Contract => discoverContract(Object.keys(files), (path) => files[path] ?? null);
const step = (line: string): string => `      - run: ${line}\n`;
const workflow = (steps: string, job = ''): Files => ({
  '.github/workflows/ci.yml': `on: [push, pull_request]\njobs:\n  t:\n    runs-on: ubuntu-latest\n${job}    steps:\n${steps}`,
});
const ci = (...lines: string[]): Files => workflow(lines.map(step).join(''));
const shown = ({ dir, command }: { dir: string; command: string }): string =>
  dir === '' ? command : `${dir}: ${command}`;
const checksIn = (files: Files): string[] => learn(files).checks.map(shown);
const installsIn = (files: Files): string[] => learn(files).installs.map(shown);
const scripts = (all: Readonly<Record<string, string>>): string =>
  JSON.stringify({ name: 'x', scripts: all });

describe('what brings the program of a check', () => {
  const starter = `      - run: |
          python -m pip install --upgrade pip
          python -m pip install flake8 pytest
          if [ -f requirements.txt ]; then pip install -r requirements.txt; fi
      - run: flake8 . --count --select=E9,F63,F7,F82 --show-source --statistics
      - run: pytest
`;
  const python = { 'app.py': '', 'tests/test_a.py': '' };
  it('E7: is installed as in the starter workflow for Python, before what the project needs', () => {
    const files = { ...python, 'requirements.txt': 'flask\n', ...workflow(starter) };
    expect(installsIn(files)).toEqual([
      'python -m pip install flake8 pytest',
      'pip install -r requirements.txt',
    ]);
    expect(installsIn({ ...files, 'requirements.txt': 'flask\nflake8\npytest\n' })).toEqual([
      'pip install -r requirements.txt',
    ]);
  });
  it('E7: is installed beside a project', () => {
    const project = { ...python, 'pyproject.toml': '[project]\nname = "x"\ndependencies = ["flask"]\n' };
    expect(installsIn({ ...project, ...ci('pip install pytest', 'pytest') })).toEqual([
      'pip install pytest',
      'pip install -e .',
    ]);
    expect(
      installsIn({ ...project, ...ci('pip install pytest pytest-cov', 'pip install -e .', 'pytest') }),
    ).toEqual(['pip install pytest pytest-cov', 'pip install -e .']);
  });
  it('E7: is installed for Go where a check runs it, and else is not', () => {
    const go = 'go install honnef.co/go/tools/cmd/staticcheck@latest';
    const files = { 'go.mod': 'module x\n', 'a_test.go': '' };
    expect(installsIn({ ...files, ...ci(go, 'staticcheck ./...', 'go test ./...') })).toEqual([go]);
    expect(installsIn({ ...files, ...ci('go install example.com/other@v1', 'go test ./...') })).toEqual([]);
  });
});

describe('a command that is told its folder', () => {
  const frontend = {
    'frontend/package.json': scripts({ lint: 'eslint .', test: 'vitest run' }),
    'frontend/a.test.ts': '',
  };
  const root = { 'package.json': scripts({ test: 'jest' }), 'package-lock.json': '{}', 'a.test.js': '' };
  it.each([
    [
      'npm',
      'package-lock.json',
      ['npm --prefix frontend ci', 'npm --prefix=frontend run lint', 'npm test --prefix ./frontend'],
      'npm ci',
      ['npm run lint', 'npm test'],
    ],
    [
      'yarn',
      'yarn.lock',
      [
        'yarn --cwd frontend install --frozen-lockfile',
        'yarn --cwd frontend lint',
        'yarn --cwd=frontend test',
      ],
      'yarn install --frozen-lockfile',
      ['yarn lint', 'yarn test'],
    ],
    [
      'yarn alone',
      'yarn.lock',
      ['yarn --cwd frontend', 'yarn --cwd frontend lint', 'yarn --cwd=frontend test'],
      'yarn',
      ['yarn lint', 'yarn test'],
    ],
    [
      'pnpm',
      'pnpm-lock.yaml',
      ['pnpm -C frontend install', 'pnpm --dir frontend lint', 'pnpm -C frontend test'],
      'pnpm install',
      ['pnpm lint', 'pnpm test'],
    ],
  ])('E7: of %s runs there, beside the tests of the root', (_, lock, lines, install, checks) => {
    const files = { ...frontend, [`frontend/${lock}`]: '{}' };
    expect(installsIn({ ...files, ...ci(...lines) })).toEqual([`frontend: ${install}`]);
    expect(checksIn({ ...files, ...ci(...lines) })).toEqual(checks.map((one) => `frontend: ${one}`));
    const both = { ...files, ...root, ...ci('npm ci', 'npm test', ...lines) };
    expect(checksIn(both)).toEqual(expect.arrayContaining(['npm test', `frontend: ${checks.at(-1)}`]));
    expect(installsIn(both)).toEqual(expect.arrayContaining(['npm ci', `frontend: ${install}`]));
  });
  it('E7: of other programs, too; behind `--` the option is of another', () => {
    const svc = { 'svc/go.mod': 'module x\n', 'svc/a_test.go': '' };
    expect(checksIn({ ...svc, ...ci('go -C svc test ./...') })).toEqual(['svc: go test ./...']);
    expect(checksIn({ ...root, ...frontend, ...ci('npm test -- --prefix frontend') })).toContain(
      'npm test -- --prefix frontend',
    );
  });
});

describe('the small repositories of the corpus', () => {
  it('E7: are read as a contributor reads them', () => {
    const misses = measure(readSmall()).flatMap(({ name, misses: all }) =>
      all.map(({ repo, judged }) => [name, repo, ...judged.wrong, ...judged.missed.map(() => 'missed')]),
    );
    expect(misses).toEqual([
      // Its packages come from, and go, where the machine says.
      ['install', 'small/r-package', 'missed'],
      // A task that formats in place counts, though CI does not run it.
      ['format', 'small/pnpm-turbo', 'pnpm format && git diff --exit-code'],
    ]);
  });
});

describe('several tasks in one command', () => {
  const node = { 'package.json': scripts({}), 'package-lock.json': '{}', 'a.test.ts': '' };
  it.each([
    'npx nx run-many -t lint test build',
    'npx nx run-many --targets=lint,test,build --parallel=3',
    'npx nx affected -t test build',
    'npx turbo run lint test build',
    'npx turbo build test lint',
  ])('E7: %s tests, whichever is named last', (line) => {
    const { checks, riskFlags } = learn({
      ...node,
      'nx.json': '{}',
      'turbo.json': '{}',
      ...ci('npm ci', line),
    });
    expect(checks.map(({ name, command }) => [name, command])).toContainEqual(['test', line]);
    expect(riskFlags).not.toContain('no check runs tests');
  });
  it('E7: the name of a package is no task', () => {
    const files = { ...node, 'yarn.lock': '', ...ci('yarn workspace test-utils lint') };
    expect(learn(files).checks.map(({ name }) => name)).toEqual(['lint']);
  });
  it('E7: `--parallel` takes a value only where a number follows', () => {
    for (const line of ['pnpm -r --parallel test', 'pnpm -r --parallel 3 test'])
      expect(checksIn({ ...node, 'pnpm-lock.yaml': '', ...ci(line) }), line).toContain(line);
  });
  it('E7: of tox’s Pythons the newest stable one is taken', () => {
    const matrix = '    strategy: { matrix: { toxenv: [py39, py310, py312, py313t, lint] } }\n';
    const files = {
      'tox.ini': '[tox]\n',
      'setup.py': '',
      'tests/test_x.py': '',
      ...workflow(step('pip install tox') + step('tox -e ${{ matrix.toxenv }}'), matrix),
    };
    expect(checksIn(files)).toEqual(['tox -e lint', 'tox -e py312']);
    expect(checksIn({ ...files, ...ci('tox -e py39,py310,py312') })).toEqual(['tox -e py39,py310,py312']);
  });
});

describe('what only prepares', () => {
  it('E7: is an installation of Haskell, and no test of Elixir', () => {
    const cabal = { 'a.cabal': 'name: a\n', 'test/Spec.hs': '' };
    expect(installsIn({ ...cabal, ...ci('cabal build all --only-dependencies', 'cabal test all') })).toEqual([
      'cabal build all --only-dependencies',
    ]);
    const mix = { 'mix.exs': '', 'test/a_test.exs': '' };
    expect(checksIn({ ...mix, ...ci('mix test.setup', 'mix test --raise') })).toEqual(['mix test --raise']);
  });
});

describe('the variables of CI', () => {
  const python = { 'setup.py': '', 'tests/test_a.py': '', 'requirements.txt': 'pytest\n' };
  const withStep = (env: string): Files =>
    workflow(`${step('pip install -r requirements.txt')}      - run: pytest\n        env:\n${env}`);
  it('E7: stand before a command, of a step, a job or the same script', () => {
    expect(checksIn({ ...python, ...withStep('          PYTHONPATH: src\n') })).toEqual([
      'PYTHONPATH=src pytest',
    ]);
    const go = { 'go.mod': 'module x\n', 'a_test.go': '' };
    expect(checksIn({ ...go, ...workflow(step('go test ./...'), '    env: { CGO_ENABLED: 0 }\n') })).toEqual([
      'CGO_ENABLED=0 go test ./...',
    ]);
    const rust = { 'Cargo.toml': '[package]\nname="x"\n', 'src/lib.rs': '' };
    const flags = workflow(
      step('cargo test'),
      '    env: { RUSTFLAGS: "-D warnings", CARGO_TERM_COLOR: always }\n',
    );
    expect(checksIn({ ...rust, ...flags })).toContain("RUSTFLAGS='-D warnings' cargo test");
    const script = '      - run: |\n          export PYTHONPATH=src\n          OTHER=1\n          pytest\n';
    expect(checksIn({ ...python, ...workflow(script) })).toEqual(['PYTHONPATH=src pytest']);
  });
  it('E7: are set for all commands of a check', () => {
    const cmake = {
      'CMakeLists.txt': 'enable_testing()\n',
      'a.c': '',
      ...workflow(
        step('cmake -B build') + step('cmake --build build') + step('ctest --test-dir build'),
        '    env: { CC: clang }\n',
      ),
    };
    const test = learn(cmake).checks.find(({ name }) => name === 'test');
    expect(test && formatCheckCommand(test)).toBe(
      'export CC=clang && cmake -B build && cmake --build build && ctest --test-dir build',
    );
  });
  it.each([
    ['a secret', 'API: "${{ secrets.API }}"'],
    ['a literal that is called a secret', 'SECRET_KEY: beepbeep'],
    ['a password in an address', 'SERVER: "http://me:hunter2@localhost"'],
    ['an unknown value', 'RUN: "${{ github.run_id }}"'],
    ['a path of its machine', 'DATA: /opt/data'],
    ['a substitution', 'WHO: "$(whoami)"'],
    ['a version that it sets up', 'NODE_VERSION: 20'],
    ['a colour', 'FORCE_COLOR: 1'],
    ['what the command sets itself', 'A: 1'],
  ])('E7: %s stays with CI', (_, env) => {
    const one = workflow(
      `${step('pip install -r requirements.txt')}      - run: A=2 pytest\n        env: { ${env} }\n`,
    );
    expect(checksIn({ ...python, ...one })).toEqual(['A=2 pytest']);
  });
  it('E7: what a script or an expression asks for is theirs', () => {
    const env = '    env: { FEATURES: all, TARGET: x64 }\n';
    const lines = step('pytest --rootdir ${{ env.FEATURES }}') + step('echo $TARGET');
    expect(checksIn({ ...python, ...workflow(lines, env) })).toEqual(['pytest --rootdir all']);
  });
  it('E7: stand before the plainer form of what CI runs', () => {
    const lines = `${step('pip install -r requirements.txt')}${step('pytest --cov --cov-report=xml')}`;
    const files = {
      ...python,
      'tests/conftest.py': '',
      ...workflow(lines, '    env: { PYTHONPATH: src }\n'),
    };
    expect(checksIn(files)).toEqual(['PYTHONPATH=src pytest']);
  });
  it('E7: the tools of the command are known behind them', () => {
    const rust = { 'Cargo.toml': '[package]\nname="x"\n', 'src/lib.rs': '' };
    const { tools } = learn({
      ...rust,
      ...workflow(step('cargo test'), '    env: { RUSTFLAGS: "-D warnings" }\n'),
    });
    expect(tools.map(({ name }) => name)).toEqual(['cargo']);
  });
});

describe('what stands behind `||`', () => {
  const node = { 'package.json': scripts({ test: 'jest', lint: 'eslint .' }), 'package-lock.json': '{}' };
  it.each([
    ['npm test -- --bail || exit 1', 'npm test -- --bail'],
    ['npm test -- --bail || (echo failed && exit 1)', 'npm test -- --bail'],
    ['npm test -- --bail || { echo failed; exit 1; }', 'npm test -- --bail'],
    ['npm test -- --bail || npm test -- --onlyFailures', 'npm test -- --bail'],
    ['npm test -- --bail || true', 'npm test'],
    ['npm test -- --bail || echo flaky', 'npm test'],
  ])('E7: %s makes a check of %s', (line, check) => {
    const files = { ...node, ...workflow(`      - run: |\n          ${line}\n`) };
    expect(
      learn(files)
        .checks.filter(({ name }) => name === 'test')
        .map(shown),
    ).toEqual([check]);
  });
});

describe('commands of other tools', () => {
  it.each<[Files, string]>([
    [{ 'pyproject.toml': '[tool.hatch.envs.default]\n', 'a.py': '' }, 'hatch fmt --check'],
    [{ Gemfile: 'gem "rails"\n', 'test/a_test.rb': '' }, 'bin/rails db:test:prepare test test:system'],
    [{ 'project.clj': '', 'src/a.clj': '' }, 'lein cljfmt check'],
    [{ 'a.cabal': 'name: a\n', 'test/Spec.hs': '' }, 'cabal test all'],
    [{ 'mix.exs': '', 'test/a_test.exs': '' }, 'mix test --raise'],
    [
      { DESCRIPTION: 'Package: a\n', 'R/a.R': '', 'R/b.R': '', 'R/c.R': '' },
      `Rscript -e 'rcmdcheck::rcmdcheck(args = c("--no-manual"), error_on = "error")'`,
    ],
    [{ 'gleam.toml': 'name="x"\n', 'src/x.gleam': '' }, 'gleam format --check src test'],
  ])('E7: %j keeps %s', (files, line) => {
    const action = `      - uses: r-lib/actions/check-r-package@v2\n        with: { args: 'c("--no-manual")', error-on: '"error"' }\n`;
    const run = line.startsWith('Rscript') ? workflow(action) : ci(line);
    expect(checksIn({ ...files, ...run })).toContain(line);
  });
});
