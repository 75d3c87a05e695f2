/** F5 through the real chat: the last requests of an hour, and the next hour. */
import { afterAll, expect, it } from 'vitest';
import { cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

let product: Product | undefined;
afterAll(() => product?.close());

it('F5: with few requests left nothing new begins, what was begun is opened, nobody is refused, and the next hour goes on', async () => {
  product = await createProduct({ script: 'echo good > app.txt' });
  const { ana, github } = product;
  const add = (name: string) =>
    github.addRepo({
      owner: 'acme',
      name,
      from: { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'bad\n' },
    });
  const begun = await add('begun');
  await add('next');
  product.start();
  await product.running();
  ana.sends('/new acme/begun Make it good');
  const card = await cardFor(ana, 'acme/begun');
  const few = Math.floor(github.rate.limit / 10);
  const over = Date.now() + 7_000;
  Object.assign(github.rate, { used: github.rate.limit - few, resetAt: over });
  await tapOn(ana, card, /^Open PR\b/);
  await tapOn(ana, await cardFor(ana, 'acme/begun', /^Confirm\b/), /^Confirm\b/);
  await ana.waitForMessage((m) => /Pull request #\d+ opened/.test(m.text), { deadlineMs: PATIENCE });
  expect(begun.pulls).toHaveLength(1);

  const ofNext = () => github.calls.filter(({ path }) => path.includes('/acme/next'));
  ana.sends('/new acme/next Make it good');
  await ana.waitForMessage((m) => m.text.includes('acme/next'), { deadlineMs: PATIENCE });
  await cardFor(ana, 'acme/next');
  const first = Math.min(...ofNext().map(({ at }) => at));
  expect(first).toBeGreaterThan(over);
  expect(github.calls.filter(({ status }) => status === 403 || status === 429)).toEqual([]);
});
