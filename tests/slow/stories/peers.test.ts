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
const BUSY = 'echo try >>tries.txt; echo "tried again"';
const quick: Partial<RunBounds> = { ciSettleMs: 100, noCiMs: 60_000, autoIterate: true, pollMs: 50 };

let product: Product | undefined;
afterEach(async () => {
  await product?.close();
  product = undefined;
});

type Wish = { bounds?: Partial<RunBounds>; webhooks?: boolean; script?: string };
const begin = async ({ bounds = {}, webhooks = false, script = BUSY }: Wish = {}): Promise<Product> => {
  product = await createProduct({ script, bounds: { ...quick, ...bounds }, webhooks });
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

/** Rounds that the agent was given after the pull request was open, and calls for a person. */
const dispatched = (it: Product): number =>
  it
    .look()
    .attempts()
    .filter((a) => a.step === 'agent').length - 1;
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

describe('caps', () => {
  it('S7: CI that stays red for ten looks gives one fix and then one call for a person', async () => {
    const it = await begin({ bounds: { maxIterations: 1 } });
    const repo = await opened(it);
    staysRed(it, repo);
    reddens(repo);
    await it.waitForState('NEEDS_HUMAN_REVIEW');
    await looks(it, 10);
    await it.settled();
    expect([dispatched(it), escalations(it)]).toEqual([1, 1]);
  });

  it('S7: twenty failing checks with a cap of two give two fixes and one call for a person', async () => {
    const it = await begin({ bounds: { maxIterations: 2 }, webhooks: true });
    const repo = await opened(it);
    staysRed(it, repo);
    reddens(repo);
    await it.waitForState('NEEDS_HUMAN_REVIEW');
    for (let i = 0; i < 20; i += 1) reddens(repo, i % 2 ? 'test' : `again ${i}`);
    await it.github.idleDeliveries();
    await looks(it, 2);
    await it.settled();
    expect([dispatched(it), escalations(it), it.run()?.lifecycle.state]).toEqual([
      2,
      1,
      'NEEDS_HUMAN_REVIEW',
    ]);
  });

  it('S7, L6: six failing fixes with a restart at each give two, however often it is killed', async () => {
    const it = await begin({ bounds: { maxIterations: 2 } });
    const repo = await opened(it);
    staysRed(it, repo);
    reddens(repo);
    for (let i = 0; i < 6; i += 1) {
      await it.waitForState(['ITERATING', 'NEEDS_HUMAN_REVIEW']);
      await it.restart();
      await it.running();
    }
    await it.waitForState('NEEDS_HUMAN_REVIEW');
    await it.settled();
    expect(it.run()?.lifecycle.counts.iterations).toBe(2);
    expect(escalations(it)).toBe(1);
    expect(repo.pushes.filter((p) => p.refused === null)).toHaveLength(3);
  });
});

describe('one cause, one fix', () => {
  it('S4: ten checks that fail at once for one head give one fix and no alarm', async () => {
    const it = await begin({ webhooks: true });
    const repo = await opened(it);
    for (let i = 0; i < 10; i += 1) reddens(repo, `test ${i}`);
    await it.waitFor(() => repo.pushes.length === 2, { what: 'the fix to be pushed' });
    await it.github.idleDeliveries();
    await looks(it, 3);
    expect([dispatched(it), escalations(it)]).toEqual([1, 0]);
  });

  it('S4: looking and webhooks together give one fix', async () => {
    const it = await begin({ webhooks: true, bounds: { pollMs: 50 } });
    const repo = await opened(it);
    reddens(repo);
    await it.waitFor(() => repo.pushes.length === 2, { what: 'the fix to be pushed' });
    await looks(it, 10);
    expect(dispatched(it)).toBe(1);
  });
});

describe('a reaction that fails', () => {
  it('S6: a first message that does not go through is sent again', async () => {
    const it = await begin({ bounds: { maxIterations: 0 } });
    const repo = await opened(it);
    await it.settled();
    it.telegram.faults.next('sendMessage', serverError(), 2);
    reddens(repo);
    await it.waitFor(() => escalations(it) === 1, { what: 'the call for a person' });
  });

  it('S6: an agent that cannot start is tried again, and then a person is told', async () => {
    const script = 'test -e tries.txt && exit 1; echo try >tries.txt';
    const it = await begin({ script, bounds: { retryMs: 50 } });
    const repo = await opened(it);
    reddens(repo);
    await it.waitForState('NEEDS_HUMAN_REVIEW');
    await it.settled();
    expect([dispatched(it), escalations(it)]).toEqual([3, 1]);
  });

  it('L6: killed between the decision and the work, it does the work once', async () => {
    const it = await begin({ webhooks: true });
    const repo = await opened(it);
    reddens(repo);
    await it.waitForState('ITERATING');
    await it.restart();
    await it.waitFor(() => repo.pushes.length === 2, { what: 'the fix to be pushed' });
    await looks(it, 2);
    await it.settled();
    expect(repo.pushes.filter((p) => p.refused === null)).toHaveLength(2);
    expect(it.run()?.lifecycle.counts.iterations).toBe(1);
    expect(await it.github.repo(REPO).read('tries.txt', headOf(repo))).toBe('try\ntry');
  });
});

describe('killed while it starts runs', () => {
  const kills = Number(process.env.PEERS ?? 5);
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
