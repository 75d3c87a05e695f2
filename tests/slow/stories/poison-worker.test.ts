/** L9 in a fleet: a step that hangs the worker, which is started again by whoever looks after it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFleet } from '../../support/fleet.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';
import { storedRuns } from '../../support/stored-runs.ts';

const POISON = 'Mend what hangs';
/** An expression with a fault, over the goal, in the main thread. */
const HANGS = `
import { isMainThread } from 'node:worker_threads';
const match = String.prototype.match;
if (isMainThread) String.prototype.match = function (...by) {
  if (String(this).startsWith('${POISON}')) /^(a+)+$/.test('a'.repeat(60) + 'b');
  return match.call(this, ...by);
};`;

let server: Server;
let database: string;
let product: Product;
let fleet: ReturnType<typeof createFleet>;
beforeAll(async () => {
  server = await startPostgres([]);
  database = await server.database();
  product = await createProduct({ script: QUICK_AGENT, env: { DATABASE_URL: database } });
  fleet = createFleet(product);
});
afterAll(async () => {
  await fleet.stop();
  await product.close();
  await server.stop();
});

it('L9: a step that hangs its worker twice is set aside, a person is told, and the worker does what comes after it', async () => {
  const preload = join(product.dir, 'hangs.mjs');
  writeFileSync(preload, HANGS);
  await fleet.start('control').running();
  const hung = (worker: ReturnType<typeof fleet.start>): Promise<unknown> =>
    expect.poll(() => worker.alive(), { timeout: 3 * PATIENCE, interval: 50 }).toBe(false);
  const first = fleet.start('worker', { preload });
  await first.running();
  await askForChange(product, 'hangs', POISON);
  await hung(first);
  expect(first.said()).toContain('"msg":"the process hangs, and ends itself"');
  const second = fleet.start('worker', { preload });
  await hung(second);
  const third = fleet.start('worker', { preload });
  await third.running();
  const told = await product.ana.waitForMessage(/stopped AgentPR twice, so it was set aside/, {
    deadlineMs: 3 * PATIENCE,
  });
  expect(told.text).toMatch(/NEEDS YOU|Needs you/i);
  expect(third.said()).toContain('an effect stopped the process, and is set aside');
  const fine = await askForChange(product, 'fine');
  await expect
    .poll(
      async () =>
        (await storedRuns(product.dataDir, database)).find(({ order }) => order.repo === fine.fullName)?.gate
          .proposal ?? null,
      { timeout: 3 * PATIENCE, interval: 200 },
    )
    .not.toBeNull();
  expect(third.alive()).toBe(true);
}, 300_000);
