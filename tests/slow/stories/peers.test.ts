/**
 * The faults at which other orchestrators were measured: messages sent to agents, people told, and
 * what a kill leaves behind.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { RunBounds } from '#model/limits';
import { serverError, type RepoHandle } from '#playground';
import { approves } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';

const REPO = 'acme/app';
/** An agent that always changes something and never mends anything. */
const BUSY = 'if [ -f agent.sh ]; then exec sh agent.sh; fi; echo try >>tries.txt; echo "tried again"';
const quick: Partial<RunBounds> = { ciSettleMs: 100, noCiMs: 60_000, autoIterate: true, pollMs: 250 };

let product: Product | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

type Wish = { bounds?: Partial<RunBounds>; script?: string };
const begin = async ({ bounds = {}, script = BUSY }: Wish = {}): Promise<Product> => {
  product = await createProduct({ script, bounds: { ...quick, ...bounds }, webhooks: true });
  return product;
};
const opened = async (it: Product): Promise<RepoHandle> => {
  const repo = await it.github.addRepo({ owner: 'acme', name: 'app', from: { 'README.md': 'An app.\n' } });
  it.start();
  it.ana.sends(`/new ${REPO} check=true Try`);
  await approves(it.ana);
  await it.waitForState('CI_WAIT');
  return repo;
};

const agents = (it: Product): number =>
  it
    .look()
    .attempts()
    .filter((a) => a.step === 'agent').length;
/** Rounds that the agent was given after the pull request was open, and calls for a person. */
const dispatched = (it: Product): number => agents(it) - 1;
const escalations = (it: Product): number =>
  it.ana
    .messages()
    .filter((m) => m.from === 'bot' && !m.silent && /NEEDS YOU|needs you|still asked/i.test(m.text)).length;
const headOf = (repo: RepoHandle): string => repo.pulls[0]?.headSha ?? '';
const reddens = (repo: RepoHandle, name = 'test'): number =>
  repo.setCheck(headOf(repo), { name, conclusion: 'failure' });
/** Every new head is red at once. */
const staysRed = (it: Product, repo: RepoHandle): (() => void) => {
  let last = '';
  return it.github.onHappening(() => {
    const head = headOf(repo);
    if (head === last || !it.run()?.upstream.pullRequest) return;
    last = head;
    setImmediate(() => reddens(repo));
  });
};
/** The code host is asked so many times more. */
const looks = async (it: Product, times: number): Promise<void> => {
  const seen = (): number => it.github.calls.filter((c) => c.route.endsWith('/check-runs')).length;
  const until = seen() + times;
  await it.waitFor(() => seen() >= until, { what: `${times} more looks` });
};

it('S4, S6, S7: ten red checks at once are one fix; CI that stays red costs two, and then one call for a person, sent until it goes through', async () => {
  const it = await begin({ bounds: { maxIterations: 2 } });
  const repo = await opened(it);
  for (let i = 0; i < 10; i += 1) reddens(repo, `test ${i}`);
  await it.waitFor(() => repo.pushes.length === 2, { what: 'the fix to be pushed' });
  await it.github.idleDeliveries();
  await looks(it, 5);
  expect([dispatched(it), escalations(it)]).toEqual([1, 0]);

  const refused = it.telegram.faults.next(
    { route: 'sendMessage', when: ({ params }) => /NEEDS YOU/i.test(String(params.text)) },
    serverError(),
    2,
  );
  staysRed(it, repo);
  reddens(repo);
  await it.waitForState('NEEDS_HUMAN_REVIEW');
  for (let i = 0; i < 20; i += 1) reddens(repo, i % 2 ? 'test' : `again ${i}`);
  await it.github.idleDeliveries();
  await looks(it, 10);
  await it.waitFor(() => escalations(it) > 0, { what: 'the call for a person' });
  await it.settled();
  expect(refused.used()).toBe(2);
  expect([dispatched(it), escalations(it), it.run()?.lifecycle.state]).toEqual([2, 1, 'NEEDS_HUMAN_REVIEW']);

  // An agent that cannot start is tried again, and then a person is told.
  const before = agents(it);
  await it.github.addRepo({ owner: 'acme', name: 'ill', from: { 'agent.sh': 'exit 1\n' } });
  it.ana.sends('/new acme/ill check=true Try');
  await it.waitForState('NEEDS_HUMAN_REVIEW', 'acme/ill');
  await it.settled();
  expect([agents(it) - before, escalations(it)]).toEqual([3, 2]);
});

it('S7, L6: killed between decision and work, and as often as it likes, it does each fix once, and no more of them', async () => {
  const it = await begin({ bounds: { maxIterations: 2 } });
  const repo = await opened(it);
  const pushed = (): number => repo.pushes.filter((p) => p.refused === null).length;
  reddens(repo);
  await it.waitForState('ITERATING');
  await it.restart();
  await it.waitFor(() => repo.pushes.length === 2, { what: 'the fix to be pushed' });
  await looks(it, 2);
  await it.settled();
  expect([pushed(), it.run()?.lifecycle.counts.iterations]).toEqual([2, 1]);
  expect(await repo.read('tries.txt', headOf(repo))).toBe('try\ntry');
  staysRed(it, repo);
  reddens(repo);
  await it.waitForState('ITERATING');
  await it.restart();
  await it.waitForState('NEEDS_HUMAN_REVIEW');
  await it.settled();
  await it.restart();
  await it.running();
  await looks(it, 2);
  await it.settled();
  expect([pushed(), it.run()?.lifecycle.counts.iterations, escalations(it)]).toEqual([3, 2, 1]);
});

describe('killed while it starts runs', () => {
  const kills = Number(process.env.PEERS ?? 3);
  it(`L6: ${kills} kills leave no process, no workspace and no run that nobody knows of`, async () => {
    const it = await begin({ script: 'sleep 0.2; echo x >x.txt', bounds: { maxStepRetries: 100 } });
    await it.github.addRepo({ owner: 'acme', name: 'app', from: { 'README.md': 'An app.\n' } });
    it.start();
    await it.running();
    for (let i = 0; i < kills; i += 1) {
      it.ana.sends(`/new ${REPO} check=true Try ${i}`);
      await it.waitFor(() => it.runs().length > i, { what: 'the run to be known' });
      if (i % 2) await it.waitForState(['IMPLEMENTING', 'LOCAL_VALIDATING', 'PUSHED']);
      await it.restart();
    }
    await it.waitFor(
      () => it.runs().every((r) => r.lifecycle.state === 'PUSHED' || r.lifecycle.state === 'QUEUED'),
      {
        deadlineMs: PATIENCE + kills * 2_000,
        what: 'every run to have come to its card',
      },
    );
    await it.settled();
    expect(it.runs()).toHaveLength(kills);
    expect(it.workspaces().sort()).toEqual(
      it
        .runs()
        .filter((r) => r.lifecycle.state === 'PUSHED')
        .map((r) => r.id)
        .sort(),
    );
    await it.stop();
    expect(it.processes()).toEqual([]);
    const repo = it.github.repo(REPO);
    expect(repo.pushes.filter((p) => p.refused === null)).toHaveLength(it.workspaces().length);
  });
});
