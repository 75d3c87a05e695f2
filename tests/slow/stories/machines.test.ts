/** What the machine does to a service that runs for long: full disks under its log, closed terminals. */
import { afterEach, describe, expect, it } from 'vitest';
import { approves } from '../../support/approves.ts';
import { createProduct, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';
import { createProductAtGate } from '../../support/run-at-gate.ts';

let product: Product;
afterEach(() => product.close());

describe('a machine', () => {
  it('O1: a full disk under the log ends no work', async () => {
    const kept = await createProductAtGate();
    ({ product } = kept);
    product.start({ output: '/dev/full', env: { AGENTPR_LOG_LEVEL: 'debug' } });
    await approves(product.ana);
    await product.waitFor(() => kept.repo.pulls.length === 1, { what: 'the pull request' });
    expect(product.alive()).toBe(true);
  });

  it('L6: a terminal that is closed ends the service as Ctrl-C does, and nothing is left', async () => {
    product = await createProduct({ script: `sleep 600; ${QUICK_AGENT}` });
    product.start();
    await product.running();
    await askForChange(product, 'hung-up');
    await product.waitForState('IMPLEMENTING');
    process.kill(product.pid(), 'SIGHUP');
    expect(await product.ended()).toEqual({ code: 0, signal: null });
    expect(product.processes()).toEqual([]);
  });
});
