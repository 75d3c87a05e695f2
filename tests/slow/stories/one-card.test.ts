/** C2, G6 through the real chat: what is risky is pushed and opened by three taps on one card. */
import { afterAll, expect, it } from 'vitest';
import { cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

let product: Product | undefined;
afterAll(() => product?.close());

it('C2: a high-risk change is pushed and opened by three taps on one card, and nothing is typed', async () => {
  product = await createProduct({
    script: 'mkdir -p .github/workflows; echo "on: push" > .github/workflows/ci.yml',
  });
  const { ana, github } = product;
  const repo = await github.addRepo({
    owner: 'acme',
    name: 'app',
    from: { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'good\n' },
  });
  product.start();
  await product.running();
  ana.sends('/new acme/app Run the checks on each push');
  const card = await cardFor(ana, 'acme/app');
  expect(card.text).toMatch(/High risk/);
  expect(card.text).toContain('Push this and open a pull request');
  expect(repo.pushes).toEqual([]);
  await tapOn(ana, card, /^Review risks\b/);
  await ana.waitForMessage((m) => m.text.startsWith('What to look at'), { deadlineMs: PATIENCE });
  await tapOn(ana, card, /^Open PR\b/);
  const armed = await cardFor(ana, 'acme/app', /^Confirm\b/);
  expect(armed.messageId).toBe(card.messageId);
  expect(armed.text).toContain('push the branch and open the pull request');
  await tapOn(ana, armed, /^Confirm\b/);
  await ana.waitForMessage((m) => /Pull request #\d+ opened/.test(m.text), {
    deadlineMs: PATIENCE,
    what: 'the pull request',
  });
  expect([repo.pushes.length, repo.pulls.length]).toEqual([1, 1]);
  const replay = JSON.parse((await product.cli(['replay', '--all', '--json'])).out) as unknown;
  expect(replay).toMatchObject({ findings: [] });
});
