/** What a campaign tells over weeks: a silent heartbeat, and that idle pull requests take all places. */
import { expect, it } from 'vitest';
import { createCampaignWorld } from '../support/campaign-world.ts';

const DAY = 86_400_000;

const started = async () => {
  const w = await createCampaignWorld();
  await w.sends(
    'campaign.yml',
    'name: Mend it\nrepositories: [acme/a, beta/b, gamma/c, delta/d]\ngoal: Fix it\npace: { canary: 2 }\nlimits: { open: 2 }',
    '/batch',
  );
  await w.taps('Start 4');
  await w.goesOn();
  for (const repo of await w.repos()) await w.opens(repo);
  await w.goesOn();
  await w.goesOn();
  return w;
};

it('F5: tells once a week and without a sound how it stands, when something moved', async () => {
  const w = await started();
  const before = w.messages.length;
  w.passes(6 * DAY);
  await w.goesOn();
  expect(w.messages).toHaveLength(before);
  w.passes(DAY);
  const [run] = await w.runs();
  await w.offer(run?.id ?? '', { type: 'command.run.finish', by: { id: '7', name: 'Ana' } });
  const then = w.messages.length;
  await w.goesOn();
  await w.goesOn();
  const told = w.messages.slice(then).filter(({ text }) => text.startsWith('RUNNING'));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ silent: true });
});

it('F5: says once which idle pull requests take all places; Go on, Close idle or Wait is a tap', async () => {
  const w = await started();
  w.passes(8 * DAY);
  await w.goesOn();
  await w.goesOn();
  const told = w.messages.filter(({ text }) => text.includes('All 2 places are taken by 2 pull requests'));
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain('for checks, 8d');
  expect(w.buttons()).toEqual(['Go on with 5 more', 'Close 2 idle', 'Wait']);
  expect(await w.repos()).toHaveLength(2);
  const on = w.messages.findLast(({ buttons }) =>
    buttons.flat().some(({ text }) => text.startsWith('Go on')),
  );
  const data = on?.buttons.flat().find(({ text }) => text.startsWith('Go on'))?.token ?? '';
  expect(await w.taps('Go on with 5 more')).toBe('7 may be open at a time now.');
  expect(await w.taps('Go on with 5 more', { ...(on ? { on } : {}), data })).toBe(
    'That tap was recorded before.',
  );
  await w.goesOn();
  expect(await w.repos()).toHaveLength(4);
  expect(w.failed).toEqual([]);
});
