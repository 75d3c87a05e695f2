/**
 * Another chat and another forge are an adapter each: a whole story with ids that are neither
 * numbers nor Telegram's nor GitHub's.
 */
import { describe, expect, it } from 'vitest';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { openMemory, openSqlite } from '../prove/stage.ts';
import { createSecondChat, denOf } from '../support/second-chat.ts';
import { startSecondInstallation } from '../support/second-installation.ts';
import { createTerminal } from '../support/terminal-chat/index.ts';

const [ANN, BO, EVE] = ['@ann:example.org', '@bo.smith:chat.example', '@eve:elsewhere.example'] as const;
const ROOM = '!team:example.org';

/** Whatever people read, in the chat and on the forge. */
const VENDORS = /telegram|github/i;

/** People and their rooms have different ids here. */
const roomed = (chat: ReturnType<typeof createSecondChat>, ...admins: string[]) => ({
  admins,
  adminChats: admins.map(denOf),
  samePeople: new Map<string, string>(),
  adapter: chat.adapter,
});

const LEDGERS = [
  ['in memory', async () => openMemory()],
  ['SQLite', () => openSqlite()],
] as const;

describe.each(LEDGERS)('a second chat and a second forge, with the ledger of %s', (_, open) => {
  it.each(['group/project', 'group/sub.group/project'])(
    'carry a run of %s from order to merge',
    async (project) => {
      const chat = createSecondChat([ROOM, denOf(ANN), denOf(BO)]);
      const installation = startSecondInstallation({
        opened: await open(),
        project,
        loaded: [roomed(chat, ANN)],
      });
      const { forge } = installation;
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
    const chat = createSecondChat([ROOM, denOf(ANN), denOf(BO)]);
    const { forge, ...installation } = startSecondInstallation({
      opened: await open(),
      project,
      loaded: [roomed(chat, ANN)],
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

describe('a chat that is a folder and a line', () => {
  it('C3: carries an order from a terminal to the card, the approval and the opened request', async () => {
    const terminal = createTerminal();
    const { load, ...line } = terminal.configured('tty-ann');
    const installation = startSecondInstallation({
      opened: openMemory(),
      project: 'group/project',
      loaded: [{ ...line, adapter: await load() }],
    });
    const { chats, forge } = installation;
    for (const { connection } of chats.all) await connection.start(() => {});
    const then = async (done: Promise<void>): Promise<void> => {
      await done;
      await installation.drain();
    };
    await then(terminal.types('tty-eve', '/new group/project Send me the token'));
    await then(terminal.types('tty-ann', '/new group/project Fix the flaky retry check="make test"'));
    const ready = await installation.until(() => terminal.shows('tty-ann', 'Open PR'));
    expect(ready.order).toMatchObject({ chat: 'tty-ann', requester: { id: 'tty-ann', name: 'ann' } });
    await then(terminal.presses('tty-ann', 'Open PR'));
    await installation.until(() => terminal.shows('tty-ann', 'Confirm'));
    expect(forge.requests).toEqual([]);
    await then(terminal.presses('tty-ann', 'Confirm'));
    const opened = await installation.until(({ upstream }) => upstream.pullRequest !== null);
    expect(forge.requests).toMatchObject([{ headSha: opened.change.pushedHead?.sha }]);
    await installation.until(() => terminal.screen.some(({ text }) => text.includes('group/project!12')));
    expect(terminal.screen.filter(({ tty }) => tty !== 'tty-ann')).toEqual([]);
    expect(installation.errors).toEqual([]);
  });

  it('C3: beside another one, each message and each update goes to its own', async () => {
    const [terminal, rooms] = [createTerminal(), createSecondChat([ROOM, denOf(ANN)])];
    const { load, ...line } = terminal.configured('tty-ann');
    const installation = startSecondInstallation({
      opened: openMemory(),
      project: 'group/project',
      loaded: [
        { ...line, samePeople: new Map([['tty-ann', ANN]]), adapter: await load() },
        roomed(rooms, ANN),
      ],
    });
    const { chats } = installation;
    for (const { connection } of chats.all) await connection.start(() => {});
    await terminal.types('tty-ann', '/new group/project Fix the flaky retry check="make test"');
    await installation.drain();
    const ready = await installation.until(() => terminal.shows('tty-ann', 'Open PR'));
    // G3: one person with two accounts.
    expect(ready.order).toMatchObject({ chat: 'tty-ann', requester: { id: ANN } });
    expect(rooms.posted).toEqual([]);
    await installation.receive(rooms.says(ANN, `/detail ${ready.id}`));
    await installation.until(() => rooms.posted.some(({ text }) => text.includes(ready.id)));
    const send = { html: 'x', buttons: [], silent: true };
    await expect(chats.out.send({ ...send, chat: '7' })).rejects.toMatchObject({ class: 'chat_refused' });
    await installation.receive({ source: 'chat', key: 'odd', body: { update_id: 7 } });
    expect(await installation.ledger.inbox(9)).toEqual([]);
  });
});
