/**
 * The loop after the gate, through the real process: red checks, a reviewer's wish, the merge; told
 * by webhooks or found by looking.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { RunBounds } from '#model/limits';
import { sampleAgentCommand, type RepoHandle, type Weather } from '#playground';
import { carrySample } from '../../support/maintained.ts';
import { createProduct, type Product } from '../../support/product.ts';

const quick: Partial<RunBounds> = { ciSettleMs: 300, noCiMs: 5_000 };

let product: Product | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

type Told = { weather?: Weather; pollMs: number; webhooks?: boolean };
const play = async ({ weather, pollMs, webhooks = true }: Told): Promise<RepoHandle> => {
  product = await createProduct({
    script: sampleAgentCommand({ mood: 'learns' }),
    bounds: { ...quick, pollMs },
    webhooks,
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
  it('S2, F2, E8: by webhooks, every state in its order, with one pull request and three pushes', async () => {
    const repo = await play({ pollMs: SELDOM });
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
    // G6: each fix was signed before it was pushed.
    const said = await it.cli(['run', 'show', run?.id ?? '', '--json']);
    const { events } = JSON.parse(said.out) as { events: { type: string }[] };
    expect(events.filter((e) => e.type === 'command.push.approve')).toHaveLength(2);
    expect(JSON.parse((await it.cli(['replay', '--all', '--json'])).out)).toMatchObject({ findings: [] });
  });

  it('F1, F4: by looking alone, with no webhook set up', async () => {
    expect(ending(await play({ pollMs: 100, webhooks: false }), product as Product)).toEqual(SAME);
    expect(product?.github.deliveries()).toEqual([]);
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
