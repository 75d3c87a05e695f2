/** E19: a check that CI runs with other versions than this machine has is not judged here. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { checkLine } from '../../bot/views/evidence-lines.ts';
import { discoverContract } from '../../discovery/discover-contract.ts';
import { compareWithBaseline } from '#model/evidence';
import { findEnvironmentGap, type CiVersions, satisfiesVersion } from '#model/environment';
import { describeCheckEvidence } from '../../pull-text/describe-evidence.ts';
import { someBaseline } from '../support/ready-run.ts';

const learn = (workflow: string, files: Record<string, string>) => {
  const all: Record<string, string> = { '.github/workflows/ci.yml': workflow, ...files };
  return discoverContract(Object.keys(all), (path) => all[path] ?? null);
};
type Job = { matrix: string; steps: string; more?: string };
const workflowOf = ({ matrix, steps, more = '' }: Job): string =>
  `on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n${matrix
    .split('\n')
    .map((line) => `        ${line}`)
    .join('\n')}\n    steps:\n${steps
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n')}\n${more}`;
const setUp = (action: string, input: string, value: string, run: string): string =>
  `- uses: ${action}\n  with:\n    ${input}: ${value}\n- run: ${run}`;
const PACKAGE = {
  'package.json': '{"scripts":{"test":"node --test","lint":"eslint ."},"engines":{"node":">=0.8"}}',
};
const versionsOf = (job: Job, files: Record<string, string> = PACKAGE, name = 'test') =>
  learn(workflowOf(job), files).checks.find((one) => one.name === name)?.ciVersions;

const NODE = setUp('actions/setup-node@v4', 'node-version', '${{ matrix.node-version }}', 'npm test');
const FAMILIES: readonly (readonly [string, Job, Record<string, string>, CiVersions[]])[] = [
  [
    'node',
    { matrix: 'node-version: [18.x, 20.x, 22.x]', steps: NODE },
    PACKAGE,
    [{ name: 'node', oldest: '18', newest: '22' }],
  ],
  [
    'python',
    {
      matrix: "python: ['3.9', '3.10', pypy-3.10, '3.13-dev']",
      steps: setUp('actions/setup-python@v5', 'python-version', '${{ matrix.python }}', 'pytest'),
    },
    { 'pyproject.toml': '[project]\nname = "x"\n[tool.pytest.ini_options]\n', 'tests/test_a.py': '' },
    [{ name: 'python', oldest: '3.9', newest: '3.13' }],
  ],
  [
    'go',
    {
      matrix: "go: ['1.21.x', '1.22.x']",
      steps: setUp('actions/setup-go@v5', 'go-version', '${{ matrix.go }}', 'go test ./...'),
    },
    { 'go.mod': 'module x\n\ngo 1.18\n', 'a_test.go': '' },
    [{ name: 'go', oldest: '1.21', newest: '1.22' }],
  ],
  [
    'rust',
    {
      matrix: 'rust: [1.70.0, 1.75.0]',
      steps: setUp('dtolnay/rust-toolchain@master', 'toolchain', '${{ matrix.rust }}', 'cargo test'),
    },
    { 'Cargo.toml': '[package]\nname = "x"\nrust-version = "1.60"\n', 'src/lib.rs': '' },
    [{ name: 'cargo', oldest: '1.70.0', newest: '1.75.0' }],
  ],
  [
    'java',
    {
      matrix: 'java: [8, 11, 17]',
      steps: setUp('actions/setup-java@v4', 'java-version', '${{ matrix.java }}', 'mvn test'),
    },
    { 'pom.xml': '<project></project>', 'src/test/java/ATest.java': '' },
    [{ name: 'java', oldest: '8', newest: '17' }],
  ],
  [
    'ruby',
    {
      matrix: "ruby: ['2.7', '3.2', jruby-9.4]",
      steps: setUp('ruby/setup-ruby@v1', 'ruby-version', '${{ matrix.ruby }}', 'bundle exec rake test'),
    },
    { Gemfile: '', Rakefile: 'task :test' },
    [{ name: 'ruby', oldest: '2.7', newest: '3.2' }],
  ],
  [
    'php',
    {
      matrix: "php: ['7.4', '8.1']",
      steps: setUp('shivammathur/setup-php@v2', 'php-version', '${{ matrix.php }}', 'composer test'),
    },
    { 'composer.json': '{"scripts":{"test":"phpunit"}}' },
    [{ name: 'php', oldest: '7.4', newest: '8.1' }],
  ],
];

describe('the versions that CI runs a check with', () => {
  it.each(FAMILIES)('E19: are known of %s', (_, job, files, versions) => {
    expect(versionsOf(job, files)).toEqual(versions);
  });

  it('E19: stand in rows that are included, and are installed by a script', () => {
    const matrix =
      'name: [Old, New]\ninclude:\n  - name: Old\n    node-version: "0.8"\n  - name: New\n    node-version: "22.0"';
    const steps = '- run: nvm install --default ${{ matrix.node-version }}\n- run: npm test';
    expect(versionsOf({ matrix, steps })).toEqual([{ name: 'node', oldest: '0.8', newest: '22.0' }]);
  });

  it('E19: of one version alone are that version', () => {
    const steps = setUp('actions/setup-node@v4', 'node-version', '20', 'npm test');
    expect(versionsOf({ matrix: 'os: [ubuntu-latest]', steps })).toEqual([
      { name: 'node', oldest: '20', newest: '20' },
    ]);
  });

  it.each(['[18, latest]', '[18, lts/*]', '[18, nightly]', '[18, ">=20"]'])(
    'E19: have no end where CI takes what is newest: %s',
    (list) => {
      expect(versionsOf({ matrix: `node-version: ${list}`, steps: NODE })).toEqual([
        { name: 'node', oldest: '18', newest: null },
      ]);
    },
  );

  it.each(['${{ fromJSON(needs.a.outputs.b) }}', '[lts/*]', '["${{ inputs.node }}"]'])(
    'E19: are not known where CI does not say them: %s',
    (list) => {
      expect(versionsOf({ matrix: `node-version: ${list}`, steps: NODE })).toBeUndefined();
    },
  );

  it('E19: are those of all jobs that run the check, and of no other', () => {
    const job = (id: string, version: string, run: string): string =>
      `  ${id}:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/setup-node@v4\n        with:\n          node-version: ${version}\n      - run: ${run}\n`;
    const of = { matrix: 'node-version: [18, 20]', steps: NODE };
    const files = PACKAGE;
    expect(versionsOf({ ...of, more: job('again', '24', 'npm test') }, files)).toEqual([
      { name: 'node', oldest: '18', newest: '24' },
    ]);
    const linted = { ...of, more: job('lint', '16', 'npm run lint') };
    expect(versionsOf(linted, files)).toEqual([{ name: 'node', oldest: '18', newest: '20' }]);
    expect(versionsOf(linted, files, 'lint')).toEqual([{ name: 'node', oldest: '16', newest: '16' }]);
    const unsaid = '  any:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n';
    expect(versionsOf({ ...of, more: unsaid }, files)).toBeUndefined();
  });

  it('E19: are not told of a tool that the check does not use', () => {
    const steps = `${setUp('actions/setup-python@v5', 'python-version', '3.8', 'python3 -m pip install x')}\n${NODE}`;
    expect(versionsOf({ matrix: 'node-version: [18, 20]', steps })).toEqual([
      { name: 'node', oldest: '18', newest: '20' },
    ]);
  });
});

it('E19: a task of one language is not judged by the tools of another', () => {
  const files = {
    ...PACKAGE,
    'sub/Makefile': 'test:\n\tgo test ./...\n',
    'sub/go.mod': 'module x\n\ngo 1.18\n',
    'sub/a_test.go': '',
  };
  const steps = `${NODE}\n${setUp('actions/setup-go@v5', 'go-version', '1.22', 'make test')}\n  working-directory: sub`;
  const workflow = workflowOf({ matrix: 'node-version: [18, 20]', steps });
  const of = learn(workflow, files).checks.find(({ dir }) => dir === 'sub');
  expect(of).toMatchObject({
    command: 'make test',
    ciVersions: [{ name: 'go', oldest: '1.22', newest: '1.22' }],
  });
});

describe('a check that is red on the base, with a tool of another version than CI has', () => {
  const red = {
    name: 'lint',
    command: 'npm run lint',
    exitCode: 2,
    outcome: 'failed' as const,
    ms: 1,
    tail: 'SyntaxError: Cannot use import statement outside a module',
  };
  const tools = [{ name: 'node', asked: '>=0.8', source: 'package.json:1', version: '24.21.0', fits: true }];
  const gapOf = (versions: CiVersions[]) =>
    findEnvironmentGap(red, { tools, ciVersions: versions, needs: [], ciGreen: false });

  it.each([
    [
      'a newer one',
      { oldest: '0.8', newest: '22.0' },
      'CI uses node 0.8 to 22.0, and this machine has 24.21.0',
    ],
    ['another one', { oldest: '20', newest: '20' }, 'CI uses node 20, and this machine has 24.21.0'],
    [
      'an older one',
      { oldest: '25', newest: null },
      'CI uses node 25 or newer, and this machine has 24.21.0',
    ],
  ])('E19: %s tells of the machine, and the base is not blamed', (_, range, words) => {
    const gap = gapOf([{ name: 'node', ...range }]);
    expect(gap).toEqual({ kind: 'ci_version', name: 'node', ...range, version: '24.21.0' });
    const seen = compareWithBaseline(
      red,
      someBaseline({ checks: [{ ...red, ...(gap ? { environmentGap: gap } : {}) }] }),
    );
    const line = checkLine(seen, 'main', LANGUAGE_TEXTS.en).replaceAll(/<\/?code>/g, '');
    expect(line).toContain(words);
    expect(line).not.toContain('main');
    expect(checkLine(seen, 'main', LANGUAGE_TEXTS.zh)).toMatch(/24\.21\.0/);
    const body = describeCheckEvidence([seen], 'main');
    expect(body).toContain('- `npm run lint`: fails here without this change too: CI uses');
    expect(body).not.toContain('base branch');
  });

  it('E19: a version among those of CI speaks of the base', () => {
    expect(gapOf([{ name: 'node', oldest: '18', newest: '24' }])).toBeNull();
    expect(gapOf([{ name: 'node', oldest: '18', newest: null }])).toBeNull();
    expect(gapOf([{ name: 'go', oldest: '1.18', newest: '1.20' }])).toBeNull();
  });
});

it('E15: rust-version of a manifest is a minimum', () => {
  const asked = learn('on: push\njobs: {}\n', {
    'Cargo.toml': '[package]\nname = "x"\nrust-version = "1.60"\n',
    'src/lib.rs': '',
  }).tools.find(({ name }) => name === 'cargo')?.asked;
  expect(satisfiesVersion('cargo', asked ?? null, '1.80.1')).toBe(true);
  expect(satisfiesVersion('cargo', asked ?? null, '1.59.0')).toBe(false);
});

describe('a container of CI', () => {
  const inContainer = (container: string, steps = '- run: npm test', matrix = 'node: [18, 20, 22]') =>
    learn(
      workflowOf({ matrix, steps }).replace('    strategy:', `    container: ${container}\n    strategy:`),
      PACKAGE,
    ).checks.find(({ name }) => name === 'test')?.ciVersions;
  it.each([
    ['node:20-bookworm', [{ name: 'node', oldest: '20', newest: '20' }]],
    ['{ image: "docker.io/library/node:20.1" }', [{ name: 'node', oldest: '20.1', newest: '20.1' }]],
    ['node:latest', undefined],
    ['perldocker/perl-tester:5.42', undefined],
    ['postgres:16', undefined],
  ])('E19: given %s, then its version is that of CI', (container, versions) => {
    expect(inContainer(container, undefined, 'os: [ubuntu-latest]')).toEqual(versions);
  });
  it('E19: given a matrix or a set-up action beside it, then these say the version', () => {
    const node = (oldest: string, newest = oldest) => [{ name: 'node', oldest, newest }];
    expect(inContainer('node:${{ matrix.node }}')).toEqual(node('18', '22'));
    const setsUp = setUp('actions/setup-node@v4', 'node-version', '22', 'npm test');
    expect(inContainer('node:20', setsUp, 'os: [ubuntu-latest]')).toEqual(node('22'));
  });
});
