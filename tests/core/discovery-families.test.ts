/**
 * E7: families of tools: what a command of one is for, and which of several forms a repository
 * has.
 */
import { describe, expect, it } from 'vitest';
import { discoverContract, selectContractFiles } from '../../discovery/discover-contract.ts';
import { recogniseProgram } from '../../discovery/recognise-program.ts';

type Files = Record<string, string>;
const learnt = (files: Files, more: string[] = []) => {
  const paths = [...Object.keys(files), ...more];
  const wanted = new Set(selectContractFiles(paths));
  return discoverContract(paths, (path) => (wanted.has(path) ? (files[path] ?? null) : null));
};
const checks = (files: Files, more: string[] = []): string[] =>
  learnt(files, more).checks.map(({ name, command }) => `${name} = ${command}`);
const workflow = (...commands: string[]): Files => ({
  '.github/workflows/ci.yml': `name: CI\non: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${commands
    .map((one) => `      - ${one.startsWith('uses:') ? one : `run: ${one}`}\n`)
    .join('')}`,
});
const script = (scripts: Files): string => JSON.stringify({ scripts });

describe('a command of a family', () => {
  it.each([
    ['brew style', 'lint'],
    ['brew typecheck', 'types'],
    ['brew tests --online', 'test'],
    ['brew install jq', 'system'],
    ['yarn constraints', 'lint'],
    ['yarn dedupe --check', 'lint'],
    ['yarn constraints --fix', null],
    ['yarn dedupe', null],
    ['spin test -j3', 'test'],
    ['spin mypy', 'types'],
    ['spin build --release', 'build'],
    ['mix deps.unlock --check-unused', 'lint'],
    ['mix deps.unlock --unused', null],
    ['dotnet make', 'test'],
    ['dotnet cake --target=Test', 'test'],
    ['dotnet cake --target=Publish', null],
    ['uv run --only-group=check ruff check .', 'lint'],
    ['uv run --only-group=check ty check src', 'types'],
    ['mvn clean package -DskipTests', 'build'],
    ['mvn test -DskipTests', null],
    ['./gradlew build -x check', 'build'],
    ['tox -e stubtest', 'types'],
  ])('E7: %s is for %s', (command, purpose) => {
    expect(recogniseProgram(command, '', () => null)?.purpose ?? null).toBe(purpose);
  });
});

describe('a script of a repository', () => {
  it.each([
    ['scripts/pythonlint.sh', 'lint'],
    ['nu tests/run.nu', 'test'],
    ['tests/run.sh --fast', 'test'],
    ['yarn check-copyright-headers', 'lint'],
    ['make check-protos', null],
    ['yarn verify-pnp', null],
  ])('E7: %s is for %s', (command, purpose) => {
    expect(recogniseProgram(command, '', () => null)?.purpose ?? null).toBe(purpose);
  });

  it('E7: tests may be run in the folder where they lie', () => {
    const steps = 'bash run-tests.sh\n        working-directory: tests';
    const files = { ...workflow(steps), 'tests/run-tests.sh': './a\n' };
    expect(learnt(files).checks.map(({ dir, command }) => `${dir}: ${command}`)).toEqual([
      'tests: bash run-tests.sh',
    ]);
  });

  it('E7: a linter of scripts that a step runs is a check, one that only CI brings is none', () => {
    const files = {
      ...workflow('shellcheck install.sh', 'typos', 'semgrep ci', 'go test ./...'),
      'go.mod': 'm',
    };
    expect(checks(files)).toEqual(['lint = shellcheck install.sh', 'test = go test ./...']);
  });
});

describe('what a name says less than its commands', () => {
  it.each([
    ['a style check that looks at the format', { 'cs:check': 'php-cs-fixer check' }, 'cs:check', 'format'],
    ['a linter that looks at more than that', { lint: 'eslint . && prettier --check .' }, 'lint', 'lint'],
    ['a check that compiles', { check: 'pnpm build && pnpm -r check', build: 'tsc' }, 'check', 'types'],
    ['a build of the site', { 'build:site': 'vite build' }, 'build:site', null],
  ])('E7: %s', (_, scripts, name, purpose) => {
    const body = (_: string, one: string): string | null => (scripts as unknown as Files)[one] ?? null;
    expect(recogniseProgram(`pnpm run ${name}`, '', body)?.purpose ?? null).toBe(purpose);
  });

  it('E7: make without a goal installs where its first target does', () => {
    const first = (text: string): string => recogniseProgram('make', '', () => text)?.purpose ?? '';
    expect(first('python -m pip install -r requirements.txt')).toBe('install');
    expect(first('$(CC) -o main main.c')).toBe('build');
    const makefile = { Makefile: 'init:\n\tpip install -r requirements.txt\ntest:\n\tpytest\n' };
    const files = { ...workflow('make', 'make test'), ...makefile, 'setup.py': 'x' };
    expect(checks(files)).toEqual(['test = make test']);
    expect(learnt(files).installs.map(({ command }) => command)).toEqual(['make']);
  });
});

describe('the form that a repository has', () => {
  const php = (needs: string): string => `{"require-dev": {${needs}}}`;
  const config = ['phpunit.xml.dist', '.php-cs-fixer.dist.php', 'phpcs.xml'];
  it('E7: a tool of PHP that is no dependency is not in vendor/bin', () => {
    expect(checks({ 'composer.json': php('') }, config)).toEqual(['test = vendor/bin/phpunit']);
    const needs = php('"friendsofphp/php-cs-fixer": "^3", "squizlabs/php_codesniffer": "^3"');
    expect(checks({ 'composer.json': needs }, config)).toEqual([
      'lint = vendor/bin/phpcs',
      'format = vendor/bin/php-cs-fixer fix --dry-run --diff',
      'test = vendor/bin/phpunit',
    ]);
  });

  it('E7: the tests of Symfony run by its own script, or by that of the bridge', () => {
    const composer = { 'composer.json': php('"symfony/phpunit-bridge": "*"') };
    expect(checks(composer, ['phpunit.xml.dist'])).toEqual(['test = vendor/bin/simple-phpunit']);
    expect(checks(composer, ['phpunit.xml.dist', 'bin/phpunit'])).toEqual(['test = ./bin/phpunit']);
  });

  it('E7: Swift with a style of its own is checked by swift format', () => {
    const files = checks({ 'Package.swift': 'x' }, ['Sources/A/a.swift', '.swift-format']);
    expect(files).toContain('format = swift format lint --recursive --parallel .');
  });

  it('E7: one package of Haskell is built by name, several all at once', () => {
    const project = { 'cabal.project': 'packages: .', 'a.cabal': 'name: a' };
    expect(checks(project)).toEqual(['test = cabal test', 'build = cabal build']);
    expect(checks(project, ['b/b.cabal'])).toContain('test = cabal test all');
  });

  it('E7: actions of clippy and hlint are their commands', () => {
    const rust = { ...workflow('uses: giraffate/clippy-action@v1'), 'Cargo.toml': '[package]\n' };
    expect(checks(rust)).toContain('lint = cargo clippy');
    const haskell = { ...workflow('uses: haskell/actions/hlint-run@v2'), 'a.cabal': 'name: a' };
    expect(checks(haskell)).toContain('lint = hlint .');
  });

  it('E7: tests for another runtime are asked for beside the plain ones', () => {
    const scripts = { test: 'vitest', 'test:bun': 'bun test', 'test:deno': 'deno test' };
    const files = {
      ...workflow('npm test', 'npm run test:bun', 'npm run test:deno'),
      'package.json': script(scripts),
    };
    expect(checks(files).filter((one) => one.includes('test = ')).length).toBe(3);
  });
});

describe('a guess where workflows say otherwise', () => {
  it('E7: nothing is installed for a language of this folder in which nothing is checked', () => {
    const python = { 'pyproject.toml': '[project]\nname = "x"\n', 'uv.lock': '' };
    const files = { ...workflow('cargo test'), 'Cargo.toml': '[package]\n', ...python };
    expect(learnt(files, ['src/a.rs']).installs).toEqual([]);
    const both = { ...workflow('cargo test', 'uv run pytest'), 'Cargo.toml': '[package]\n', ...python };
    expect(learnt(both, ['src/a.rs']).installs.map(({ command }) => command)).toEqual(['uv sync']);
  });

  it('E7: no tests at the root where the same language is tested in its own folder', () => {
    const steps = 'pytest\n        working-directory: backend';
    const files = { ...workflow(steps), 'pyproject.toml': '[project]\n[tool.pytest]\n' };
    expect(checks(files, ['backend/pyproject.toml', 'backend/tests/a.py']).join()).toBe('test = pytest');
  });

  it('E7: a folder that workflows do not check requires nothing, though they test nowhere', () => {
    const files = { ...workflow('ruff check .'), 'rust/Cargo.toml': '[package]\n', 'rust/Cargo.lock': '' };
    expect(checks(files, ['a.py'])).toEqual(['lint = ruff check .']);
  });
});

it('E7: a lint named by its group, and tags of Go, are no placeholders of a guide', () => {
  const guide = '```sh\ncargo clippy -- -D clippy::unwrap_used\n```\n';
  expect(checks({ 'CONTRIBUTING.md': guide, 'Cargo.toml': '[package]\n' })).toContain(
    'lint = cargo clippy -- -D clippy::unwrap_used',
  );
  const go = { 'CONTRIBUTING.md': '```sh\ngo test -tags=unit ./...\n```\n', 'go.mod': 'module x\n' };
  expect(checks(go)).toContain('test = go test -tags=unit ./...');
});
