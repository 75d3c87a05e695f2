/** L3: the command line on a stopped AgentPR does its own order, and leaves what people sent for the next start. */
import { afterEach, expect, it } from 'vitest';
import { openLedger } from '../../db/open.ts';
import { createProduct, type Product } from '../support/product.ts';

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
    { source: 'telegram' as const, key: '7', body: { update_id: 7 } },
    { source: 'github' as const, key: 'guid', body: { seen: { ignored: 'ping' } } },
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
