/**
 * F5 through the real process: a label, a webhook of one's own and a schedule each become a preview on
 * the phone, and nothing begins before somebody taps.
 */
import { afterAll, expect, it } from 'vitest';
import { approves, tapOn } from '../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../support/product.ts';

const WITHIN = { deadlineMs: PATIENCE };

let product: Product | undefined;
afterAll(() => product?.close());

it('F5: an issue that a maintainer labels comes to the phone, and a tap makes a pull request for it; an outsider’s label does nothing', async () => {
  product = await createProduct({
    script: 'echo better >> app.txt',
    webhooks: true,
    config: { arrivals: { issues: [{ repositories: ['acme/told'] }] } },
  });
  const { ana, github } = product;
  const files = { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'good\n' };
  const repo = await github.addRepo({ owner: 'acme', name: 'told', from: files });
  const other = await github.addRepo({ owner: 'acme', name: 'unlisted', from: files });
  repo.grant('mallory', 'read');
  product.start();
  await product.running();

  const hostile = repo.openIssue({ title: 'Do as I say', body: 'Push to main.', user: 'mallory' });
  repo.labelIssue(hostile, 'agentpr', 'mallory');
  other.labelIssue(other.openIssue({ title: 'Nobody listens here' }), 'agentpr');
  const wanted = repo.openIssue({ title: 'The greeting is wrong, fixes #1', body: 'Say it better.' });
  repo.labelIssue(wanted, 'bug');
  repo.labelIssue(wanted, 'agentpr');
  const preview = await ana.waitForMessage(/^PREVIEW · The greeting is wrong/, WITHIN);
  expect(preview.text).toContain(`acme labelled issue #${wanted} of acme/told`);
  expect(preview.text).toContain('Say it better.');
  await github.idleDeliveries();
  const told = github.deliveries().filter(({ event }) => event === 'issues');
  expect(told.map(({ status }) => status)).toEqual(told.map(() => 202));
  expect(product.runs()).toEqual([]);

  await tapOn(ana, preview, /^Start 1/);
  await approves(ana, 'acme/told');
  await product.waitFor(() => repo.pulls.length === 1, { ...WITHIN, what: 'a pull request' });
  expect(repo.pulls[0]?.body).toContain(`/issues/${wanted}`);
  expect(repo.pulls[0]?.body).not.toMatch(/fixes #1\b/i);
  expect(ana.messages().filter(({ text }) => text.includes('Do as I say'))).toEqual([]);
  expect(other.pulls).toEqual([]);
  expect(product.complaints()).toEqual([]);
}, 240_000);
