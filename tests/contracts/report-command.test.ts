/** O4: `/report` says what runs took, in place and as a file, and refuses what it does not know. */
import { expect, it } from 'vitest';
import { DAY } from '#model/values';
import { createChatWorld, VIC } from '../support/chat-world.ts';

it('O4: what runs took is on one screen, whose buttons lead to other groups and times in place', async () => {
  const w = await createChatWorld();
  expect((await w.says('/report')).join()).toContain('No runs were ordered in this period.');
  await w.readyRun();
  w.passes(30_000);
  await w.taps('Deny');
  await w.taps('No reason');
  const [said] = await w.says('/report');
  expect(said).toContain('Report of the last 30 days');
  expect(said).toContain('1 run, 0 pull requests.');
  expect(said).toContain('Stopped for a person: 1 of 1 (100 %; 95 % interval 21–100 %)');
  expect(said).toContain('Engines');
  const before = w.messages.length;
  await w.taps('Repositories');
  expect(w.messages).toHaveLength(before);
  expect(w.messages.at(-1)?.text).toContain('acme/api');
  await w.taps('7 days');
  expect(w.messages.at(-1)?.text).toContain('Report of the last 7 days');
  expect((await w.says('/report repository 7d', { by: VIC })).join()).toContain('acme/api');
});

it('O7: a share is compared with that of as long a time before', async () => {
  const w = await createChatWorld();
  await w.readyRun();
  await w.taps('Deny');
  await w.taps('No reason');
  w.passes(8 * DAY);
  await w.readyRun();
  expect((await w.says('/report 7d')).join()).toContain(
    'Stopped for a person: 0 of 1 (0 %; 95 % interval 0–79 %); −100 points compared with the period before (−100 to +12)',
  );
});

it('O4: the whole table is a file, made when it is sent', async () => {
  const w = await createChatWorld();
  await w.readyRun();
  await w.says('/report');
  await w.taps('The whole table');
  const [file] = w.documents;
  expect(file).toMatchObject({ name: 'report-30d-engine.md' });
  expect(String(file?.content)).toMatch(/^\| Group \| Runs \|[^]*\| script \| 1 \| 0 \|/);
});

it.each([
  ['colour', 'A report has no colour; there are: 7d, 12w, all, engine'],
  ['0d', 'A report has no 0d'],
  ['7d 99999d', 'A report has no 99999d'],
])('O4: /report %s is refused with what may be written', async (text, why) => {
  const w = await createChatWorld();
  expect((await w.says(`/report ${text}`)).join()).toContain(why);
});
