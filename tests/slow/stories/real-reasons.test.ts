/**
 * What people read of a run is what happened: which dependency it adds, that no test was run, that a
 * registry failed and no test did.
 */
import { afterEach, expect, it } from 'vitest';
import { cardFor } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPO = 'acme/app';
let product: Product | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

const files = (test: string) => ({
  'package.json': JSON.stringify({ name: 'app', scripts: { test: 'sh test.sh', lint: 'sh lint.sh' } }),
  'test.sh': `${test}\n`,
  'lint.sh': 'true\n',
  'app.txt': 'good\n',
});
const begin = async (script: string, from: Record<string, string>): Promise<Product> => {
  const made = await createProduct({ script });
  product = made;
  await made.github.addRepo({ owner: 'acme', name: 'app', from });
  made.start();
  await made.running();
  made.ana.sends(`/new ${REPO} Change it`);
  return made;
};
const rounds = (it: Product): number =>
  it
    .look()
    .attempts()
    .filter((a) => a.step === 'agent').length;

it('C9: the card names the dependency that a change adds, its version and where', async () => {
  const it = await begin(
    `sed -i 's/"name":"app"/"name":"app","dependencies":{"left-pad":"^1.3.0"}/' package.json`,
    files('echo "1 passing (2ms)"'),
  );
  const card = await cardFor(it.ana, REPO, /^Open PR\b/);
  expect(card.text).toContain('This adds the dependency left-pad ^1.3.0 (package.json)');
  expect(card.text).not.toContain('no policy allows this by itself');
});

it('E19: a check that ran no test is told as that on the card and in the pull request, and judges nothing', async () => {
  const it = await begin('echo better > app.txt', files('echo "===== no tests ran in 0.01s ====="'));
  const card = await cardFor(it.ana, REPO, /^Open PR\b/);
  expect(card.text).toContain('ran no test');
  expect(it.run()?.change.evaluation).toMatchObject({ passed: true, grade: { gradedBy: ['lint'] } });
  expect(it.run()?.change.evaluation?.checks.find((c) => c.name === 'test')?.outcome).toBe('ran_no_test');
  expect(JSON.stringify(it.run()?.gate.proposal)).toContain('`npm test`: ran no test\\n');
});

it('E19: a change that takes the tests away does not pass by it', async () => {
  const it = await begin('rm tests.txt', {
    ...files('if [ -e tests.txt ]; then echo "3 passing (2ms)"; else echo "  0 passing (0ms)"; fi'),
    'tests.txt': 'x\n',
  });
  await it.waitForState('NEEDS_HUMAN_REVIEW', REPO);
  expect(it.run()?.change.evaluation?.checks.find((c) => c.name === 'test')).toMatchObject({
    outcome: 'ran_no_test',
    onBase: { outcome: 'tested', excused: false },
  });
  expect(it.github.repo(REPO).pushes).toEqual([]);
});

it('E15: a registry that refuses during a check is told by its name, and no agent is asked to fix it', async () => {
  const refuses =
    "printf 'npm error code E401\\nnpm error 401 Unauthorized - GET https://npm.acme.example/x\\n' >&2; exit 1";
  const it = await begin(
    'echo better > app.txt',
    files(`if grep -q better app.txt; then ${refuses}; fi; echo "3 passing (2ms)"`),
  );
  const words = 'A package registry, or the proxy on the way to it, refuses us';
  const told = await it.ana.waitForMessage((m) => m.text.includes(words), {
    deadlineMs: PATIENCE,
    what: words,
  });
  expect(told.text).toContain('npm.acme.example: 401');
  expect(rounds(it)).toBe(1);
  expect(it.github.repo(REPO).pushes).toEqual([]);
});
