/** E7: a check is what runs as it is written: with its values, its plug-ins, and able to fail. */
import { expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';

type Files = Readonly<Record<string, string>>;
const contractOf = (files: Files) => discoverContract(Object.keys(files), (path) => files[path] ?? null);
const checksOf = (files: Files): string[] => contractOf(files).checks.map(({ command }) => command);
const workflow = (...commands: string[]): Files => ({
  '.github/workflows/ci.yml': `on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n${commands.map((command) => `      - run: ${command}\n`).join('')}`,
});
const PYTHON = { 'setup.py': '', 'tests/test_a.py': '' };

it.each([
  ['a test for a value', 'test:\n\t@test -n "$(PKG)" || (echo "PKG?"; exit 1)\n\tgo test ./$(PKG)\n'],
  ['a variable of the shell', 'test:\n\t@[ -z "$$PKG" ] && exit 1 || go test "$$PKG"\n'],
  ['an expansion that stops', 'test:\n\tgo test "$${PKG:?name a package}"\n'],
  ['an error of make', 'test:\nifndef PKG\n\t$(error PKG is not set)\nendif\n\tgo test ./$(PKG)\n'],
  ['a target before it', 'test: has-pkg\n\tgo test ./$(PKG)\n\nhas-pkg:\n\t@test -n "$(PKG)" || exit 1\n'],
])('E7: a target that needs a variable is no check: %s', (_, Makefile) => {
  const files = { 'go.mod': 'module a.b/c\n', 'a_test.go': 'package c\n', Makefile };
  expect(checksOf(files)).toContain('go test ./...');
  expect(checksOf(files)).not.toContain('make test');
  expect(checksOf({ ...files, Makefile: `PKG ?= all\n${Makefile}` })).toContain('make test');
  expect(checksOf({ ...files, ...workflow('make test PKG=all') })).toContain('make test PKG=all');
});

it('E7: a recipe of just that takes a value is no check, and one with a value of its own is', () => {
  const rust = { 'Cargo.toml': '[package]\nname="a"\n', 'tests/a.rs': '' };
  const taken = (header: string) => checksOf({ ...rust, justfile: `${header}\n  cargo test\n` });
  expect(taken('test name:')).not.toContain('just test');
  expect(taken('test +names:')).not.toContain('just test');
  for (const header of ['test:', 'test name="all":', 'test *args:', "test name='' *args: build"])
    expect(taken(header), header).toContain('just test');
});

it('E7: a formatter that lists what it rewrites is a check with the difference it makes', () => {
  const found = checksOf({
    'a.sh': '',
    'tests/run.sh': '',
    ...workflow('shfmt -l -w .', 'bash tests/run.sh'),
  });
  expect(found).toContain('shfmt -l -w . && git diff --exit-code');
  expect(checksOf({ 'a.sh': '', ...workflow('shfmt -l -d .') })).toContain('shfmt -l -d .');
});

it('E7: a word inside of an argument is no tool', () => {
  const rust = { 'Cargo.toml': '[package]\nname="a"\n', 'tests/a.rs': '', 'ci.sh': '' };
  const found = checksOf({ ...rust, ...workflow('./ci.sh unix_standard_build', 'cargo test') });
  expect(found.join()).not.toContain('ci.sh');
  expect(checksOf({ ...rust, ...workflow('./ci.sh lint', 'cargo test') })).toContain('./ci.sh lint');
});

it('E7: pytest of CI comes before a guess at unittest, with the plug-ins that its options need', () => {
  const { installs, checks } = contractOf({
    ...PYTHON,
    ...workflow(
      'pip install -e .',
      'pip install pytest pytest-xdist pytest-cov',
      'pytest -n auto --cov=a --cov-report=xml',
    ),
  });
  expect(checks.map(({ command }) => command)).toEqual(['pytest -n auto --cov=a --cov-report=xml']);
  expect(installs.map(({ command }) => command)).toEqual([
    'pip install -e .',
    'pip install pytest pytest-xdist pytest-cov',
  ]);
});

it('E7: of Nix it is said that only what workflows run is checked', () => {
  expect(contractOf({ 'flake.nix': '{}', 'pkgs/a.nix': '' }).riskFlags.join()).toContain('Nix is not known');
});
