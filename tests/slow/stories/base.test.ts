/**
 * E15 through the real process: the base is installed and checked before an agent costs anything,
 * and the change is compared with it.
 */
import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPO = 'acme/app';
let product: Product | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

/** Its tests fail as the files say: a line each, named as a runner names them. */
const TESTS = `while read -r name; do echo "not ok 1 - $name"; done < failing.txt; echo TAP version 13; echo "ok 2 - works"; ! grep -q . failing.txt`;
const files = (failing: string, more: Record<string, string> = {}) => ({
  'package.json': JSON.stringify({ name: 'app', scripts: { test: 'sh test.sh', lint: 'sh lint.sh' } }),
  'test.sh': `${TESTS}\n`,
  'lint.sh': 'true\n',
  'failing.txt': failing,
  'app.txt': 'good\n',
  ...more,
});
const begin = async (script: string, from: Record<string, string>, order = ''): Promise<Product> => {
  const made = await createProduct({ script });
  product = made;
  await made.github.addRepo({ owner: 'acme', name: 'app', from });
  made.start();
  await made.running();
  made.ana.sends(`/new ${REPO} Change it ${order}`);
  return made;
};
const agents = (it: Product): number =>
  it
    .look()
    .attempts()
    .filter((a) => a.step === 'agent').length;
const stopped = (it: Product, words: string) =>
  it.ana.waitForMessage((m) => m.text.includes(words), { deadlineMs: PATIENCE, what: words });

it('E15: what fails on the base too is not blamed on the change, and the phone says so', async () => {
  const it = await begin('echo better > app.txt', files('old one\n'));
  const card = await cardFor(it.ana, REPO, /^Open PR\b/);
  expect(card.text).toContain('fails, and fails on main too');
  expect(it.run()?.change.evaluation).toMatchObject({
    passed: true,
    grade: { level: 'NEEDS_REVIEW', gradedBy: ['lint'] },
  });
});

it('E15: what fails anew is never hidden behind what failed before', async () => {
  const it = await begin('echo new one >> failing.txt', files('old one\n'));
  await it.waitForState('NEEDS_HUMAN_REVIEW', REPO);
  const seen = it.run()?.change.evaluation?.checks.find((c) => c.name === 'test');
  expect(seen).toMatchObject({
    outcome: 'failed',
    failing: ['new one', 'old one'],
    onBase: { outcome: 'failing', excused: false, newFailures: ['new one'] },
  });
  expect(it.github.repo(REPO).pushes).toEqual([]);
});

it('E15: what the change turns green is proof', async () => {
  const it = await begin(': > failing.txt', files('old one\n'));
  await cardFor(it.ana, REPO);
  expect(it.run()?.change.evaluation).toMatchObject({ passed: true, grade: { gradedBy: ['lint', 'test'] } });
});

it('E15: a check that a person ordered is never excused', async () => {
  const it = await begin('echo better > app.txt', files('old one\n'), 'check="sh test.sh"');
  await it.waitForState('NEEDS_HUMAN_REVIEW', REPO);
  expect(it.run()?.change.evaluation).toMatchObject({ passed: false });
  expect(agents(it)).toBeGreaterThan(0);
});

it('E15: what the machine lacks is named, with how to get it, before an agent is started; a person may go on without it', async () => {
  const manifest = '[package]\nname = "app"\nversion = "0.1.0"\n';
  const ci =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: zig build test\n      - run: sh lint.sh\n';
  const it = await begin('echo better > app.txt', {
    'build.zig': manifest,
    'lint.sh': 'true\n',
    'app.txt': 'good\n',
    '.github/workflows/ci.yml': ci,
  });
  const card = await stopped(it, 'needs zig, which is not installed');
  expect(card.text).toContain('https://ziglang.org/download');
  expect([it.run()?.lifecycle.state, agents(it)]).toEqual(['NEEDS_HUMAN_REVIEW', 0]);
  await tapOn(it.ana, card, /without/);
  const gate = await cardFor(it.ana, REPO, /^Open PR\b/);
  expect(gate.text).toContain('No tests were run; judged by lint');
  expect(agents(it)).toBe(1);
});

it('E15: a base that does not install is told by its first real error, before an agent is started', async () => {
  const it = await begin('true', {
    'package.json': JSON.stringify({
      name: 'app',
      version: '1.0.0',
      dependencies: { near: 'file:near' },
      scripts: { test: 'true' },
    }),
    'near/package.json': '{"name":"near","version":"1.0.0"}',
    'package-lock.json':
      '{"name":"app","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"app"}}}',
  });
  const card = await stopped(it, 'does not install');
  expect(card.text).toContain('its lockfile does not match its manifest');
  expect([it.run()?.lifecycle.state, agents(it)]).toEqual(['NEEDS_HUMAN_REVIEW', 0]);
});

it('E15: what the base installed is used again by later rounds and runs, also when main has moved on', async () => {
  const dependencies = { near: 'file:near' };
  const app = { name: 'app', version: '1.0.0' };
  const packages = {
    '': { ...app, dependencies },
    'node_modules/near': { resolved: 'near', link: true },
    near: { version: '1.0.0' },
  };
  const it = await begin('echo better > app.txt', {
    'package.json': JSON.stringify({ ...app, dependencies, scripts: { test: 'test -d node_modules/near' } }),
    'package-lock.json': JSON.stringify({ ...app, lockfileVersion: 3, requires: true, packages }),
    'near/package.json': '{"name":"near","version":"1.0.0"}',
    'app.txt': 'good\n',
  });
  const first = await cardFor(it.ana, REPO);
  await it.github.repo(REPO).advance({ 'NEWS.md': 'More.\n' });
  it.ana.sends(`/new ${REPO} Change it once more`);
  await it.ana.waitForMessage((m) => m.messageId > first.messageId && m.text.startsWith('Open this'), {
    deadlineMs: PATIENCE,
    what: 'a second card',
  });
  const steps = it
    .look()
    .attempts()
    .map((a) => a.step);
  expect(steps.filter((step) => step.includes('install'))).toEqual(['install (base)']);
  expect(steps.filter((step) => step === 'test')).toHaveLength(2);
});

it('O2, E15: doctor of a repository does just that without an agent, and says what the machine lacks and how to get it', async () => {
  const ci =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: zig build test\n      - run: sh lint.sh\n';
  const made = await createProduct();
  product = made;
  const repo = (name: string, from: Record<string, string>) =>
    made.github.addRepo({ owner: 'acme', name, from });
  await repo('lacks', { 'build.zig': '', 'lint.sh': 'true\n', '.github/workflows/ci.yml': ci });
  const manifest = { name: 'app', engines: { node: '>=99' }, scripts: { test: 'sh test.sh' } };
  await repo('red', files('old one\n', { 'package.json': JSON.stringify(manifest) }));
  const lacks = await made.cli(['doctor', 'acme/lacks']);
  expect(lacks.out).toContain('needs zig, which is not installed on this machine');
  expect(lacks.out).toContain('https://ziglang.org/download');
  expect(lacks.out).toMatch(/✔ \w+ +`sh lint.sh`/);
  expect([lacks.code, lacks.err]).toEqual([69, expect.stringContaining('acme/lacks cannot be checked here')]);
  const red = await made.cli(['doctor', 'acme/red']);
  expect(red.out).toMatch(/! test +`npm test` fails here \(exit 1\)\n +old one\n/);
  const [npm] = /\d+\.\d+\.\d+/.exec(execFileSync('npm', ['--version'], { encoding: 'utf8' })) ?? [];
  expect(red.out).toMatch(new RegExp(`npm +${npm}\n`));
  expect(red.out).toMatch(/! node is \d+\.\d+\.\d+ here; the repository asks for >=99 \(package.json:1\)\n/);
  expect(red.code).toBe(0);
  const inChinese = await made.cli(['doctor', 'acme/lacks'], '', { LC_ALL: 'zh_CN.UTF-8' });
  expect(inChinese.out).toContain('zig');
  expect(inChinese.err).toContain('acme/lacks 在本机无法检查');
  expect(`${inChinese.out}${inChinese.err}`.replaceAll(/`[^`]*`|^… .*$/gm, '')).not.toMatch(
    /[a-z]{2,} [a-z]{2,} [a-z]{2,}/,
  );
  await repo('kept', {
    'package.json': files('')['package.json'],
    'test.sh': 'echo pointer; exit 3\n',
    '.gitmodules': '',
  });
  const kept = await made.cli(['doctor', 'acme/kept']);
  expect(kept.out).toMatch(/fails here \(exit 3\)\n +> sh test.sh\n +pointer\n/);
  expect(kept.out).toContain('! submodules: they are not fetched');
  const none = await made.cli(['doctor', 'acme/nothing']);
  expect(none.code).toBe(1);
  expect((await made.cli(['doctor', '../nothing'])).code).toBe(2);
});
