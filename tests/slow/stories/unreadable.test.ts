/**
 * One run whose stored state was damaged, through the real process: the others go on, and whoever
 * asks for it is answered.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { approves } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';

let product: Product;
beforeEach(async () => {
  product = await createProduct({ script: QUICK_AGENT, bounds: { pollMs: 600_000 } });
});
afterEach(() => product.close());

it('S6, L5: it is told to whoever names it, and keeps neither the start nor another run from going on', async () => {
  const { ana } = product;
  product.start();
  const [, whole] = [await askForChange(product, 'broken'), await askForChange(product, 'whole')];
  for (const name of ['broken', 'whole']) await product.waitForState('PUSHED', `acme/${name}`);
  const id = product.run('acme/broken')?.id ?? '';
  await product.stop();
  const db = new Database(join(product.dataDir, 'ledger.db'));
  db.prepare('update run_records set body_json = substr(body_json, 2) where run_id = ?').run(id);
  db.close();
  product.start();
  const hears = (text: string): Promise<unknown> =>
    ana.waitForMessage((m) => m.from === 'bot' && m.text.includes(text), { deadlineMs: PATIENCE });
  ana.sends(`/retry ${id}`);
  await hears(`changed nothing: The stored state of run ${id} was changed by somebody other than agentpr`);
  ana.sends('/runs');
  await hears('Newest runs');
  await approves(ana, 'acme/whole');
  await product.waitFor(() => whole.pulls.length === 1);
  expect(product.workspaces()).toContain(id);
}, 120_000);
