/** E19 through the real process: tests that the change adds are run on the base without the rest of it. */
import { afterEach, expect, it } from 'vitest';
import { createProduct, type Product } from '../../support/product.ts';
import { cardFor } from '../../support/approves.ts';

let product: Product | undefined;
afterEach(() => product?.close());

const FILES = {
  'package.json': '{"scripts":{"test":"sh run-all.sh"}}\n',
  'run-all.sh': 'for t in tests/*.test.sh; do sh "$t" || exit 1; done\n',
  'tests/first.test.sh': 'test -f app.conf\n',
  'app.conf': 'old\n',
};
const change = async (script: string) => {
  const made = await createProduct({ script });
  product = made;
  await made.github.addRepo({ owner: 'acme', name: 'app', from: FILES });
  made.start();
  await made.running();
  made.ana.sends('/new acme/app Change it');
  const card = await cardFor(made.ana, 'acme/app', /^Open PR\b/);
  const steps = made
    .look()
    .attempts()
    .map(({ step }) => step);
  const { gate: { proposal } = {}, change: { evaluation } = {} } = made.run() ?? {};
  return { card: card.text, steps, body: proposal?.fields.body ?? '', checks: evaluation?.checks ?? [] };
};

it('E19: a test that is red there and green here is said so on the card and in the pull request', async () => {
  const made = await change("echo new > app.conf; echo 'grep -q new app.conf' > tests/second.test.sh");
  expect(made.steps).toContain('test (base, new tests)');
  expect(made.checks).toMatchObject([{ name: 'test', outcome: 'passed', withTestsOnBase: 'fails' }]);
  expect(made.card).toContain('with the change’s tests alone it fails on main');
  expect(made.body).toMatch(/With the tests of this change alone, `.+` fails on `main`; here it passes\./);
});

it('E19: one that is green there too is a caution, and the pull request claims nothing of it', async () => {
  const made = await change("echo new > app.conf; echo 'test -s app.conf' > tests/second.test.sh");
  expect(made.checks).toMatchObject([{ withTestsOnBase: 'passes' }]);
  expect(made.card).toContain('with the change’s tests alone it also passes on main');
  expect(made.body).not.toContain('new tests');
});
