/**
 * F4, F5: what a look of an unchanged pull request costs, and how soon a change is seen all the
 * same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitHubForge } from '../../../forge/github.ts';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import type { PollDepth, ResponseCache } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import { NOW, repo, startForgeWorld, type ForgeWorld, type OurPull } from '../../support/forge-world.ts';

let world: ForgeWorld;
let now = NOW;
beforeAll(async () => {
  world = await startForgeWorld();
});
afterAll(() => world.github.stop());

const forgeNow = (answers?: ResponseCache): ForgePort =>
  createGitHubForge({
    ...(answers ? { answers } : {}),
    apiUrl: world.github.url,
    userAgent: 'agentpr-test',
    clock: { now: () => now },
    token: () => Promise.resolve('tok'),
  });
const lookAt = async (forge: ForgePort, { id, head }: OurPull, care: PollDepth) => {
  const before = world.github.calls.length;
  const pull = await forge.pull(repo, id, care);
  const checks = await forge.checks(repo, head, 'main', care);
  const reviews = await forge.reviews(repo, id, care);
  const comments = await forge.comments(repo, id, care);
  const calls = world.github.calls.slice(before);
  return {
    pull,
    checks,
    reviews,
    comments,
    calls,
    routes: calls.map(({ route }) => route.split('/').at(-1)),
  };
};
const minutes = (n: number): void => void (now += n * 60_000);

describe('a look of an unchanged pull request', () => {
  it('F4: asks twice at most, for what costs nothing, and for another half each time', async () => {
    const forge = forgeNow();
    const pull = await world.openPull();
    world.acme.setCheck(pull.head, { name: 'test', status: 'in_progress' });
    await lookAt(forge, pull, 'whole');
    minutes(0.2);
    await lookAt(forge, pull, 'whole');
    minutes(0.5);
    const even = await lookAt(forge, pull, { turn: 2 });
    const odd = await lookAt(forge, pull, { turn: 3 });
    expect(even.routes.sort()).toEqual(['check-runs', '{pull_number}']);
    expect(odd.routes.sort()).toEqual(['check-suites', 'status']);
    for (const { status } of [...even.calls, ...odd.calls]) expect(status).toBe(304);
    expect(odd.checks.checks).toEqual(even.checks.checks);
  });

  it('F8: tells how old the oldest of its answers is, so that nothing settles on what was not seen', async () => {
    const forge = forgeNow();
    const pull = await world.openPull();
    await lookAt(forge, pull, 'whole');
    const first = now;
    minutes(1);
    const half = now;
    expect((await lookAt(forge, pull, { turn: 2 })).checks.seenAt).toBe(first);
    minutes(1);
    expect((await lookAt(forge, pull, { turn: 3 })).checks.seenAt).toBe(half);
    expect((await lookAt(forge, pull, 'whole')).checks.seenAt).toBe(now);
  });

  it('F4: costs nothing after a restart either: what was answered is in the ledger', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'agentpr-answers-'));
    const pull = await world.openPull();
    world.acme.setCheck(pull.head, { name: 'test', conclusion: 'success' });
    const before = await openLedger({ dataDir, now: () => now });
    const told = await lookAt(forgeNow(before.answers), pull, 'whole');
    await before.close();
    minutes(1);
    const after = await openLedger({ dataDir, now: () => now });
    const again = await lookAt(forgeNow(after.answers), pull, 'whole');
    await after.close();
    rmSync(dataDir, { recursive: true });
    expect(new Set(again.calls.map(({ status }) => status))).toEqual(new Set([304]));
    expect(again.checks.checks).toEqual(told.checks.checks);
    expect(again.pull).toEqual(told.pull);
  });

  it('F4: sees what checks, statuses and people say within two looks', async () => {
    const forge = forgeNow();
    const pull = await world.openPull();
    await lookAt(forge, pull, 'whole');
    world.acme.setCheck(pull.head, { name: 'test', conclusion: 'failure' });
    world.acme.setStatus(pull.head, { context: 'cov', state: 'failure' });
    world.acme.comment(pull.number, { user: 'eve', body: 'Hm.' });
    world.acme.review(pull.number, { user: 'acme', state: 'CHANGES_REQUESTED', body: 'No.' });
    const even = await lookAt(forge, pull, { turn: 2 });
    const odd = await lookAt(forge, pull, { turn: 3 });
    expect(odd.checks.checks.map(({ name }) => name).sort()).toEqual(['cov', 'test']);
    expect(even.reviews.map(({ state }) => state)).toEqual(['wants_changes']);
    expect(even.comments.map(({ body }) => body)).toEqual(['Hm.']);
  });

  it('F4: asks for rules every few minutes, and for what people say all the same now and then', async () => {
    const forge = forgeNow();
    const pull = await world.openPull();
    await lookAt(forge, pull, 'whole');
    minutes(1);
    await lookAt(forge, pull, 'whole');
    minutes(6);
    expect((await lookAt(forge, pull, { turn: 2 })).routes).toContain('{branch}');
    minutes(20);
    expect((await lookAt(forge, pull, { turn: 2 })).routes).toContain('reviews');
  });
});
