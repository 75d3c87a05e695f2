/**
 * E13, G6 through the real process: whoever changes what judges a change is seen, and the base's
 * judges are asked as well.
 */
import { afterEach, expect, it } from 'vitest';
import { createProduct, type Product } from '../../support/product.ts';
import { cardFor } from '../../support/approves.ts';

let product: Product | undefined;
afterEach(() => product?.close());

const FILES = {
  'package.json': '{"scripts":{"test":"sh scripts/test.sh"}}\n',
  'scripts/test.sh': 'grep -q "^good" app.txt\n',
  'app.txt': 'good\n',
};
const begin = async (script: string): Promise<Product> => {
  const made = await createProduct({ script });
  product = made;
  await made.github.addRepo({ owner: 'acme', name: 'app', from: FILES });
  made.start();
  await made.running();
  made.ana.sends('/new acme/app Change it');
  return made;
};

it('E13, G6: a change that passes only with its own version of a script is not pushed unseen', async () => {
  const it = await begin('echo bad > app.txt; echo exit 0 > scripts/test.sh');
  const card = await cardFor(it.ana, 'acme/app', /^Open PR\b/);
  expect(card.text).toContain('Test passes only with the changed scripts/test.sh');
  const { change: { evaluation } = {}, gate: { proposal } = {} } = it.run() ?? {};
  expect(evaluation).toMatchObject({
    passed: true,
    grade: { level: 'NEEDS_REVIEW' },
    checkConfigFiles: { files: ['scripts/test.sh'], baseResults: [{ name: 'test', outcome: 'failed' }] },
  });
  expect(proposal?.fields.assessment).toMatchObject({ decision: 'escalate', risk: 'high' });
  expect(proposal?.fields.evidence).toMatchObject([
    { kind: 'check', name: 'test', outcome: 'passed' },
    { kind: 'check_config', path: 'scripts/test.sh' },
    { kind: 'check_of_base', name: 'test', outcome: 'failed' },
    { kind: 'grade', level: 'NEEDS_REVIEW' },
  ]);
  const names = it
    .look()
    .attempts()
    .map((a) => a.step);
  expect(names).toEqual(['toolchains (base)', 'test (base)', 'agent', 'test', 'test (base’s configuration)']);
  expect(it.github.repo('acme/app').pushes).toEqual([]);
});

it('E13: a change of a script that the base’s version passes as well is named', async () => {
  const it = await begin('echo good again > app.txt; echo "# checks" >> scripts/test.sh');
  const card = await cardFor(it.ana, 'acme/app', /^Open PR\b/);
  expect(card.text).toContain('scripts/test.sh');
  expect(it.run()?.change.evaluation?.checkConfigFiles).toMatchObject({
    baseResults: [{ outcome: 'passed' }],
  });
});
