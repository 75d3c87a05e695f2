/** E19: commands that list, plan or compile tests are told from those that run them. */
import { describe, expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { cannotFail, isListingOnly } from '../../discovery/listing-options.ts';
import { readVerdict } from '../../executors/checks/read-verdict.ts';

const TOLD_TO_PASS = String.raw`
golangci-lint run --issues-exit-code=0
golangci-lint run --issues-exit-code 0 ./...
mvn -fn verify
mvn --fail-never test
mvn -Dmaven.test.failure.ignore=true verify
mix credo --mute-exit-status
mix dialyzer --ignore-exit-status
pylint --fail-under=0 src
MAVEN_ARGS=-fn mvn verify
cd app && mvn -fn verify
python -m pylint --fail-under 0 src
`;
const LISTINGS = String.raw`
tox -l
tox list
tox -a
tox --listenvs
tox -e py311 --notest
tox run -e py --notest
tox -q --showconfig
tox config -e py
python -m tox -l
nox -l
nox --list
nox --install-only
nox -s tests --install-only
make -n test
make --dry-run check
make -kn test
gmake -n
make -C sub -n test
ninja -n test
ninja -C build -n
ctest -N
ctest --show-only=json-v1
ctest --test-dir build -N
cargo test --no-run
cargo test --all -- --list
cargo nextest list
cargo nextest run --no-run
cargo +nightly nextest list
go test -list . ./...
go test -list=.* ./...
go test -c ./pkg
go test -run ^$ ./...
go test -run='^$' ./...
meson test --list -C build
npx jest --listTests
jest --showConfig
npx vitest list
yarn vitest list
mocha --dry-run
npx playwright test --list
swift test list
swift test --list-tests
bundle exec rspec --dry-run
rspec --dry-run
./gradlew test --dry-run
./gradlew -m test
gradle tasks
gradle :app:tasks --all
npm test -- --listTests
npm run test -- --list
yarn test --listTests
pnpm test --collect-only
rake -n test
rake -T
rake --tasks
bundle exec rake -P
pytest --collect-only
pytest --co -q
python -m pytest --fixtures
uv run pytest --markers
coverage run -m pytest --collect-only
pytest --setup-plan
mvn -DskipTests test
mvn test -Dmaven.test.skip=true
./mvnw -q -DskipTests verify
dotnet test --list-tests
dotnet test -t
bazel query //...
bazel test --nobuild //...
phpunit --list-tests
vendor/bin/phpunit --list-suites
pest --list-tests
tox -- --collect-only
cucumber --dry-run
just --list
just -n test
task --dry test
cd app && pytest --collect-only
pytest --collect-only | tail -3
pytest --version
go test -n ./...
turbo run test --dry-run
turbo test --dry=json
nx run-many -t test --graph
sbt Test/compile
sbt "show Test/definedTestNames"
xcodebuild -list
xcodebuild build-for-testing
cabal test --dry-run
deno test --no-run
bats --count test
shellspec --list examples
busted --list
prove -D
composer test -- --list-tests
MAKEFLAGS=-n make test
MAKEFLAGS=n make test
env MAKEFLAGS=-kn make test
PYTEST_ADDOPTS="--collect-only -q" tox -e py311
GOFLAGS=-run=^$ go test ./...
SPEC_OPTS=--dry-run bundle exec rspec
MAVEN_ARGS=-DskipTests mvn verify
jest --watch
npx jest --watchAll
npm test -- --watchAll
vitest --watch
vitest watch
mocha -w
node --test --watch
tsc -w --noEmit
cargo watch -x test
nodemon --exec mocha
`;
const RUNS = String.raw`
golangci-lint run --issues-exit-code=2
mvn -Dmaven.test.failure.ignore=false verify
mix credo --strict
pylint --fail-under=9.5 src
tox
tox -e py311
tox -e alldeps-withcov-posix
tox -e devenv
tox -e list
tox -e py,lint
tox --parallel auto
tox -p
tox run-parallel
nox
nox -s tests
nox -R -s tests
make test
make -j4 test
make -C tests check
make -s test
make -k check
make -f tests.mk test
make
ctest --test-dir build --output-on-failure
ctest -j4
ctest -R net
cargo test
cargo test --no-fail-fast
cargo test -- --nocapture
cargo nextest run
cargo test --no-default-features
go test ./...
go test -count=1 ./...
go test -run TestX ./...
go test -race -cover ./...
meson test -C build
jest
jest --coverage
vitest run
mocha --recursive
npx playwright test
swift test
swift test --parallel
rspec
rspec -f d
./gradlew test
./gradlew check
gradle build -x lint
npm test
npm run test -- --coverage
npm test -- --run
yarn test
pnpm -r test
rake
rake test
rake -t spec
pytest
pytest -n auto
pytest -q -k list
pytest -m "not slow"
pytest --cov=pkg tests
coverage run -m pytest
mvn test
mvn -B verify
mvn -DskipTests=false verify
mvn -V -B test
mvn -DskipITs verify
dotnet test
dotnet test -c Release
bazel test //...
phpunit
phpunit --testdox
tox -l && tox
pytest --collect-only && pytest
tox -l; make check
python -m unittest discover
cd app && npm test
just test
just -f x.just test
task test
turbo run test
nx run-many -t test
sbt test
xcodebuild test -scheme X
cabal test
deno test
bats test
prove -l t
composer test
hatch test
hatch run test
node --test
./run-tests.sh
eslint .
ruff check .
tsc --noEmit
golangci-lint run
pre-commit run -a
bash tests/run.sh
behave
robot tests
jest --watchAll=false
npm test -- --watchAll=false
vitest run --watch=false
MAKEFLAGS=-j4 make test
PYTEST_ADDOPTS=--color=yes pytest
GOFLAGS=-mod=vendor go test ./...
MAVEN_OPTS=-Xmx2g mvn verify
`;
const linesOf = (text: string): string[] => text.trim().split('\n');

const testsOf = (files: Record<string, string>): string[] =>
  discoverContract(Object.keys(files), (path) => files[path] ?? null)
    .checks.filter(({ name }) => name.endsWith('test'))
    .map(({ command }) => command);

const workflow = (...runs: string[]): string =>
  `on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${runs.map((run) => `      - run: ${run}\n`).join('')}`;

describe('a command that runs nothing', () => {
  it('E19: is known by the options and sub-commands of each tool', () => {
    expect(linesOf(LISTINGS).filter((command) => !isListingOnly(command))).toEqual([]);
  });

  it('E19: is known by a variable that its script exports', () => {
    expect(isListingOnly('export PYTEST_ADDOPTS=--co; pytest')).toBe(true);
    expect(isListingOnly('export PYTEST_ADDOPTS=-v; pytest')).toBe(false);
  });

  it('E19: is none of those that run something', () => {
    expect(linesOf(RUNS).filter((command) => isListingOnly(command) || cannotFail(command))).toEqual([]);
    expect(cannotFail('mvn -fn verify && make check')).toBe(false);
  });

  it('E19: is no check of a repository, also where a script or a target hides it', () => {
    const ci = '.github/workflows/ci.yml';
    const found = linesOf(LISTINGS + TOLD_TO_PASS).flatMap((command) =>
      testsOf({ [ci]: workflow(JSON.stringify(command)) }),
    );
    expect(found).toEqual([]);
    const script = JSON.stringify({ scripts: { test: 'jest --listTests' } });
    expect(testsOf({ 'package.json': script, [ci]: workflow('npm test') })).toEqual([]);
    expect(testsOf({ Makefile: 'test:\n\t@tox -l\n', [ci]: workflow('make test') })).toEqual([]);
  });

  it('E19: has not passed when it ends well, and is a failure when it does not', () => {
    const end = { ended: 'exited', signal: null, ms: 1, stdout: 'py311\npy312\n', stderr: '' } as const;
    const judge = (command: string, exitCode: number): string =>
      readVerdict({ kind: 'check', command, end: { ...end, exitCode }, refusal: null }).outcome;
    expect([judge('tox -l', 0), judge('tox -l', 1), judge('tox', 0)]).toEqual([
      'ran_no_test',
      'failed',
      'passed',
    ]);
  });
});

describe('a command that is told to pass', () => {
  const judge = (command: string, stdout: string, exitCode = 0) =>
    readVerdict({
      kind: 'check',
      command,
      end: { ended: 'exited', signal: null, ms: 1, stdout, stderr: '', exitCode },
      refusal: null,
    });
  it('E19: lists nothing, and cannot fail', () => {
    expect(linesOf(TOLD_TO_PASS).filter((command) => !cannotFail(command))).toEqual([]);
    expect(linesOf(TOLD_TO_PASS).filter((command) => isListingOnly(command))).toEqual([]);
  });
  it('E19: proves nothing by ending well, and is not said to list', () => {
    const verdicts = linesOf(TOLD_TO_PASS).map((command) => judge(command, 'done\n'));
    expect(
      verdicts.filter(({ outcome, tail }) => outcome !== 'ran_no_test' || !/proves nothing/.test(tail)),
    ).toEqual([]);
    expect(judge('pylint --fail-under=0 src', 'done\n', 1).outcome).toBe('failed');
  });
  it('E19: is judged by the tests that it counts', () => {
    const counted = (failures: number): string =>
      `[INFO] Tests run: 400, Failures: ${failures}, Errors: 0, Skipped: 0\n`;
    expect(judge('mvn -fn verify', counted(2)).outcome).toBe('failed');
    expect(judge('mvn -fn verify', counted(0)).outcome).toBe('passed');
    expect(judge('mvn -fn verify', `${counted(0)}[ERROR] COMPILATION ERROR : \n`).outcome).toBe('failed');
    expect(judge('mvn -DskipTests verify', counted(2)).outcome).toBe('failed');
  });
});

describe('tox and nox', () => {
  const ci = '.github/workflows/ci.yml';
  const ini =
    '[tox]\nenvlist = py\n[testenv]\ncommands = pytest\n[testenv:pkgmeta-x]\ncommands =\n  check-manifest\n';
  it.each([
    'tox -e alldeps-withcov-posix',
    'tox -e py312,lint',
    'tox --parallel auto',
    'tox run-parallel -e py312-cov',
    'nox -s lint tests-3.12',
  ])('E19: %s is a run', (command) => {
    expect(testsOf({ 'tox.ini': ini, [ci]: workflow(command) })).toEqual([command]);
  });
  it.each(['tox -e docs', 'tox -e pkgmeta-x', 'tox -e release-notes'])('E19: %s tests nothing', (command) => {
    expect(testsOf({ 'tox.ini': ini, [ci]: workflow(command) })).not.toContain(command);
  });
});

const STEP = 'on: [pull_request]\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ';
it.each([
  ['clang-format -n src/a.c', 0],
  ['clang-format -Werror src/a.c', 0],
  ['clang-format -n -Werror src/a.c', 1],
  ['clang-format --dry-run --Werror src/a.c', 1],
  ['tflint --force', 0],
  ['tflint', 1],
])('E19: a linter that passes whatever it finds is no check: %s', (command, count) => {
  const files: Record<string, string> = {
    'CMakeLists.txt': 'project(a)\n',
    'a.tf': '',
    '.github/workflows/ci.yml': `${STEP}${command}\n`,
  };
  const { checks } = discoverContract(Object.keys(files), (path) => files[path] ?? null);
  expect(checks.filter((one) => one.command === command)).toHaveLength(count);
});
