/**
 * E7: commands that guides of a repository show, and what the expressions of its workflows come to.
 */
import { describe, expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';
import {
  ALL_KNOWN,
  evaluateCondition,
  resolveExpressions,
  UNKNOWN_VALUE,
} from '../../discovery/workflows/expressions.ts';

type Files = Record<string, string>;
const checks = (files: Files, more: string[] = []): string[] =>
  discoverContract([...Object.keys(files), ...more], (path) => files[path] ?? null).checks.map((c) =>
    [c.name, c.dir, c.command].filter((part) => part !== '').join(' = '),
  );
const crate = { 'Cargo.toml': '[package]\nname = "a"\n' };
const guide = (text: string): Files => ({ ...crate, 'CONTRIBUTING.md': `# Contributing\n\n${text}\n` });
const workflow = (steps: string, job = ''): Files => ({
  '.github/workflows/build.yml': `name: Build and deploy\non: [pull_request]\njobs:\n  build:\n    runs-on: ubuntu-latest\n${job}    steps:\n${steps}`,
});

describe('the guides of a repository', () => {
  it.each([
    ['a block', 'Run the tests:\n\n```sh\n$ cargo test --workspace --all-features\n```'],
    ['code in a sentence', 'Run `cargo test --workspace --all-features` before you push.'],
    ['indented code', 'Run the tests:\n\n    cargo test --workspace --all-features\n'],
    [
      'a block after a clone',
      '```console\n$ git clone https://x/a\n$ cd a\n$ cargo test --workspace --all-features\n```',
    ],
  ])('E7: say how tests are run, better than the language alone: %s', (_, text) => {
    expect(checks(guide(text))).toContain('test = cargo test --workspace --all-features');
  });

  it('E7: name the file and the line of a command', () => {
    const files = guide('Some words.\n\n```sh\ncargo test --workspace\n```');
    expect(discoverContract(Object.keys(files), (p) => files[p] ?? null).checks[0]?.source).toBe(
      'CONTRIBUTING.md:6',
    );
  });

  it.each([
    ['of one thing', '`cargo test -p core` and `cargo test some::name`'],
    ['with a place for a name', '`cargo test <name>` or `cargo test [filter]`'],
    ['of another language', '```rust\ncargo test --workspace\n```'],
    ['that is prose', '    make sure all tests pass, please.\n'],
    ['of a project that is not here', '`npm run test`'],
  ])('E7: a command %s is no check', (_, text) => {
    expect(checks(guide(text))).toEqual(['test = cargo test', 'build = cargo build']);
  });

  it('E7: a script that the package lacks is no test of it', () => {
    const told = (scripts: object): string[] =>
      checks({ 'package.json': JSON.stringify({ scripts }), 'CONTRIBUTING.md': 'Run `yarn test`.\n' });
    expect(told({ build: 'gulp' }).join()).not.toContain('test');
    expect(told({ test: 'jest' })).toEqual(['test = npm test']);
  });

  it('E7: of several scripts of a kind, one that is named for it is taken', () => {
    const scripts = { testWeb: 'npm run build && npm run testTsc', testTsc: 'tsc --noEmit' };
    expect(checks({ 'package.json': JSON.stringify({ scripts }) })).toEqual(['types = npm run testTsc']);
    const only = { testWeb: 'webpack && tsc --noEmit' };
    expect(checks({ 'package.json': JSON.stringify({ scripts: only }) })).toEqual([
      'types = npm run testWeb',
    ]);
  });

  it('E7: a formatter that they run to rewrite is run to look', () => {
    expect(checks(guide('Format with `cargo fmt --all`.'))).toContain('format = cargo fmt --all --check');
  });

  it('E7: say less than workflows and named tasks', () => {
    const named = { 'package.json': JSON.stringify({ scripts: { test: 'jest' } }) };
    expect(checks({ ...named, 'CONTRIBUTING.md': 'Use `npx jest`.' })).toEqual(['test = npm test']);
    const ci = workflow('      - run: cargo test --locked\n');
    expect(checks({ ...guide('`cargo test --workspace`'), ...ci })).toContain('test = cargo test --locked');
  });
});

describe('the expressions of a workflow', () => {
  const names = {
    'matrix.os': 'ubuntu',
    [`matrix.${ALL_KNOWN}`]: '',
    'env.FLAGS': '',
    'inputs.dir': UNKNOWN_VALUE,
  };
  it.each([
    ["${{ matrix.os == 'ubuntu' && '--all' || '' }}", '--all'],
    ["${{ matrix.os == 'mac' && '--all' || '--some' }}", '--some'],
    ["${{ matrix.tox || format('py{0}', '3.14') }}", 'py3.14'],
    ['make ${{ matrix.missing }} test', 'make  test'],
    ['make ${{ env.FLAGS }}', 'make '],
    ['${{ inputs.dir || matrix.os }}', UNKNOWN_VALUE],
    ['tox -e ${{ matrix.missing }}', `tox -e ${UNKNOWN_VALUE}`],
    ['make test-${{ matrix.missing }}', `make test-${UNKNOWN_VALUE}`],
    ['${{ secrets.KEY }}', UNKNOWN_VALUE],
    ['${{ ((((( }}', UNKNOWN_VALUE],
  ])('E7: %s', (text, value) => {
    expect(resolveExpressions(text, names)).toBe(value);
  });

  it.each([
    ["github.repository == 'a/b'", true],
    ["github.event_name == 'schedule' || github.repository_owner == 'a'", true],
    ['github.event.pull_request.head.repo.full_name == github.repository', false],
    ["github.actor != 'dependabot[bot]'", true],
    ['github.event.pull_request.draft == false', true],
    ['matrix.missing', false],
    ["needs.changes.outputs.code == 'true'", null],
    ["github.event_name == 'push' && needs.a.outputs.b", false],
  ])('E7: for the pull request of a stranger, %s is %s', (condition, truth) => {
    expect(evaluateCondition(condition, names)).toBe(truth);
  });
});

describe('a workflow', () => {
  it('E7: that builds and then deploys is what a change must pass', () => {
    expect(checks({ 'pom.xml': '', mvnw: '', ...workflow('      - run: ./mvnw -B verify\n') })).toContain(
      'test = ./mvnw -B verify',
    );
  });

  it('E7: is read in the row of its matrix that runs most steps', () => {
    const job = '    strategy:\n      matrix:\n        java: [11, 17, 21]\n';
    const steps =
      '      - if: matrix.java == 17\n        run: ./gradlew spotlessCheck\n      - run: ./gradlew test\n';
    expect(checks({ 'build.gradle': '', gradlew: '', ...workflow(steps, job) })).toEqual([
      'format = ./gradlew spotlessCheck',
      'test = ./gradlew test',
    ]);
  });

  it('E7: starts servers that are no checks', () => {
    const steps = '      - run: npx http-server-test &\n      - run: npm run test\n';
    const files = { 'package.json': JSON.stringify({ scripts: { test: 'jest' } }), ...workflow(steps) };
    expect(checks(files)).toEqual(['test = npm run test']);
  });

  it('E7: runs the tests of the language before scripts of a part', () => {
    const steps =
      '      - run: tests/syntax/regression_test.sh\n      - run: cargo test --locked --release\n';
    expect(checks({ ...crate, ...workflow(steps) })).toContain('test = cargo test --locked --release');
  });

  it('E7: that is made to be called, by nobody who is here, counts', () => {
    const called = (more: Files): string[] =>
      checks({
        ...crate,
        '.github/workflows/check.yml':
          'on:\n  workflow_call:\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: cargo clippy --locked\n',
        ...more,
      });
    expect(called({})).toContain('lint = cargo clippy --locked');
    const release = 'on:\n  release:\njobs:\n  a:\n    uses: ./.github/workflows/check.yml\n';
    expect(called({ '.github/workflows/release.yml': release })).not.toContain(
      'lint = cargo clippy --locked',
    );
  });

  it.each([
    ['make -j2 golint', 'lint = make -j2 golint'],
    ['make -j 4', 'build = make -j 4'],
    ['make all-with-unit-tests', 'build = make all-with-unit-tests'],
  ])('E7: runs tasks by their names: %s', (command, said) => {
    expect(checks({ Makefile: 'test:\n\t./t\n', ...workflow(`      - run: ${command}\n`) })).toContain(said);
  });
});

describe('a folder of several languages', () => {
  it('E7: has each tested by its own task', () => {
    const files = {
      'package.json': JSON.stringify({ scripts: { 'test:unit': 'jest' } }),
      'pyproject.toml': '[project]\nname = "a"\n',
      'tests/test_a.py': '',
      Makefile: 'test:\n\tpython runtests.py\n',
    };
    expect(checks(files).filter((c) => c.includes('test = '))).toEqual([
      'test = make test',
      'node test = npm run test:unit',
    ]);
  });

  it('E7: whose tests run in environments of their own needs only what makes them', () => {
    const files: Files = {
      'tox.ini': '[testenv]\n',
      'setup.py': 'setup()',
      ...workflow('      - run: tox run\n'),
    };
    const learned = discoverContract(Object.keys(files), (p) => files[p] ?? null);
    expect(learned.installs.map((i) => i.command)).toEqual(['pip install tox']);
  });
});
