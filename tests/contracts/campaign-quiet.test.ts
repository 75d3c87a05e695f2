/**
 * C8, F5: a campaign speaks with one card that stays true, and only what asks for somebody comes
 * besides.
 */
import { expect, it } from 'vitest';
import { createCampaignWorld } from '../support/campaign-world.ts';

const REPOS = Array.from({ length: 20 }, (_, i) => `team-${i % 4}/service-${i}`);

it('C8, F5: 20 repositories from the first to the last, and a chat hears of cards and of the campaign', async () => {
  const w = await createCampaignWorld();
  await w.orders(`/batch ${REPOS.join(' ')} Fix the flaky retry`);
  await w.taps('Start 20');
  const before = w.messages.length;
  const own = w.messages[before - 1];
  const done = new Set<string>();
  const through = async (): Promise<void> => {
    await w.goesOn();
    for (const repo of await w.repos()) {
      if (done.has(repo)) continue;
      done.add(repo);
      if (done.size === 5) await w.fails(repo);
      else await w.opens(repo);
      await w.deliver();
    }
    await w.goesOn();
  };
  while (done.size < REPOS.length) await through();
  const since = w.messages.slice(before);
  expect(since.map(({ text }) => text.split(' ·')[0])).toEqual(['NEEDS YOU']);
  expect(since[0]).toMatchObject({ silent: false });
  // The card of the campaign, in the message in which it was started.
  expect(own?.text).toMatch(/^RUNNING/);
  expect(own?.text).toContain('19 open, waiting for checks');
  expect(own?.text).toMatch(/Failed: \S+ \w+ \(missing on this machine\)/);
  expect(w.failed).toEqual([]);
});
