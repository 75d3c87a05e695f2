/**
 * O4: a receiver of traces that never answers, and what a host without one is spared. What a receiver
 * sees of a run is looked at in after-the-pr.test.ts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { approves, arms } from '../../support/approves.ts';
import { startOtlp } from '../../support/otlp.ts';
import type { Product } from '../../support/product.ts';
import { createProductAtGate } from '../../support/run-at-gate.ts';

let product: Product | undefined;
let otlp: Awaited<ReturnType<typeof startOtlp>> | undefined;
afterEach(async () => {
  await product?.close();
  otlp?.close();
  [product, otlp] = [undefined, undefined];
});

it('O4: a receiver that never answers keeps no run waiting, and no stop', async () => {
  otlp = await startOtlp('never');
  const kept = await createProductAtGate({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_BSP_SCHEDULE_DELAY: '1' },
  });
  ({ product } = kept);
  product.start();
  await approves(product.ana);
  await product.waitFor(() => kept.repo.pulls.length === 1, { what: 'the pull request' });
  const before = performance.now();
  expect(await product.stop()).toEqual({ code: 0, signal: null });
  expect(performance.now() - before).toBeLessThan(6_000);
  expect(otlp.bodies.length).toBeGreaterThan(0);
  expect(product.stderr()).not.toMatch(/"level":(50|60)/);
});

it('O4: nothing of OpenTelemetry is loaded where no receiver is configured', async () => {
  ({ product } = await createProductAtGate());
  const seen = join(product.dir, 'loaded');
  const preload = join(product.dir, 'preload.mjs');
  writeFileSync(
    preload,
    `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({
  load(url, context, next) {
    appendFileSync(${JSON.stringify(seen)}, url + '\\n');
    return next(url, context);
  },
});`,
  );
  product.start({ preload });
  await arms(product.ana);
  expect(existsSync(seen)).toBe(true);
  const loaded = readFileSync(seen, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'));
  const holding = (word: string): string[] =>
    loaded.filter((url) => readFileSync(new URL(url), 'utf8').includes(word));
  // The product is loaded as a bundle: its files have no names, but words of their own.
  expect(holding('getUpdates')).not.toEqual([]);
  expect(holding('BatchSpanProcessor')).toEqual([]);
});
