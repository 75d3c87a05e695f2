/**
 * Every update and every kind of message that the Bot API has, through the real intake: nothing
 * throws, nothing is answered twice, and nobody unknown gets more than the one hint.
 */
import { redeemInvite } from '../../bot/commands/invites.ts';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createTelegramIntake } from '../../bot/telegram-intake.ts';
import { ANA, createChatWorld, STRANGER } from '../support/chat-world.ts';
import { contents, updates } from '../support/telegram-samples.ts';

const SECRET = 'a-secret-of-the-webhook';
const GROUP = '-100500';

/** Answers whoever asks who the bot is. */
const botApi = async (): Promise<string> => {
  const me = { id: 4242, is_bot: true, first_name: 'AgentPR', username: 'agentpr_bot' };
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, result: me }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const world = async () => {
  const w = await createChatWorld();
  const bot = createTelegramIntake({
    token: '4242:x',
    apiRoot: await botApi(),
    ledger: w.ledger,
    roles: w.roles,
    clock: w.clock,
    log: { warn: () => undefined },
    onStored: () => undefined,
    pause: async () => undefined,
  });
  const webhook = bot.createWebhookTake(SECRET);
  let number = 10_000;
  /** What was said in answer to an update of Telegram's. */
  const gets = async (update: object): Promise<string[]> => {
    const before = w.messages.length;
    number += 1;
    expect(await webhook({ update_id: number, ...update }, SECRET)).toBe(true);
    await w.drains();
    expect(await w.ledger.inbox(10)).toEqual([]);
    w.passes(61_000);
    return w.messages.slice(before).map(({ text }) => text);
  };
  return { w, gets };
};

const from = (id: string, more: object = {}) => ({ id: Number(id), is_bot: false, first_name: 'P', ...more });
const chat = (id: string) => ({
  id: Number(id),
  type: id.startsWith('-') ? 'supergroup' : 'private',
  title: 'x',
});

const KINDS = updates();
const CONTENTS = contents();

it('reads more kinds than anybody would list', () => {
  expect(KINDS.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['message', 'my_chat_member', 'poll']),
  );
  expect(CONTENTS.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['sticker', 'checklist', 'location']),
  );
  expect(KINDS.length).toBeGreaterThan(20);
  expect(CONTENTS.length).toBeGreaterThan(70);
});

it('G4: no kind of update throws, is answered twice, or brings somebody unknown an answer', async () => {
  const { w, gets } = await world();
  const run = await w.readyRun();
  for (const { kind, body } of KINDS)
    for (const who of [ANA, STRANGER])
      for (const where of [who, GROUP]) {
        const placed = {
          ...(body as object),
          from: from(who),
          chat: chat(where),
          message: { message_id: 1, chat: chat(where) },
        };
        const said = await gets({ [kind]: placed });
        expect(said.length, `${kind} of ${who} in ${where}`).toBeLessThanOrEqual(1);
        if (who === STRANGER && kind !== 'message') expect(said, kind).toEqual([]);
      }
  expect((await w.run(run.id)).lifecycle.version).toBe(run.lifecycle.version);
}, 60_000);

/** What a person sends on purpose; the rest is Telegram's own, or words. */
const SENT = [
  ...['photo', 'video', 'video_note', 'voice', 'audio', 'document', 'animation', 'live_photo', 'sticker'],
  ...[
    'story',
    'paid_media',
    'contact',
    'dice',
    'game',
    'poll',
    'venue',
    'location',
    'checklist',
    'rich_message',
  ],
];

it('C1: every kind of message is answered once or not at all, in private, in a group and by a stranger', async () => {
  const { w, gets } = await world();
  const told: string[] = [];
  for (const { kind, content } of CONTENTS) {
    if (['from', 'chat', 'sender_chat', 'text', 'caption'].includes(kind)) continue;
    const message = (who: string, where: string) => ({
      message: { message_id: 500, date: 1, from: from(who), chat: chat(where), [kind]: content },
    });
    const own = await gets(message(ANA, ANA));
    expect(own.length, kind).toBeLessThanOrEqual(1);
    if (own.length > 0) told.push(kind);
    expect(await gets(message(ANA, GROUP)), `${kind} in a group`).toEqual([]);
    // A voice note is words: a stranger's gets the one hint that a stranger gets.
    expect(await gets(message(STRANGER, STRANGER)), `${kind} of a stranger`).toHaveLength(
      kind === 'voice' ? 1 : 0,
    );
    expect(await gets({ edited_message: { ...message(ANA, ANA).message, edit_date: 2 } }), kind).toEqual([]);
    expect(
      await gets(
        message('4242', ANA).message && {
          message: { ...message(ANA, ANA).message, from: from('77', { is_bot: true }) },
        },
      ),
      `${kind} of a bot`,
    ).toEqual([]);
  }
  expect(told.filter((kind) => !SENT.includes(kind) && kind !== 'users_shared')).toEqual([]);
  expect(SENT.filter((kind) => CONTENTS.some((c) => c.kind === kind) && !told.includes(kind))).toEqual([]);
  expect(await w.ledger.query.runs({ live: false, limit: 9 })).toEqual([]);
}, 60_000);

it('C1: what hides behind a group is told so where one of ours is, and nowhere else', async () => {
  const { gets } = await world();
  const hidden = {
    message_id: 3,
    from: from('1087968824'),
    sender_chat: chat(GROUP),
    chat: chat(GROUP),
    text: '/status',
  };
  expect(await gets({ message: hidden })).toEqual([]);
  await gets({ message: { message_id: 4, from: from(ANA), chat: chat(GROUP), text: '/status' } });
  expect((await gets({ message: { ...hidden, message_id: 5 } })).join()).toContain('Write as yourself');
  const post = {
    ...hidden,
    message_id: 6,
    from: from('136817688'),
    sender_chat: { id: -9, type: 'channel' },
  };
  expect((await gets({ message: post })).join()).toContain('Write as yourself');
});

it('S6: that a chat was taken from us, an admin hears once, and its decisions come to them', async () => {
  const { w, gets } = await world();
  await gets({ message: { message_id: 4, from: from('8'), chat: chat(GROUP), text: '/status' } });
  const member = (status: string, where: string, who: string) => ({
    my_chat_member: {
      chat: chat(where),
      from: from(who),
      date: 1,
      old_chat_member: {},
      new_chat_member: { status, user: {} },
    },
  });
  expect(await gets(member('kicked', GROUP, STRANGER))).toEqual([
    expect.stringContaining('removed from -100500'),
  ]);
  expect(w.messages.at(-1)?.chat).toBe(ANA);
  expect(await gets(member('left', GROUP, STRANGER))).toEqual([]);
  expect(await gets(member('member', GROUP, STRANGER))).toEqual([]);
  expect(await gets(member('member', GROUP, ANA))).toEqual([expect.stringContaining('I read commands')]);
  expect(await gets(member('member', '-999', STRANGER))).toEqual([]);
  expect(await gets(member('kicked', '-999', STRANGER))).toEqual([]);
  expect(await gets(member('kicked', STRANGER, STRANGER))).toEqual([]);
  expect(await gets(member('kicked', '8', '8'))).toEqual([expect.stringContaining('Bo has blocked me')]);
  expect(await gets(member('member', '8', '8'))).toEqual([]);
});

it('C3: a group that becomes a supergroup is the same place, and so is each topic of a forum', async () => {
  const { w, gets } = await world();
  const topic = { is_topic_message: true, message_thread_id: 12 };
  await gets({ message: { message_id: 4, from: from(ANA), chat: chat('-500'), ...topic, text: '/status' } });
  expect(w.messages.at(-1)?.chat).toBe('-500/12');
  await gets({
    message: { message_id: 5, from: from(ANA), chat: chat('-500'), text: '/settings language zh' },
  });
  await gets({
    message: { message_id: 6, from: from(STRANGER), chat: chat('-500'), migrate_to_chat_id: -100500 },
  });
  expect(
    (
      await gets({
        message: { message_id: 7, from: from(ANA), chat: chat(GROUP), ...topic, text: '/status' },
      })
    ).join(),
  ).toMatch(/\p{Script=Han}/u);
  // Outside of topics it only names a thread of replies.
  await gets({
    message: { message_id: 8, from: from(ANA), chat: chat(GROUP), message_thread_id: 3, text: '/status' },
  });
  expect(w.messages.at(-1)?.chat).toBe(GROUP);
});

it('C1: an invitation lets one person in, once and for an hour, and they are greeted in their language', async () => {
  const { w, gets } = await world();
  const says = (who: string, text: string, more: object = {}) =>
    gets({ message: { message_id: 9, from: from(who, more), chat: chat(who), text } });
  const code = async (): Promise<string> =>
    /start=(\w{8})/.exec((await says(ANA, '/users invite operator')).join())?.[1] ?? '';
  const first = await code();
  expect((await says(STRANGER, '/start NOTACODE')).join()).toContain('I do not know you');
  const came = await says(STRANGER, `/start ${first}`, { language_code: 'zh-hans', first_name: 'Eve' });
  expect(came).toEqual([expect.stringContaining('你好'), expect.stringContaining('Eve (666) accepted')]);
  expect(await w.roles.of(STRANGER)).toMatchObject({ role: 'operator', name: 'Eve' });
  expect((await says('777', `/start ${first}`)).join()).toContain('I do not know you');
  const second = await code();
  w.passes(61 * 60_000);
  expect((await says('778', `/start ${second}`)).join()).toContain('I do not know you');
  for (let i = 0; i < 3; i += 1) await code();
  expect((await says(ANA, '/users invite')).join()).toContain('still open');
  expect((await says('8', '/users invite admin')).join()).toMatch(/^Only admins/);
});

it('C1: an invitation whose redeeming was cut short is not lost: the same message gets it again', async () => {
  const { w, gets } = await world();
  const says = (who: string, text: string) =>
    gets({ message: { message_id: 9, from: from(who), chat: chat(who), text } });
  const said = (await says(ANA, '/users invite operator')).join();
  const code = /start=(\w{8})/.exec(said)?.[1] ?? '';
  const invite = { role: 'operator', by: { id: ANA } };
  expect(await redeemInvite(w.ledger, { code, row: 1_000 }, w.clock.now())).toMatchObject(invite);
  expect(await redeemInvite(w.ledger, { code, row: 1_000 }, w.clock.now())).toMatchObject(invite);
  expect(await redeemInvite(w.ledger, { code, row: 1_001 }, w.clock.now())).toBeNull();
  expect((await says(STRANGER, `/start ${code}`)).join()).toContain('I do not know you');
});

it('G3: people whom an admin chose on their phone get a role by a tap, and only an admin may choose', async () => {
  const { w, gets } = await world();
  const shares = (who: string) =>
    gets({
      message: {
        message_id: 9,
        from: from(who),
        chat: chat(who),
        users_shared: { request_id: 1, users: [{ user_id: 900, first_name: 'Zoe' }] },
      },
    });
  expect((await shares('8')).join()).toMatch(/^Only admins/);
  expect((await shares(ANA)).join()).toContain('What may they do?');
  await w.taps('Zoe: operator');
  expect(await w.roles.of('900')).toMatchObject({ role: 'operator', name: 'Zoe' });
});
