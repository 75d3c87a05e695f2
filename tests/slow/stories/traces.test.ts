/** O4: traces of a run, as a receiver of OpenTelemetry sees them; and what a host without one is spared. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { sampleAgentCommand, sampleGoal, sampleReview } from '#playground';
import { arms } from '../../support/approves.ts';
import { carrySample } from '../../support/maintained.ts';
import { startOtlp } from '../../support/otlp.ts';
import { createProduct, TOKENS, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT } from '../../support/quick-change.ts';
import { createProductAtGate } from '../../support/run-at-gate.ts';

let product: Product | undefined;
let otlp: Awaited<ReturnType<typeof startOtlp>> | undefined;
afterEach(async () => {
  await product?.close();
  otlp?.close();
  [product, otlp] = [undefined, undefined];
});

const KEY = 'key-of-the-receiver';

it('O4: a run is one trace: its states, effects, agents and checks, and none of its words', async () => {
  otlp = await startOtlp();
  product = await createProduct({
    script: sampleAgentCommand({ mood: 'learns' }),
    bounds: { ciSettleMs: 300, noCiMs: 5_000, pollMs: 100 },
    webhooks: true,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_EXPORTER_OTLP_HEADERS: `x-key=${KEY}` },
  });
  const repo = await carrySample(product);
  await product.atRest();
  const run = product.run();
  await product.stop();

  const { spans, bodies } = otlp;
  const [whole, ...more] = spans.filter(({ name }) => name === 'run');
  expect(more).toEqual([]);
  expect(whole).toMatchObject({
    parentSpanId: '',
    fromMs: run?.lifecycle.createdAt,
    attributes: {
      'agentpr.run': run?.id,
      'agentpr.repository': 'acme/patient',
      'agentpr.outcome': 'DONE',
      'agentpr.pull_request': run?.upstream.pullRequest?.url,
    },
    process: { 'service.name': 'agentpr', 'agentpr.role': 'all' },
  });
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const called = (name: string) => spans.filter((span) => span.name === name);
  for (const name of [
    'implement',
    'check',
    'push',
    'open_pr',
    'chat_message',
    'state REVIEW_WAIT',
    'state CI_WAIT',
  ])
    expect(called(name).map(({ parentSpanId }) => parentSpanId)).toContain(whole?.spanId);
  const [implement] = called('implement');
  expect(called('agent')[0]).toMatchObject({
    parentSpanId: implement?.spanId,
    attributes: { 'agentpr.engine': 'script', 'agentpr.outcome': 'completed' },
  });
  // The first check fails, and that is seen without opening a log.
  expect(called('check').some(({ failed, parentSpanId }) => failed && parentSpanId !== whole?.spanId)).toBe(
    true,
  );
  expect(otlp.headers.every((all) => all['x-key'] === KEY)).toBe(true);
  const sent = Buffer.concat(bodies).toString('latin1');
  for (const word of [
    TOKENS.github,
    TOKENS.telegram,
    KEY,
    sampleGoal,
    sampleReview,
    'Ana',
    repo.pulls[0]?.title ?? '',
  ])
    expect(sent).not.toContain(word);
});

it('O4: a receiver that never answers keeps no run waiting, and no stop', async () => {
  otlp = await startOtlp('never');
  product = await createProduct({
    script: QUICK_AGENT,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_BSP_SCHEDULE_DELAY: '1' },
  });
  product.start();
  await askForChange(product, 'slow');
  await arms(product.ana);
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
