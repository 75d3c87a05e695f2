/**
 * E13, E15, E19 through the real process: the base is installed and checked before an agent costs
 * anything, the change is compared with it, and people read what happened.
 */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatMessage } from '#playground';
import type { Run } from '#run';
import { cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

/** Its tests fail as the files say: a line each, named as a runner names them. */
const TESTS = `while read -r name; do echo "not ok 1 - $name"; done < failing.txt; echo TAP version 13; echo "ok 2 - works"; ! grep -q . failing.txt`;
const files = (test: string, more: Record<string, string> = {}) => ({
  'package.json': JSON.stringify({ name: 'app', scripts: { test: 'sh test.sh', lint: 'sh lint.sh' } }),
  'test.sh': `${test}\n`,
  'lint.sh': 'true\n',
  'app.txt': 'good\n',
  ...more,
});
const failing = files(TESTS, { 'failing.txt': 'old one\n' });
const CI_OF_ZIG =
  'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: zig build test\n      - run: sh lint.sh\n';
const app = { name: 'app', version: '1.0.0' };
const near = { 'near/package.json': '{"name":"near","version":"1.0.0"}' };
const dependencies = { near: 'file:near' };
const installed = (packages: object): Record<string, string> => ({
  ...near,
  'package.json': JSON.stringify({ ...app, dependencies, scripts: { test: 'test -d node_modules/near' } }),
  'package-lock.json': JSON.stringify({ ...app, lockfileVersion: 3, requires: true, packages }),
  'app.txt': 'good\n',
});
/** Tests beside their sources, of which the change adds one. */
const suite = {
  'package.json': '{"scripts":{"test":"sh run-all.sh"}}\n',
  'run-all.sh': 'for t in tests/*.test.sh; do sh "$t" || exit 1; done\n',
  'tests/first.test.sh': 'test -f app.conf\n',
  'app.conf': 'old\n',
};
const REFUSES =
  "printf 'npm error code E401\\nnpm error 401 Unauthorized - GET https://npm.acme.example/x\\n' >&2; exit 1";

/** A row for each repository: its files, its agent's work, and what the order adds. */
const STORIES = {
  red: { from: failing, agent: 'echo better > app.txt' },
  worse: { from: failing, agent: 'echo new one >> failing.txt' },
  ordered: { from: failing, agent: 'echo better > app.txt', order: 'check="sh test.sh"' },
  lacks: {
    from: {
      'build.zig': '[package]\nname = "app"\nversion = "0.1.0"\n',
      'lint.sh': 'true\n',
      'app.txt': 'good\n',
      '.github/workflows/ci.yml': CI_OF_ZIG,
    },
    agent: 'echo better > app.txt',
  },
  unlocked: { from: installed({ '': app }), agent: 'true' },
  unneeded: {
    from: installed({}),
    agent: 'echo changed > change.txt',
    order: 'check="cat change.txt"',
  },
  kept: {
    from: installed({
      '': { ...app, dependencies },
      'node_modules/near': { resolved: 'near', link: true },
      near: { version: '1.0.0' },
    }),
    agent: 'echo better > app.txt',
  },
  untested: { from: files('echo "===== no tests ran in 0.01s ====="'), agent: 'echo better > app.txt' },
  refused: {
    from: files(`if grep -q better app.txt; then ${REFUSES}; fi; echo "3 passing (2ms)"`),
    agent: 'echo better > app.txt',
  },
  proven: { from: suite, agent: "echo new > app.conf; echo 'grep -q new app.conf' > tests/second.test.sh" },
  listed: {
    from: {
      Makefile: 'test:\n\tsh tests/first.sh\n',
      'tests/first.sh': 'test -f app.conf\n',
      'app.conf': 'old\n',
    },
    agent: `echo new > app.conf; echo 'grep -q new app.conf' > tests/second.sh; printf '\\tsh tests/second.sh\\n' >> Makefile`,
    order: 'check="make test"',
  },
  judge: {
    from: {
      'package.json': '{"scripts":{"test":"sh scripts/test.sh"}}\n',
      'scripts/test.sh': 'grep -q "^good" app.txt\n',
      'app.txt': 'good\n',
    },
    agent: 'echo bad > app.txt; echo exit 0 > scripts/test.sh',
  },
} satisfies Record<string, { from: Record<string, string>; agent: string; order?: string }>;
type Story = keyof typeof STORIES;

describe('a run and its base', () => {
  let product: Product;
  const repoOf = (name: Story): string => `acme/${name}`;
  const run = (name: Story): Run => product.run(repoOf(name)) as Run;
  const steps = (name: Story): string[] =>
    product
      .look()
      .attempts(run(name).id)
      .map(({ step }) => step);
  const agents = (name: Story): number => steps(name).filter((step) => step === 'agent').length;
  const card = (name: Story): Promise<ChatMessage> => cardFor(product.ana, repoOf(name));
  const stopped = (name: Story, words: string): Promise<ChatMessage> =>
    product.ana.waitForMessage((m) => m.text.includes(repoOf(name)) && m.text.includes(words), {
      deadlineMs: PATIENCE,
      what: words,
    });

  beforeAll(async () => {
    product = await createProduct({
      script: 'sh .agent.sh',
      bounds: { maxReflections: 1 },
      config: { maxParallelRuns: 3 },
    });
    for (const [name, { from, agent }] of Object.entries(STORIES))
      await product.github.addRepo({ owner: 'acme', name, from: { ...from, '.agent.sh': `${agent}\n` } });
    product.start();
    for (const [name, story] of Object.entries(STORIES))
      product.ana.sends(`/new acme/${name} Change it ${'order' in story ? story.order : ''}`);
  });
  afterAll(() => product.close());

  it('E15: what fails on the base too is not blamed on the change, and the phone says so', async () => {
    expect((await card('red')).text).toContain('fails, and fails on main too');
    expect(run('red').change.evaluation).toMatchObject({
      passed: true,
      grade: { level: 'NEEDS_REVIEW', gradedBy: ['lint'] },
    });
  });

  it('E15: what fails anew is never hidden behind what failed before', async () => {
    await product.waitForState('NEEDS_HUMAN_REVIEW', repoOf('worse'));
    const seen = run('worse').change.evaluation?.checks.find((c) => c.name === 'test');
    expect(seen).toMatchObject({
      outcome: 'failed',
      failing: ['new one', 'old one'],
      onBase: { outcome: 'failing', excused: false, newFailures: ['new one'] },
    });
    expect(product.github.repo(repoOf('worse')).pushes).toEqual([]);
  });

  it('E15: a check that a person ordered is never excused', async () => {
    await product.waitForState('NEEDS_HUMAN_REVIEW', repoOf('ordered'));
    expect(run('ordered').change.evaluation).toMatchObject({ passed: false });
    expect(agents('ordered')).toBeGreaterThan(0);
  });

  it('E15: what the machine lacks is named, with how to get it, before an agent is started; a person may go on without it', async () => {
    const told = await stopped('lacks', 'needs zig, which is not installed');
    expect(told.text).toContain('https://ziglang.org/download');
    expect([run('lacks').lifecycle.state, agents('lacks')]).toEqual(['NEEDS_HUMAN_REVIEW', 0]);
    await tapOn(product.ana, told, /without/);
    expect((await card('lacks')).text).toContain('No tests were run; judged by lint');
    expect(agents('lacks')).toBe(1);
  });

  it('E15: a base that does not install is told by its first real error, before an agent is started', async () => {
    const told = await stopped('unlocked', 'does not install');
    expect(told.text).toContain('its lockfile does not match its manifest');
    expect([run('unlocked').lifecycle.state, agents('unlocked')]).toEqual(['NEEDS_HUMAN_REVIEW', 0]);
  });

  it('E3: checks that a person ordered are asked all the same when nothing could be installed, since they may not need it', async () => {
    await card('unneeded');
    expect(run('unneeded').change.evaluation?.checks).toMatchObject([
      { command: 'cat change.txt', outcome: 'passed' },
    ]);
  });

  it('E15, E3: what the base installed is used again by later runs, and by what a person orders, also when main has moved on', async () => {
    const first = await card('kept');
    expect(steps('kept').filter((step) => step.includes('install'))).toEqual(['install (base)']);
    expect(steps('kept')).toContain('test');
    await product.github.repo(repoOf('kept')).advance({ 'NEWS.md': 'More.\n' });
    const check = 'cat node_modules/near/package.json';
    product.ana.sends(`/new ${repoOf('kept')} Change it once more check="${check}"`);
    await product.ana.waitForMessage(
      (m) =>
        m.messageId > first.messageId && m.text.startsWith('Open this') && m.text.includes(repoOf('kept')),
      { deadlineMs: PATIENCE, what: 'a second card' },
    );
    expect(steps('kept').filter((step) => step.includes('install'))).toEqual([]);
    expect(run('kept').change.evaluation?.checks).toMatchObject([{ command: check, outcome: 'passed' }]);
  });

  it('E19: a check that ran no test is told as that on the card and in the pull request, and judges nothing', async () => {
    expect((await card('untested')).text).toContain('ran no test');
    const { change, gate } = run('untested');
    expect(change.evaluation).toMatchObject({ passed: true, grade: { gradedBy: ['lint'] } });
    expect(change.evaluation?.checks.find((c) => c.name === 'test')?.outcome).toBe('ran_no_test');
    expect(JSON.stringify(gate.proposal)).toContain('`npm test`: ran no test\\n');
  });

  it('E15: a registry that refuses during a check is told by its name, and no agent is asked to fix it', async () => {
    const told = await stopped('refused', 'A package registry, or the proxy on the way to it, refuses us');
    expect(told.text).toContain('npm.acme.example: 401');
    expect(agents('refused')).toBe(1);
    expect(product.github.repo(repoOf('refused')).pushes).toEqual([]);
  });

  it('E19: tests of the change that are red on the base without the rest of it are said so on the card and in the pull request', async () => {
    const { text } = await card('proven');
    expect(steps('proven')).toContain('test (base, new tests)');
    expect(run('proven').change.evaluation?.checks).toMatchObject([
      { name: 'test', outcome: 'passed', withTestsOnBase: 'fails' },
    ]);
    expect(text).toContain('with the change’s tests alone it fails on main');
    expect(run('proven').gate.proposal?.fields.body).toMatch(
      /With the tests of this change alone, `.+` fails on `main`; here it passes\./,
    );
  });

  it('E19: tests that a Makefile lists are tried on the base with the lines that list them', async () => {
    expect((await card('listed')).text).toContain('with the change’s tests alone it fails on main');
  });

  it('E13, G6: a change that passes only with its own version of a script is not pushed unseen', async () => {
    const { text } = await card('judge');
    expect(text).toContain('Test passes only with the changed scripts/test.sh');
    const { change, gate } = run('judge');
    expect(change.evaluation).toMatchObject({
      passed: true,
      grade: { level: 'NEEDS_REVIEW' },
      checkConfigFiles: {
        files: ['scripts/test.sh'],
        baseResults: [{ name: 'test', outcome: 'failed' }],
      },
    });
    expect(gate.proposal?.fields.assessment).toMatchObject({ decision: 'escalate', risk: 'high' });
    expect(gate.proposal?.fields.evidence).toMatchObject([
      { kind: 'check', name: 'test', outcome: 'passed' },
      { kind: 'check_config', path: 'scripts/test.sh' },
      { kind: 'check_of_base', name: 'test', outcome: 'failed' },
      { kind: 'grade', level: 'NEEDS_REVIEW' },
    ]);
    expect(steps('judge')).toEqual([
      ...['toolchains (base)', 'test (base)', 'agent', 'test', 'test (base’s configuration)'],
    ]);
    expect(product.github.repo(repoOf('judge')).pushes).toEqual([]);
  });
});

it('O2, E15: doctor of a repository does just that without an agent, and says what the machine lacks and how to get it', async () => {
  const made = await createProduct();
  try {
    const repo = (name: string, from: Record<string, string>) =>
      made.github.addRepo({ owner: 'acme', name, from });
    await repo('lacks', { 'build.zig': '', 'lint.sh': 'true\n', '.github/workflows/ci.yml': CI_OF_ZIG });
    const manifest = { name: 'app', engines: { node: '>=99' }, scripts: { test: 'sh test.sh' } };
    await repo('red', { ...failing, 'package.json': JSON.stringify(manifest), '.gitmodules': '' });
    const lacks = await made.cli(['doctor', 'acme/lacks']);
    expect(lacks.out).toContain('needs zig, which is not installed on this machine');
    expect(lacks.out).toContain('https://ziglang.org/download');
    expect(lacks.out).toMatch(/✔ \w+ +`sh lint.sh`/);
    expect([lacks.code, lacks.err]).toEqual([
      69,
      expect.stringContaining('acme/lacks cannot be checked here'),
    ]);
    const red = await made.cli(['doctor', 'acme/red']);
    expect(red.out).toMatch(/! test +`npm test` fails here \(exit 1\)\n +old one\n/);
    const [npm] = /\d+\.\d+\.\d+/.exec(execFileSync('npm', ['--version'], { encoding: 'utf8' })) ?? [];
    expect(red.out).toMatch(new RegExp(`npm +${npm}\n`));
    expect(red.out).toMatch(
      /! node is \d+\.\d+\.\d+ here; the repository asks for >=99 \(package.json:1\)\n/,
    );
    expect(red.out).toContain('! submodules: they are not fetched');
    expect(red.code).toBe(0);
    const inChinese = await made.cli(['doctor', 'acme/lacks'], '', { LC_ALL: 'zh_CN.UTF-8' });
    expect(inChinese.out).toContain('zig');
    expect(inChinese.err).toContain('acme/lacks 在本机无法检查');
    expect(`${inChinese.out}${inChinese.err}`.replaceAll(/`[^`]*`|^… .*$/gm, '')).not.toMatch(
      /[a-z]{2,} [a-z]{2,} [a-z]{2,}/,
    );
    expect((await made.cli(['doctor', 'acme/nothing'])).code).toBe(1);
  } finally {
    await made.close();
  }
});
