/**
 * L3: the command line on a stopped AgentPR does its own order, and leaves what people sent for the
 * next start.
 */
import { afterEach, expect, it } from 'vitest';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { eventually } from '../../support/contained.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

/** Each `**` tries every folder again for every try of the one before it. */
const RULES = `/${'**/*/'.repeat(20)}b\n`;
const DEEP = 'a/'.repeat(80);

let product: Product | undefined;
afterEach(() => product?.close());

it('L3, L6: what waits in the inbox of a stopped process survives orders from the command line', async () => {
  product = await createProduct({ script: 'true' });
  const it = product;
  const made = await it.cli(['run', 'create', 'acme/app', 'Say hello', '--json']);
  expect(made.code).toBe(0);
  const { run } = JSON.parse(made.out) as { run: string };
  const ledger = await openLedger({ dataDir: it.dataDir, now: Date.now });
  const waiting = [
    { source: 'chat' as const, key: '7', body: { update_id: 7 } },
    { source: 'forge' as const, key: 'guid', body: { seen: { ignored: 'ping' } } },
  ];
  await ledger.receive(waiting, Date.now());
  await ledger.close();
  for (const order of [
    ['pause', run],
    ['resume', run],
    ['cancel', run],
  ])
    expect((await it.cli(['run', ...order])).code).toBe(0);
  expect(it.look().inbox()).toEqual({ done: 4, new: 2 });
});

it('S6: a real process ends when it is told to while a repository’s ignore rules hold git up, and so does its run', async () => {
  product = await createProduct({ script: `mkdir -p ${DEEP} && echo new > ${DEEP}a` });
  const it = product;
  const held = (): boolean => it.processes().some((one) => one.includes('check-ignore'));
  await it.github.addRepo({
    owner: 'acme',
    name: 'rules',
    from: { '.gitignore': RULES, 'README.md': '# Rules\n' },
  });
  it.start();
  it.ana.sends('/new acme/rules Add a file check="true"');
  expect(await eventually(held, PATIENCE)).toBe(true);
  expect(await it.stop()).toEqual({ code: 0, signal: null });
  expect(it.processes()).toEqual([]);

  it.start();
  expect(await eventually(held, PATIENCE)).toBe(true);
  const [run] = it.look().runs();
  it.ana.sends(`/cancel ${run?.id}`);
  await it.waitForState('FAILED_TERMINAL', 'acme/rules');
  expect(await eventually(() => !held(), PATIENCE)).toBe(true);
});
