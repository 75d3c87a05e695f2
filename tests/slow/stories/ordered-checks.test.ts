/** E3: checks that a person ordered in place of the repository's own. */
import { afterEach, expect, it } from 'vitest';
import { createProduct, type Product } from '../../support/product.ts';

const REPO = 'acme/app';
const NEAR = { name: 'near', version: '1.0.0' };
const dependencies = { near: 'file:near' };
const locked = {
  name: 'app',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'app', version: '1.0.0', dependencies },
    'node_modules/near': { resolved: 'near', link: true },
    near: { version: '1.0.0' },
  },
};

let product: Product | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});
const checked = async (lock: object, check: string) => {
  product = await createProduct({ script: 'echo changed > change.txt' });
  await product.github.addRepo({
    owner: 'acme',
    name: 'app',
    from: {
      'package.json': JSON.stringify({ name: 'app', version: '1.0.0', private: true, dependencies }),
      'package-lock.json': JSON.stringify(lock),
      'near/package.json': JSON.stringify(NEAR),
    },
  });
  product.start();
  product.ana.sends(`/new ${REPO} Look around check="${check}"`);
  const run = await product.waitForState('PUSHED', REPO);
  return run.change.evaluation?.checks.map(({ command, outcome }) => ({ command, outcome }));
};

it('E3: find the dependencies installed', async () => {
  const command = 'cat node_modules/near/package.json';
  expect(await checked(locked, command)).toEqual([{ command, outcome: 'passed' }]);
});

it('E3: are asked all the same when nothing could be installed, since they may not need it', async () => {
  const command = 'cat change.txt';
  expect(await checked({ ...locked, packages: {} }, command)).toEqual([{ command, outcome: 'passed' }]);
});
