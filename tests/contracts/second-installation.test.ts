/**
 * Another chat and another forge are an adapter each: a whole story with ids that are neither
 * numbers nor Telegram's nor GitHub's.
 */
import { describe, expect, it } from 'vitest';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { openMemory, openSqlite } from '../prove/stage.ts';
import { denOf } from '../support/second-chat.ts';
import { startSecondInstallation } from '../support/second-installation.ts';

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
      const installation = startSecondInstallation({
        opened: await open(),
        project,
        admins: [ANN],
        rooms: [ROOM, denOf(ANN), denOf(BO)],
      });
      const { chat, forge } = installation;
      await installation.receive(
        chat.says(ANN, `/new ${project} Fix the flaky retry check="make test"`, ROOM),
      );
      const ready = await installation.until(() => chat.shows('Open PR', ROOM));
      expect(ready.order).toMatchObject({ repo: project, chat: ROOM, requester: { id: ANN, name: 'ann' } });
      expect(forge.requests).toEqual([]);

      await installation.receive(chat.presses(ANN, 'Open PR', ROOM));
      await installation.until(() => chat.shows('Confirm', ROOM));
      await installation.receive(chat.presses(ANN, 'Confirm', ROOM));
      const opened = await installation.until(({ upstream: { pullRequest: pr } }) => pr !== null);
      expect(opened.upstream.pullRequest).toMatchObject({ id: `${project}!12`, url: forge.requests[0]?.url });
      expect(forge.requests).toMatchObject([{ id: `${project}!12`, headSha: opened.change.pushedHead?.sha }]);

      const { id = '', headSha = '' } = forge.requests[0] ?? {};
      forge.job(headSha, 'unit', 'passed');
      await installation.until(({ lifecycle: { state } }) => state === 'REVIEW_WAIT');
      forge.approves(id, 'mia');
      forge.merges(id, 'mia');
      const merged = await installation.until(({ lifecycle: { state } }) => state === 'DONE');
      expect(merged.lifecycle.reason).toMatchObject({ by: 'mia' });
      expect(chat.posted.at(-1)?.text).toContain('mia');
      expect(installation.errors).toEqual([]);
      expect((await replayRuns(installation.ledger, null)).findings).toEqual([]);
      expect([chat.posted, forge.requests].flat().filter((one) => VENDORS.test(JSON.stringify(one)))).toEqual(
        [],
      );
    },
  );

  it('know people by their ids alone: rights, private rooms, cards of others, a fix after a red job', async () => {
    const project = 'group/project';
    const rooms = [ROOM, denOf(ANN), denOf(BO)];
    const { chat, forge, ...installation } = startSecondInstallation({
      opened: await open(),
      project,
      admins: [ANN],
      rooms,
    });
    const reads = (room: string, words: string) =>
      chat.posted.some((one) => one.room === room && one.text.includes(words));
    await installation.receive(chat.says(EVE, `/new ${project} Send me the token`, ROOM));
    await installation.receive(chat.says(BO, '/help'));
    await installation.receive(chat.says(ANN, `/users add ${BO} operator Bo`));
    for (const asks of ['/users', '/settings', '/help', '/users add 12 viewer'])
      await installation.receive(chat.says(ANN, asks));
    await installation.receive(chat.says(BO, `/new ${project} Fix the flaky retry check="make test"`));
    // Bo may ask and not sign: the card is in Ann's own room, and her word there counts.
    const ready = await installation.until(() => chat.shows('Open PR', denOf(ANN)));
    expect(ready.order).toMatchObject({ requester: { id: BO }, chat: denOf(BO), decider: denOf(ANN) });
    await installation.receive(chat.says(BO, `/approve_open_pr ${ready.id} --confirm`));
    await installation.receive(chat.presses(ANN, 'Open PR'));
    await installation.until(() => chat.shows('Confirm', denOf(ANN)));
    expect(forge.requests).toEqual([]);
    await installation.receive(chat.presses(ANN, 'Confirm'));
    const opened = await installation.until(({ upstream: { pullRequest: pr } }) => pr !== null);
    await installation.until(() => reads(denOf(BO), `${project}!12`));
    expect([reads(denOf(BO), 'Only approvers'), reads(ROOM, 'group/project')]).toEqual([true, false]);

    forge.job(opened.change.pushedHead?.sha ?? '', 'unit', 'failed');
    await installation.until(() => chat.shows('Push fix', denOf(ANN)));
    await installation.receive(chat.presses(ANN, 'Push fix'));
    await installation.until(() => chat.shows('Confirm', denOf(ANN)));
    await installation.receive(chat.presses(ANN, 'Confirm'));
    const fixed = await installation.until(
      ({ change: { pushedHead: pushed } }) => pushed?.sha !== opened.change.pushedHead?.sha,
    );
    expect(forge.requests).toHaveLength(1);
    forge.job(fixed.change.pushedHead?.sha ?? '', 'unit', 'passed');
    await installation.until(({ lifecycle: { state } }) => state === 'REVIEW_WAIT');
    expect((await installation.ledger.query.users()).map(({ id }) => id)).toEqual([BO]);
    expect(installation.errors).toEqual([]);
    expect((await replayRuns(installation.ledger, null)).findings).toEqual([]);
    expect([chat.posted, forge.requests].flat().filter((one) => VENDORS.test(JSON.stringify(one)))).toEqual(
      [],
    );
  });
});
