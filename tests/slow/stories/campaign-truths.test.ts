/**
 * F5 through the real process: two campaigns on one repository take turns and say so, and what
 * happens to a repository counts as no failure; two names of one make one run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const WITHIN = { deadlineMs: PATIENCE };
let product: Product | undefined;
afterEach(() => product?.close());

it('F5: the second campaign waits for the first and says so; an archived repository is left out', async () => {
  product = await createProduct({ script: 'echo better >> app.txt' });
  const { ana, github, dir } = product;
  const at = product;
  for (const name of ['one', 'two'])
    await github.addRepo({
      owner: 'acme',
      name,
      from: { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'good\n' },
    });
  const plans = async (name: string, list: string): Promise<void> => {
    writeFileSync(join(dir, `${name}.txt`), list);
    const how = ['--engine', 'script', '--check', 'grep -q better app.txt'];
    const said = await at.cli(['campaign', 'plan', `${name}.txt`, `Say that it is ${name}`, ...how]);
    expect(said, said.err).toMatchObject({ code: 0 });
  };
  await plans('first', '\ufeffacme/one/\r\n');
  await plans('second', '[{"nameWithOwner":"acme/one"},{"nameWithOwner":"acme/two"}]');
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
  const runs = () => at.runs().filter(({ order }) => order.repo === 'acme/one');
  ana.sends(`/deny ${runs()[0]?.id ?? ''} --final not now`);
  await product.waitFor(() => runs().length === 2, { ...WITHIN, what: 'the second run in acme/one' });
  const loud = ana.messages().filter((m) => m.from === 'bot' && /^(?:NEEDS YOU|STOPPED)/.test(m.text));
  expect(loud.map(({ text }) => text)).toEqual([]);
}, 240_000);

it('F5: two names of one repository make one run, also where it was renamed after the preview', async () => {
  product = await createProduct({ script: 'echo better >> app.txt' });
  const { ana, github, dir } = product;
  const at = product;
  const from = { 'package.json': '{"scripts":{"test":"true"}}\n', 'app.txt': 'good\n' };
  for (const name of ['before', 'today']) await github.addRepo({ owner: 'acme', name, from });
  writeFileSync(join(dir, 'both.txt'), 'acme/before\nacme/today\n');
  const how = ['--engine', 'script', '--check', 'grep -q better app.txt'];
  const said = await product.cli(['campaign', 'plan', 'both.txt', 'Say so', ...how]);
  expect(said, said.err).toMatchObject({ code: 0 });
  github.removeRepo('acme/today');
  github.renameRepo('acme/before', 'acme/today');
  product.start();
  await tapOn(ana, await ana.waitForMessage(/^PREVIEW/, WITHIN), /^Start 2/);
  await ana.waitForMessage(/^RUNNING[^]*Left out: 1 named twice: acme\/before/, WITHIN);
  await approves(ana, 'acme/today');
  await product.waitFor(() => at.runs().some(({ upstream: { pullRequest: pr } }) => pr !== null), {
    ...WITHIN,
    what: 'the pull request',
  });
  expect(github.repo('acme/today').pulls).toHaveLength(1);
  expect(product.runs().map(({ order, lifecycle: { state } }) => `${order.repo} ${state}`)).toContain(
    'acme/before SKIPPED',
  );
}, 240_000);

it('E18: what a limit of cost comes to is printed with the plan', async () => {
  product = await createProduct({ bounds: { maxCostUsd: 5 }, env: { OPENAI_API_KEY: 'sk-none' } });
  await product.github.addRepo({ owner: 'acme', name: 'one', from: { 'app.txt': 'good\n' } });
  writeFileSync(join(product.dir, 'list.txt'), 'acme/one\n');
  const said = await product.cli([
    ...['campaign', 'plan', 'list.txt', 'Say so', '--engine', 'codex'],
    ...['--agent-arg=--model', '--agent-arg=a-model-of-nobody'],
  ]);
  expect(said, said.err).toMatchObject({ code: 0 });
  expect(said.out.match(/The cost is limited to \$5\.00, and the price of/g), said.out).toHaveLength(1);
}, 60_000);
