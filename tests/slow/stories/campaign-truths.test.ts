/**
 * F5 through the real process: two campaigns on one repository take turns and say so, and what
 * happens to a repository counts as no failure; two names of one make one run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person } from '#playground';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const WITHIN = { deadlineMs: PATIENCE };
const FILES = { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'good\n' };
let product: Product;
let ana: Person;
const plans = async (name: string, list: string, ...how: string[]): Promise<string> => {
  writeFileSync(join(product.dir, `${name}.txt`), list);
  const said = await product.cli(['campaign', 'plan', `${name}.txt`, `Say that it is ${name}`, ...how]);
  expect(said, said.err).toMatchObject({ code: 0 });
  return said.out;
};
const SCRIPT = ['--engine', 'script', '--check', 'grep -q better app.txt'];

beforeAll(async () => {
  product = await createProduct({
    script: 'echo better >> app.txt',
    bounds: { maxCostUsd: 5 },
    env: { OPENAI_API_KEY: 'sk-none' },
  });
  ({ ana } = product);
  for (const name of ['one', 'two', 'before', 'today'])
    await product.github.addRepo({ owner: 'acme', name, from: FILES });
});
afterAll(() => product.close());

it('E18: what a limit of cost comes to is printed with the plan', async () => {
  const codex = ['--engine', 'codex', '--agent-arg=--model', '--agent-arg=a-model-of-nobody'];
  const out = await plans('dear', 'acme/one\n', ...codex);
  expect(out.match(/The cost is limited to \$5\.00, and the price of/g), out).toHaveLength(1);
});

it('F5: the second campaign waits for the first and says so; an archived repository is left out', async () => {
  const { github } = product;
  await plans('first', '\ufeffacme/one/\r\n', ...SCRIPT);
  await plans('second', '[{"nameWithOwner":"acme/one"},{"nameWithOwner":"acme/two"}]', ...SCRIPT);
  await plans('named twice', 'acme/before\nacme/today\n', ...SCRIPT);
  github.removeRepo('acme/today');
  github.renameRepo('acme/before', 'acme/today');
  product.start();
  const first = await ana.waitForMessage(/^PREVIEW[^]*is first/, WITHIN);
  const second = await ana.waitForMessage(/^PREVIEW[^]*is second/, WITHIN);
  await tapOn(ana, first, /^Start 1/);
  await cardFor(ana, 'acme/one');
  await tapOn(ana, second, /^Start 2/);
  await ana.waitForMessage(
    /^RUNNING[^]*is second[^]*Waiting for another run of ours there: acme\/one \(/,
    WITHIN,
  );
  await cardFor(ana, 'acme/two');
  github.repo('acme/two').archive();
  await approves(ana, 'acme/two');
  await ana.waitForMessage(/^RUNNING[^]*is second[^]*Left out: 1 archived: acme\/two/, WITHIN);
  const runs = () => product.runs().filter(({ order }) => order.repo === 'acme/one');
  ana.sends(`/deny ${runs()[0]?.id ?? ''} --final not now`);
  await product.waitFor(() => runs().length === 2, { ...WITHIN, what: 'the second run in acme/one' });
  const loud = ana.messages().filter((m) => m.from === 'bot' && /^(?:NEEDS YOU|STOPPED)/.test(m.text));
  expect(loud.map(({ text }) => text)).toEqual([]);
});

it('F5: two names of one repository make one run, also where it was renamed after the preview', async () => {
  await tapOn(ana, await ana.waitForMessage(/^PREVIEW[^]*is named twice/, WITHIN), /^Start 2/);
  await ana.waitForMessage(/^RUNNING[^]*Left out: 1 named twice: acme\/before/, WITHIN);
  await approves(ana, 'acme/today');
  const today = product.github.repo('acme/today');
  await product.waitFor(() => today.pulls.length === 1, { ...WITHIN, what: 'the pull request' });
  expect(product.runs().map(({ order, lifecycle: { state } }) => `${order.repo} ${state}`)).toContain(
    'acme/before SKIPPED',
  );
});
