/**
 * GitHub's webhooks through the real process: what happens on the code host is known long before
 * anybody would have looked.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RepoHandle } from '#playground';
import { openReader } from '../../../db/directory/open-reader.ts';
import { cardFor } from '../../support/approves.ts';
import { PATIENCE, type Product } from '../../support/product.ts';
import { askForChange } from '../../support/quick-change.ts';
import { createProductAtGate } from '../../support/run-at-gate.ts';
import { deliver, SECRET } from '../../support/webhook-sender.ts';

let product: Product;
let atGate: RepoHandle;
let began: number;
const HOUR = 3_600_000;

beforeAll(async () => {
  const kept = await createProductAtGate({
    // Nobody looks by himself before the test is long over.
    bounds: { pollMs: HOUR },
    env: { GITHUB_WEBHOOK_SECRET: SECRET },
  });
  ({ product, repo: atGate } = kept);
  product.start();
  await product.running();
  began = Date.now();
});
afterAll(() => product.close());

it('F2, F4, F8: hears of an archived repository and of a merge from GitHub itself, signed, twice, and moves once', async () => {
  const { ana, github } = product;
  github.addWebhook({ url: `${product.address()}/webhooks/github`, secret: SECRET });
  github.setWeather({ copies: 2 });
  const repo = atGate;
  await cardFor(ana);
  ana.taps('Open PR');
  await cardFor(ana, '', /^Confirm\b/);
  ana.taps('Confirm');
  await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
  repo.archive();
  await ana.waitForMessage('The repository is archived', { deadlineMs: PATIENCE });
  await repo.merge(1);
  await ana.waitForMessage(/DONE[\s\S]*Merged by/, { deadlineMs: PATIENCE });
  await github.idleDeliveries();
  await product.atRest();
  expect(Date.now() - began).toBeLessThan(HOUR);

  const said = github.deliveries().map((one) => one.status);
  expect(new Set(said)).toEqual(new Set([200, 202]));
  const guids = github.deliveries().map(({ guid }) => `forge:${guid}`);
  const reader = openReader(product.dataDir);
  const id = product.run()?.id ?? '';
  const merges = (await reader.query.events(id)).filter((e) => e.stateAfter === 'DONE');
  await reader.close();
  expect(merges).toHaveLength(1);
  // Its delivery told it, or the look that another delivery caused: nobody else looks within the hour.
  const [{ key = '' } = {}] = merges;
  if (!key.startsWith('effect:')) expect(guids).toContain(key);
  expect(product.complaints()).toEqual([]);
});

it('F12: a delivery that comes late, after the repository was renamed, calls no run back', async () => {
  const { ana, github } = product;
  github.setWeather({});
  const repo = await askForChange(product, 'late');
  await cardFor(ana, repo.fullName);
  ana.taps('Open PR');
  await cardFor(ana, repo.fullName, /^Confirm\b/);
  ana.taps('Confirm');
  await ana.waitForMessage(/Pull request #1 opened · acme\/late/, { deadlineMs: PATIENCE });
  await github.idleDeliveries();
  const { body } = github
    .deliveries()
    .flatMap(({ event, request }) => (event === 'pull_request' ? [request] : []))
    .find((request) => request.body.includes('acme/late')) as { body: string };
  const runOfIt = () =>
    product
      .look()
      .runs()
      .find(({ order }) => order.repo === 'acme/late');
  github.renameRepo('acme/late', 'acme/today');
  await product.waitFor(() => runOfIt()?.target.renamedTo === 'acme/today' || null, { what: 'the new name' });
  await product.atRest();

  const said = await deliver(product.address(), body, { event: 'pull_request' });
  expect(said.status).toBe(202);
  await product.atRest();
  expect(runOfIt()?.target.renamedTo).toBe('acme/today');
});
