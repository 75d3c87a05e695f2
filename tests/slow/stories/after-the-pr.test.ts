/**
 * The loop after the gate, through the real process: red checks, a reviewer's wish, the merge; told
 * by webhooks, also late, lost and twice. Found by looking alone: reviews.test.ts.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { RunBounds } from '#model/limits';
import { sampleAgentCommand, sampleGoal, sampleReview, type RepoHandle, type Weather } from '#playground';
import { carrySample } from '../../support/maintained.ts';
import { startOtlp } from '../../support/otlp.ts';
import { createProduct, TOKENS, type Product } from '../../support/product.ts';

const quick: Partial<RunBounds> = { ciSettleMs: 300, noCiMs: 5_000 };

const KEY = 'key-of-the-receiver';

let product: Product | undefined;
let otlp: Awaited<ReturnType<typeof startOtlp>> | undefined;
afterEach(async () => {
  await product?.close();
  otlp?.close();
  [product, otlp] = [undefined, undefined];
});

type Told = { weather?: Weather; pollMs: number; env?: Record<string, string> };
const play = async ({ weather, pollMs, env = {} }: Told): Promise<RepoHandle> => {
  product = await createProduct({
    script: sampleAgentCommand({ mood: 'learns' }),
    bounds: { ...quick, pollMs },
    webhooks: true,
    env,
  });
  if (weather) product.github.weather(weather);
  const repo = await carrySample(product);
  await product.github.idleDeliveries();
  await product.atRest();
  return repo;
};

/** What must be the same however the news travelled. */
const ending = (repo: RepoHandle, it: Product) => {
  const run = it.run();
  return {
    state: run?.lifecycle.state,
    counts: run?.lifecycle.counts,
    pulls: repo.pulls.map(({ merged, author }) => ({ merged, author })),
    pushes: repo.pushes.filter((p) => p.refused === null && p.ref.includes(run?.id ?? '?')).length,
    agent: it
      .look()
      .attempts()
      .filter((a) => a.step === 'agent').length,
    dead: it
      .look()
      .effects()
      .filter((e) => e.state === 'dead'),
    complaints: it.complaints(),
    merges: it.github.mergeCalls(),
    workspaces: it.workspaces(),
  };
};
const SAME = {
  state: 'DONE',
  counts: {
    iterations: 2,
    reflections: 0,
    reportRepairs: 0,
    planRounds: 0,
    planStepFixes: 0,
    retries: 0,
    outsideFailures: 0,
    reminders: 0,
    providerWaits: 0,
  },
  pulls: [{ merged: true, author: 'agentpr-bot' }],
  pushes: 3,
  agent: 4,
  dead: [],
  complaints: [],
  merges: [],
  workspaces: [],
};
/** Long enough that only a webhook can have brought the news in time (ms). */
const SELDOM = 600_000;

describe('the whole story', () => {
  it('S2, F2, E8, O4: by webhooks, every state in its order, with one pull request and three pushes; and it is one trace, with none of its words', async () => {
    otlp = await startOtlp();
    const repo = await play({
      pollMs: SELDOM,
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_EXPORTER_OTLP_HEADERS: `x-key=${KEY}` },
    });
    const it = product as Product;
    expect(ending(repo, it)).toEqual(SAME);
    const run = it.run();
    const states = it
      .look()
      .states(run?.id ?? '')
      .filter((state, i, all) => state !== all[i - 1]);
    expect(states.join(' ')).toBe(
      'QUEUED DISCOVERY PLAN_READY IMPLEMENTING LOCAL_VALIDATING IMPLEMENTING LOCAL_VALIDATING PUSHED ' +
        'CI_WAIT ITERATING CI_WAIT REVIEW_WAIT ITERATING CI_WAIT REVIEW_WAIT DONE',
    );
    const untraced = { OTEL_EXPORTER_OTLP_ENDPOINT: undefined };
    // G6: each fix was signed before it was pushed.
    const said = await it.cli(['run', 'show', run?.id ?? '', '--json'], '', untraced);
    const { events } = JSON.parse(said.out) as { events: { type: string }[] };
    expect(events.filter((e) => e.type === 'command.push.approve')).toHaveLength(2);
    expect(JSON.parse((await it.cli(['replay', '--all', '--json'], '', untraced)).out)).toMatchObject({
      findings: [],
    });
    await it.stop();
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

  const seeds = process.env.ORDERS
    ? Array.from({ length: Number(process.env.ORDERS) }, (_, i) => i + 1)
    : [1];
  it.each(seeds)('S4, F4: with webhooks late, lost, twice and in a random order (seed %i)', async (seed) => {
    const repo = await play({
      pollMs: 1_500,
      weather: { shuffle: true, delayMs: [0, 400], copies: 1 + (seed % 2), drop: (seed % 3) / 10, seed },
    });
    expect(ending(repo, product as Product)).toEqual(SAME);
  });
});
