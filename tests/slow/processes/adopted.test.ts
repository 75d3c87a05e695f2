/** F5: pull requests that others opened, followed at a code host over HTTP. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRepositoryAt } from '../../../forge/github-facts.ts';
import { parsePullList } from '../../../orchestrator/orders/pull-list.ts';
import { createAdopter } from '#campaigns';
import { createCampaignWorld } from '../../support/campaign-world.ts';
import { forgeAt, repo, startForgeWorld, type ForgeWorld } from '../../support/forge-world.ts';

let world: ForgeWorld;
beforeAll(async () => {
  world = await startForgeWorld();
});
afterAll(() => world.github.stop());

it('F5: adopts by a link, follows checks and merge, and asks nothing of the code host but to be shown', async () => {
  const { acme, github } = world;
  const { number, head } = await world.openPull();
  const w = await createCampaignWorld();
  await w.orders('/batch acme/a acme/b Fix it');
  await w.taps('Start 2');
  const id = (await w.campaign())?.id ?? '';
  const adopter = createAdopter({
    ledger: w.ledger,
    clock: w.clock,
    hints: { quiet() {}, quietUntil: () => 0 },
    isRepository: isRepositoryAt(github.url),
    forge: forgeAt(github.url),
  });
  const before = github.calls.length;
  const read = parsePullList(`${github.url}/${repo}/pull/${number} ${repo}#9999`);
  if (!('value' in read)) throw new Error('not read');
  const by = { id: '7', name: 'Ana' };
  expect(await adopter.take({ id, pulls: read.value.pulls, by })).toMatchObject({
    adopted: 1,
    notAdopted: [{ pull: `${repo}#9999`, why: 'missing' }],
  });
  const markNow = async () => {
    w.passes(6 * 60_000);
    await adopter.follow();
    return (await w.campaign())?.adoptedPulls?.[0]?.mark;
  };
  acme.setCheck(head, { name: 'test', conclusion: 'failure' });
  expect(await markNow()).toBe('red');
  const asked = github.calls.slice(before).map(({ route }) => route.split(' ')[0]);
  expect(new Set(asked)).toEqual(new Set(['GET']));
  await acme.merge(number);
  expect(await markNow()).toBe('merged');
  expect((await w.campaign())?.adoptedPulls?.[0]).toMatchObject({ repo, pull: `#${number}` });
});
