/** G10: when pull requests may be opened, said in words by an admin, proposed, and set by a tap. */
import { expect, it } from 'vitest';
import { createChatWorld, VIC } from '../support/chat-world.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;
const hoursOf = (w: World): string | undefined => w.runtimeSettings.now().openingHours;
const tapFirst = (w: World): Promise<unknown> => w.taps(w.messages.at(-1)?.buttons[0]?.[0]?.text ?? '');

it.each([
  ['no pull requests on Fridays', 'sat-thu 00:00-24:00 UTC'],
  ['No PRs on friday, please', 'sat-thu 00:00-24:00 UTC'],
  ["don't open pull requests on weekends", 'mon-fri 00:00-24:00 UTC'],
  ['never open a pull request on Saturday or Sunday', 'mon-fri 00:00-24:00 UTC'],
  ['on Mondays and Fridays, no pull requests', 'tue-thu,sat-sun 00:00-24:00 UTC'],
  ['open no PRs at the weekend', 'mon-fri 00:00-24:00 UTC'],
  ['only open pull requests on weekdays', 'mon-fri 00:00-24:00 UTC'],
  ['only open pull requests Monday to Thursday, 9 to 5', 'mon-thu 09:00-17:00 UTC'],
  ['open PRs only on mon, tue and wed from 9:30 to 18:00', 'mon-wed 09:30-18:00 UTC'],
  ['周五不要开PR', 'sat-thu 00:00-24:00 UTC'],
  ['周末别提交拉取请求', 'mon-fri 00:00-24:00 UTC'],
  ['只在周一到周四9点到17点开PR', 'mon-thu 09:00-17:00 UTC'],
] as const)('G10: %s', async (words, hours) => {
  const w = await createChatWorld();
  await w.says(words);
  expect(hoursOf(w)).toBeUndefined();
  await tapFirst(w);
  expect(hoursOf(w)).toBe(hours);
});

it('G10: a day is taken from the hours that hold, and all of them are given back', async () => {
  const w = await createChatWorld();
  await w.says('/settings hours mon-fri 09:00-17:00 Europe/Berlin');
  await w.says('no pull requests on Fridays');
  await tapFirst(w);
  expect(hoursOf(w)).toBe('mon-thu 09:00-17:00 Europe/Berlin');
  await w.says('open pull requests any time');
  await tapFirst(w);
  expect(hoursOf(w)).toBeUndefined();
});

it('G10: hours in words are those of the time zone in which the person has quiet hours', async () => {
  const w = await createChatWorld();
  await w.says('/settings quiet 22:00-07:00 Asia/Shanghai');
  await w.says('no pull requests on Sundays');
  await tapFirst(w);
  expect(hoursOf(w)).toBe('mon-sat 00:00-24:00 Asia/Shanghai');
});

it.each([
  'no pull requests on Fridays for acme/app',
  'no pull requests on Fridays this month',
  'Add a line to acme/app that says no pull requests on Fridays',
  'why are there no pull requests on Fridays?',
  'no pull requests on Monday to Sunday',
])('G10: %s changes nothing', async (words) => {
  const w = await createChatWorld();
  await w.says(words);
  expect((w.messages.at(-1)?.buttons.flat() ?? []).map(({ text }) => text).join()).not.toMatch(/hours/);
  expect(hoursOf(w)).toBeUndefined();
});

it('C4: a setting that was proposed is changed by one tap, which leaves the proposal without a button', async () => {
  const w = await createChatWorld();
  await w.says('no pull requests on Fridays');
  const on = w.messages.at(-1);
  const data = on?.buttons[0]?.[0]?.token ?? '';
  const again = () => w.taps('', { ...(on ? { on } : {}), data });
  expect(await again()).toBe('Recorded.');
  expect(w.messages.find(({ messageId }) => messageId === on?.messageId)).toMatchObject({
    text: expect.stringContaining('✓ Change this setting') as string,
    buttons: [],
  });
  await w.says('/settings hours default');
  await again();
  expect(hoursOf(w)).toBeUndefined();
});

it('G10: who is no admin is told so', async () => {
  const w = await createChatWorld();
  await w.says('no pull requests on Fridays', { by: VIC });
  expect(w.messages.at(-1)).toMatchObject({ text: expect.stringContaining('admin') as string, buttons: [] });
  expect(hoursOf(w)).toBeUndefined();
});
