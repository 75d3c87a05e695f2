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
    ['opam install --deps-only -t .', 'install'],
    ['opam install dune', null],
    ['luarocks install --local busted', 'install'],
    ['luarocks upload app-1.rockspec', null],
    ['$HOME/.luarocks/bin/busted spec', 'test'],
    ['make -j$(nproc) check', 'test'],
    ['dzil listdeps --missing | grep -v Foo | cpanm --notest', 'install'],
    ['dzil listdeps --missing', null],
    ['cpanm Foo::Bar', null],
    ['./Build authortest', 'test'],
    ['./Build', 'build'],
    ['perl -I. Build.PL', 'prepare'],
    ['nix-fast-build', 'test'],
    ['python -m compileall -q src', 'lint'],
    ['runic --check --diff .', 'format'],
    ['runic --inplace .', null],
    ['make install-test-requirements', 'install'],
    ['make install-lint-plugin', null],
    ['npm run generateTypes', 'prepare'],
    ['npm run checkTypes', 'types'],
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

describe('words of a command that its own shell answers', () => {
  it('E7: what they ask is asked of the box, and a variable of CI is not there', () => {
    const lua = ['$HOME/.luarocks/bin/luacheck src', '$HOME/.luarocks/bin/busted $SUITE'];
    const files = { ...workflow('make -j$(nproc) test', ...lua), Makefile: 'test:\n\t./t\n' };
    expect(checks(files)).toEqual(['lint = $HOME/.luarocks/bin/luacheck src', 'test = make -j$(nproc) test']);
    const go = workflow('go test $(go list ./... | grep -v /gen/)', 'go vet $(cat $LIST)');
    expect(checks({ ...go, 'go.mod': 'module x\n' })).toEqual([
      'test = go test $(go list ./... | grep -v /gen/)',
    ]);
  });

  it('E7: what a step writes into a file is no command', () => {
    const text =
      "cat > prompt.txt << 'END'\npytest proves nothing here.\n\nruff check is nice.\nEND\npytest tests";
    const ci = JSON.stringify({
      on: 'pull_request',
      jobs: { t: { 'runs-on': 'x', steps: [{ run: text }] } },
    });
    const files = { '.github/workflows/ci.yml': ci, 'setup.py': 'x' };
    expect(checks(files)).toEqual(['test = pytest tests']);
    expect(learnt(files).checks[0]?.source).toMatch(/ci\.yml/);
    const shifted = JSON.stringify({
      on: 'push',
      jobs: { t: { 'runs-on': 'x', steps: [{ run: 'x=$((1<<n))\nruff check\npytest' }] } },
    });
    expect(checks({ ...files, '.github/workflows/ci.yml': shifted })).toEqual([
      'lint = ruff check',
      'test = pytest',
    ]);
  });

  it('E7: a compiler that CI installs by its version is left to the box', () => {
    const set = ['CC: gcc-9', 'CXX: clang++-11', 'LD: gold'].map((one) => `\n          ${one}`).join('');
    const files = { ...workflow(`make test\n        env:${set}`), Makefile: 'test:\n\t./t\n' };
    expect(checks(files)).toEqual(['test = LD=gold make test']);
  });

  it('E7: a formatter that only says its version formats nothing', () => {
    const files = { ...workflow('cargo fmt --version', 'cargo test'), 'Cargo.toml': '[package]\n' };
    expect(checks(files)).toContain('test = cargo test');
    expect(checks(files).join()).not.toContain('cargo fmt');
  });

  it('E7: a script formats where its step asks whether something differs', () => {
    const asked = workflow('./apply-clang-format.sh && git diff --exit-code');
    expect(checks({ ...asked, 'CMakeLists.txt': 'x' }, ['a.c', 'apply-clang-format.sh'])).toContain(
      'format = ./apply-clang-format.sh && git diff --exit-code',
    );
    const plain = { ...workflow('./apply-clang-format.sh'), 'CMakeLists.txt': 'x' };
    expect(checks(plain, ['a.c', 'apply-clang-format.sh']).join()).not.toContain('apply');
  });

  it('E7: a formatting task of one language is run, and no file may differ', () => {
    const Makefile = 'format-js:\n\tbiome check --write\nformat-report:\n\t./report\n';
    const files = { ...workflow('make format-js', 'make format-report'), Makefile };
    expect(checks(files)).toEqual(['format = make format-js && git diff --exit-code']);
  });
});

describe('a language that only its guide checks', () => {
  const guide = (command: string): Files => ({ 'doc/src/development.md': `Run \`${command}\` first.\n` });
  it('E7: a flake is checked where nothing else is known at the root', () => {
    const nix = { ...guide('nix flake check'), 'flake.nix': '{}' };
    expect(checks(nix, ['a.nix'])).toEqual(['lint = nix flake check']);
    const rust = { ...nix, 'Cargo.toml': '[package]\n' };
    expect(checks(rust, ['src/a.rs']).join()).not.toContain('nix');
  });

  it('E7: what OCaml needs is installed for the script that tests it', () => {
    const files = {
      ...guide('opam install --deps-only -t .'),
      ...workflow('bash ci/test.sh'),
      'ci/test.sh': 'x',
    };
    const installs = learnt({ ...files, 'dune-project': '' }, ['src/a.ml']).installs;
    expect(installs.map(({ command }) => command)).toEqual(['opam install --deps-only -t .']);
  });
});

describe('the habit of a language without a probe', () => {
  const sources: Record<string, string[]> = {
    'dune-project': ['x.opam', 'src/x.ml'],
    'Project.toml': ['test/runtests.jl', 'src/X.jl'],
    DESCRIPTION: ['tests/testthat.R', 'R/x.R'],
    'flake.nix': ['a.nix'],
  };
  it.each([
    ['dune-project', 'test = dune runtest'],
    ['Project.toml', `test = julia --project=. -e 'using Pkg; Pkg.test()'`],
    ['DESCRIPTION', `test = Rscript -e 'testthat::test_local()'`],
    ['flake.nix', 'lint = nix flake check'],
  ])('E7: a repository with a %s and no workflow is checked by it', (file, command) => {
    expect(checks({ [file]: 'x' }, sources[file])).toEqual([command]);
    expect(checks({ [file]: 'x', ...workflow('make lint') }, [...(sources[file] ?? []), 'Makefile'])).toEqual(
      ['lint = make lint'],
    );
  });

  it('E7: none without the file that it needs, or beside a language that is known', () => {
    expect(checks({ 'Project.toml': 'x' }, ['src/X.jl'])).toEqual([]);
    const rust = { 'flake.nix': 'x', 'Cargo.toml': '[package]\n' };
    expect(checks(rust, ['a.nix', 'src/a.rs']).join()).not.toContain('nix');
  });

  it('E7: actions that install what a cpanfile names are their commands', () => {
    const of = (given: string): string[] =>
      learnt({ ...workflow(`uses: perl-actions/install-with-cpm@v1${given}`, 'prove -l t'), cpanfile: '' }, [
        't/a.t',
        'lib/A.pm',
      ]).installs.map(({ command }) => command);
    expect(of('')).toEqual(['cpm install -g --cpanfile cpanfile']);
    expect(of('\n        with:\n          install: Foo::Bar').join()).not.toContain('cpm');
  });
});

describe('CMake beside another language', () => {
  const rust = Array.from({ length: 30 }, (_, i) => `src/a${i}.rs`);
  const files = { 'Cargo.toml': '[package]\n', 'CMakeLists.txt': 'project(x)' };
  it('E7: it builds nothing of its own where workflows do not ask for it', () => {
    expect(learnt(files, [...rust, 'a.c']).ecosystems).toEqual(['rust']);
    const built = { ...files, ...workflow('cmake -B build', 'cmake --build build') };
    expect(learnt(built, [...rust, 'a.c']).ecosystems).toContain('c');
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
    const folders = 'uses: rwe/actions-hlint-run@v2\n        with:\n          path: \'["src/", "app/"]\'';
    expect(checks({ ...haskell, ...workflow(folders) })).toContain('lint = hlint src/ app/');
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
