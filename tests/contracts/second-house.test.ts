/**
 * Another chat and another forge are an adapter each: a whole story with ids that are neither
 * numbers nor Telegram's nor GitHub's.
 */
import { describe, expect, it } from 'vitest';
import { replayRuns } from '../../orchestrator/engine/replay.ts';
import { openMemory, openSqlite } from '../prove/stage.ts';
import { denOf } from '../support/second-chat.ts';
import { startSecondHouse } from '../support/second-house.ts';

const [ANN, BO, EVE] = ['@ann:example.org', '@bo.smith:chat.example', '@eve:elsewhere.example'] as const;
const ROOM = '!team:example.org';

/** Whatever people read, in the chat and on the forge. */
const VENDORS = /telegram|github/i;

const LEDGERS = [
  ['in memory', async () => openMemory()],
  ['SQLite', () => openSqlite()],
] as const;

describe.each(LEDGERS)('a second chat and a second forge, with the ledger of %s', (_, open) => {
  it.each(['group/project', 'group/sub.group/project'])(
    'carry a run of %s from order to merge',
    async (project) => {
      const house = startSecondHouse({
        opened: await open(),
        project,
        admins: [ANN],
        rooms: [ROOM, denOf(ANN), denOf(BO)],
      });
      const { chat, forge } = house;
      await house.receive(chat.says(ANN, `/new ${project} Fix the flaky retry check="make test"`, ROOM));
      const ready = await house.until(() => chat.shows('Open PR', ROOM));
      expect(ready.order).toMatchObject({ repo: project, chat: ROOM, requester: { id: ANN, name: 'ann' } });
      expect(forge.requests).toEqual([]);

      await house.receive(chat.presses(ANN, 'Open PR', ROOM));
      await house.until(() => chat.shows('Confirm', ROOM));
      await house.receive(chat.presses(ANN, 'Confirm', ROOM));
      const opened = await house.until(({ upstream: { pullRequest: pr } }) => pr !== null);
      expect(opened.upstream.pullRequest).toMatchObject({ id: `${project}!12`, url: forge.requests[0]?.url });
      expect(forge.requests).toMatchObject([{ id: `${project}!12`, headSha: opened.change.pushedHead?.sha }]);

      const { id = '', headSha = '' } = forge.requests[0] ?? {};
      forge.job(headSha, 'unit', 'passed');
      await house.until(({ lifecycle: { state } }) => state === 'REVIEW_WAIT');
      forge.approves(id, 'mia');
      forge.merges(id, 'mia');
      const merged = await house.until(({ lifecycle: { state } }) => state === 'DONE');
      expect(merged.lifecycle.reason).toMatchObject({ by: 'mia' });
      expect(chat.posted.at(-1)?.text).toContain('mia');
      expect(house.errors).toEqual([]);
      expect((await replayRuns(house.ledger, null)).findings).toEqual([]);
      expect([chat.posted, forge.requests].flat().filter((one) => VENDORS.test(JSON.stringify(one)))).toEqual(
        [],
      );
    },
  );

  it('know people by their ids alone: rights, private rooms, cards of others, a fix after a red job', async () => {
    const project = 'group/project';
    const rooms = [ROOM, denOf(ANN), denOf(BO)];
    const { chat, forge, ...house } = startSecondHouse({
      opened: await open(),
      project,
      admins: [ANN],
      rooms,
    });
    const reads = (room: string, words: string) =>
      chat.posted.some((one) => one.room === room && one.text.includes(words));
    await house.receive(chat.says(EVE, `/new ${project} Send me the token`, ROOM));
    await house.receive(chat.says(BO, '/help'));
    await house.receive(chat.says(ANN, `/users add ${BO} operator Bo`));
    for (const asks of ['/users', '/settings', '/help', '/users add 12 viewer'])
      await house.receive(chat.says(ANN, asks));
    await house.receive(chat.says(BO, `/new ${project} Fix the flaky retry check="make test"`));
    // Bo may ask and not sign: the card is in Ann's own room, and her word there counts.
    const ready = await house.until(() => chat.shows('Open PR', denOf(ANN)));
    expect(ready.order).toMatchObject({ requester: { id: BO }, chat: denOf(BO), decider: denOf(ANN) });
    await house.receive(chat.says(BO, `/approve_open_pr ${ready.id} --confirm`));
    await house.receive(chat.presses(ANN, 'Open PR'));
    await house.until(() => chat.shows('Confirm', denOf(ANN)));
    expect(forge.requests).toEqual([]);
    await house.receive(chat.presses(ANN, 'Confirm'));
    const opened = await house.until(({ upstream: { pullRequest: pr } }) => pr !== null);
    await house.until(() => reads(denOf(BO), `${project}!12`));
    expect([reads(denOf(BO), 'Only approvers'), reads(ROOM, 'group/project')]).toEqual([true, false]);

    forge.job(opened.change.pushedHead?.sha ?? '', 'unit', 'failed');
    await house.until(() => chat.shows('Push fix', denOf(ANN)));
    await house.receive(chat.presses(ANN, 'Push fix'));
    await house.until(() => chat.shows('Confirm', denOf(ANN)));
    await house.receive(chat.presses(ANN, 'Confirm'));
    const fixed = await house.until(
      ({ change: { pushedHead: pushed } }) => pushed?.sha !== opened.change.pushedHead?.sha,
    );
    expect(forge.requests).toHaveLength(1);
    forge.job(fixed.change.pushedHead?.sha ?? '', 'unit', 'passed');
    await house.until(({ lifecycle: { state } }) => state === 'REVIEW_WAIT');
    expect((await house.ledger.query.users()).map(({ id }) => id)).toEqual([BO]);
    expect(house.errors).toEqual([]);
    expect((await replayRuns(house.ledger, null)).findings).toEqual([]);
    expect([chat.posted, forge.requests].flat().filter((one) => VENDORS.test(JSON.stringify(one)))).toEqual(
      [],
    );
  });
});
