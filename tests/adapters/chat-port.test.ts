/** The port of chats, on every chat there is: what it promises whoever carries the messages. */
import { afterEach, describe, expect, it } from 'vitest';
import type { InboundUpdate } from '../../bot/commands/inbound-update.ts';
import {
  isEarlierTelegramMessage,
  isTelegramUserId,
  readTelegramUpdate,
} from '../../bot/commands/read-telegram-update.ts';
import { createTelegramChat } from '../../bot/telegram-chat.ts';
import { LANGUAGE_TEXTS } from '#language';
import { escapeHtml } from '#chat-text';
import { formatTopicChat } from '../../bot/chat-topics.ts';
import { MaybeSent, type ChatPort } from '#ports/chat';
import { isEarlierSlackMessage, isSlackUserId, formatThreadChat } from '../../slack/chat-ids.ts';
import { readEnvelope } from '../../slack/read-envelope.ts';
import { readSlackRecord } from '../../slack/read-record.ts';
import { createSlackChat } from '../../slack/slack-chat.ts';
import { createSlackApi } from '../../slack/web-api.ts';
import { answer, commitThenDrop, startTelegram, tooManyRequests } from '#playground';
import { createSecondChat, denOf, isEarlierSecond, isSecondPerson } from '../support/second-chat.ts';
import { SLACK_BOT, SLACK_TEAM, SLACK_TOKENS, startSlack } from '../support/slack/slack-server.ts';

const NOW = 1_700_000_000_000;
const clock = { now: () => NOW };

type Seen = { id: string; text: string; buttons: string[]; files: string[] };
type Stage = {
  port: ChatPort;
  /** A person, the person's own place, a shared one, and a part of the shared one. */
  person: string;
  own: string;
  shared: string;
  part: string | null;
  gone: string;
  seen: () => Seen[];
  /** Returns what the adapter reads when the person presses the button of the newest message. */
  presses: (label: string, place: string) => Promise<InboundUpdate>;
  says: (text: string) => Promise<InboundUpdate>;
  isPerson: (id: string) => boolean;
  isEarlier: (messageId: string, than: string) => boolean;
  /** Null where nothing can be refused or lost. */
  faults: { limit: () => void; refuse: () => void; lose: () => void } | null;
  end: () => Promise<void>;
};

const inMemory = async (): Promise<Stage> => {
  const [person, shared] = ['@ann:example.org', '!team:example.org'];
  const chat = createSecondChat([shared, denOf(person)]);
  return {
    port: chat.port,
    person,
    own: denOf(person),
    shared,
    part: null,
    gone: '$9999:example.org',
    seen: () =>
      chat.posted.map(({ id, text, buttons }) => ({
        id,
        text,
        buttons: buttons.map((b) => b.text),
        files: [text],
      })),
    presses: async (label, place) => chat.read(chat.presses(person, label, place).body),
    says: async (text) => chat.read(chat.says(person, text).body),
    isPerson: isSecondPerson,
    isEarlier: isEarlierSecond,
    faults: null,
    end: async () => {},
  };
};

const onTelegram = async (): Promise<Stage> => {
  const token = '123456:local';
  const telegram = await startTelegram({ token, botName: 'agentpr_bot', limits: null });
  const ana = telegram.person(7, 'Ana');
  const group = telegram.group(-100_500, 'acme');
  const topic = group.opensTopic('api');
  let offset = 0;
  const next = async (): Promise<InboundUpdate> => {
    const asked = await fetch(`${telegram.url}/bot${token}/getUpdates?offset=${offset}`);
    const { result } = (await asked.json()) as { result: { update_id: number }[] };
    const update = result.at(-1);
    offset = (update?.update_id ?? 0) + 1;
    return readTelegramUpdate(update);
  };
  const people = [ana, ana.in(group), ana.in(topic)];
  const everything = () =>
    people
      .flatMap((one) => one.messages())
      .filter(({ from, text, document }) => from === 'bot' && (text !== '' || document));
  return {
    port: createTelegramChat({ token, apiRoot: telegram.url, clock }),
    person: '7',
    own: '7',
    shared: '-100500',
    part: formatTopicChat('-100500', topic.topic),
    gone: '4000',
    seen: () =>
      everything().map(({ messageId, text, buttons, document }) => ({
        id: String(messageId),
        text,
        buttons: buttons.flat().map((b) => b.text),
        files: document ? [document.content.toString()] : [],
      })),
    presses: async (label, place) => {
      const who = place === '7' ? ana : place.includes('/') ? ana.in(topic) : ana.in(group);
      who.taps(label);
      return next();
    },
    says: async (text) => {
      ana.sends(text);
      return next();
    },
    isPerson: isTelegramUserId,
    isEarlier: isEarlierTelegramMessage,
    faults: {
      limit: () => telegram.faults.next('sendMessage', tooManyRequests(30)),
      refuse: () =>
        telegram.faults.next(
          'sendMessage',
          answer(403, { ok: false, error_code: 403, description: 'Forbidden: bot was kicked' }),
        ),
      lose: () => telegram.faults.next('sendMessage', commitThenDrop()),
    },
    end: () => telegram.stop(),
  };
};

const onSlack = async (): Promise<Stage> => {
  const slack = await startSlack();
  const ana = slack.person('U0ANA0001', 'Ana');
  const shared = 'C0TEAM001';
  const us = { team: SLACK_TEAM, user: SLACK_BOT, name: 'agentpr' };
  const read = (kind: 'events_api' | 'interactive', payload: unknown): InboundUpdate =>
    readSlackRecord(JSON.parse(JSON.stringify(readEnvelope(kind, payload, us, '0.000000')?.record ?? null)));
  const fails = (status: number, error: string, retryAfter?: number): void =>
    void slack.faults.push({
      method: 'chat.postMessage',
      times: 1,
      answer: { status, body: { ok: false, error }, ...(retryAfter === undefined ? {} : { retryAfter }) },
    });
  return {
    port: createSlackChat(
      createSlackApi({ token: SLACK_TOKENS.bot, root: slack.url, clock }),
      async () => LANGUAGE_TEXTS.en,
    ),
    person: ana.user,
    own: ana.user,
    shared,
    part: formatThreadChat(shared, '1700000000.000001'),
    gone: '1.000001',
    seen: () =>
      slack.messages.map(({ ts, text, buttons, files }) => ({
        id: ts,
        text,
        buttons: buttons.map((b) => b.text),
        files: files.map(({ content }) => content.toString()),
      })),
    presses: async (label, place) => {
      const [at = '', thread = null] = place.split(':');
      const channel = at === ana.user ? ana.direct : at;
      const on = slack.messages.findLast((m) => m.channel === channel && m.thread === thread);
      return read('interactive', ana.taps(new RegExp(`^${label}$`), on ? { on } : {}).payload);
    },
    says: async (text) => read('events_api', ana.says(text).payload),
    isPerson: isSlackUserId,
    isEarlier: isEarlierSlackMessage,
    faults: {
      limit: () => fails(429, 'ratelimited', 30),
      refuse: () => fails(200, 'is_archived'),
      lose: () => void slack.faults.push({ method: 'chat.postMessage', times: 1, answer: 'lost' }),
    },
    end: () => slack.stop(),
  };
};

let stage: Stage | null = null;
afterEach(async () => {
  await stage?.end();
  stage = null;
});

describe.each([
  ['in memory', inMemory],
  ['Telegram', onTelegram],
  ['Slack', onSlack],
] as const)('a chat: %s', (_, open) => {
  const opened = async (): Promise<Stage> => (stage = await open());
  const button = (text: string, more: object = {}) => ({
    text,
    token: `a1.${text.toLowerCase()}.1.abcdefghijk`,
    ...more,
  });

  it('C3: carries a message, edits it in place, and says when it is gone', async () => {
    const { port, own, seen, gone } = await opened();
    const sent = await port.send({
      chat: own,
      html: '<b>one</b> &amp; two',
      buttons: [[button('Go')]],
      silent: true,
    });
    expect(sent.chat).toBe(own);
    expect(seen()).toMatchObject([{ id: sent.messageId, text: 'one & two', buttons: ['Go'] }]);
    const next = { ...sent, html: 'three', buttons: [] };
    expect([await port.edit(next), await port.edit(next)]).toEqual([sent, sent]);
    expect(seen()).toMatchObject([{ id: sent.messageId, text: 'three', buttons: [] }]);
    expect(await port.edit({ ...next, messageId: gone })).toBeNull();
  });

  it('G4: brings back the very token, with the message, the place and the person it belongs to', async () => {
    const { port, own, shared, part, person, presses } = await opened();
    for (const chat of [own, shared, ...(part === null ? [] : [part])]) {
      const html = `in ${chat}`;
      const sent = await port.send({
        chat,
        html,
        buttons: [[button('Go'), button('Deny', { style: 'danger' })]],
        silent: true,
      });
      expect(await presses('Deny', chat)).toMatchObject({
        kind: 'tap',
        user: person,
        chat,
        private: chat === own,
        messageId: sent.messageId,
        data: 'a1.deny.1.abcdefghijk',
      });
    }
  });

  it('C5: leaves what others wrote as it is', async () => {
    const { port, own, seen } = await opened();
    const hostile = '<!channel> *a* _b_ `c` <@U1> [x](https://evil.example) &amp; :tada: @here';
    await port.send({
      chat: own,
      html: `<code>${escapeHtml(hostile)}</code>`,
      buttons: [[button('Go')]],
      silent: true,
    });
    expect(seen()[0]?.text).toBe(hostile);
  });

  it('C2: carries files byte by byte', async () => {
    const { port, shared, part, seen } = await opened();
    const place = part ?? shared;
    await port.document({ chat: place, name: 'a.patch', content: '+é\n', caption: 'a', silent: true });
    const picture = (content: string) => ({
      name: `${content}.png`,
      content: Buffer.from(content),
      caption: content,
      wide: 9,
      high: 9,
    });
    const sent = await port.album({ chat: place, pictures: [picture('x'), picture('y')], silent: true });
    const files = seen()
      .flatMap((one) => one.files)
      .join(' ');
    for (const content of ['+é\n', 'x', 'y']) expect(files).toContain(content);
    expect(sent).toMatchObject({ chat: place, messageId: expect.stringMatching(/./) as string });
  });

  it('S4: reads what a person writes in their own place, and tells earlier messages from later ones', async () => {
    const it = await opened();
    const [first, second] = [await it.says('hello there'), await it.says('and again')];
    expect(first).toMatchObject({
      kind: 'message',
      user: it.person,
      chat: it.own,
      private: true,
      text: 'hello there',
    });
    if (first.kind !== 'message' || second.kind !== 'message') throw new Error('no messages');
    expect(it.isEarlier(first.messageId, second.messageId)).toBe(true);
    expect(it.isEarlier(second.messageId, first.messageId)).toBe(false);
    expect([it.isPerson(it.person), it.isPerson(`${it.person} x`), it.isPerson('')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('C3, L4: says whether to wait, to give up, or that a message may have arrived', async () => {
    const { port, own, faults, seen } = await opened();
    if (!faults) return;
    const send = (): Promise<unknown> =>
      port.send({ chat: own, html: 'x', buttons: [], silent: true }).catch((error: unknown) => error);
    faults.limit();
    expect(await send()).toMatchObject({ class: 'rate_limited', retryAt: NOW + 30_000 });
    faults.refuse();
    expect(await send()).toMatchObject({ class: 'chat_refused' });
    expect(seen()).toEqual([]);
    faults.lose();
    expect(await send()).toBeInstanceOf(MaybeSent);
    expect(seen()).toHaveLength(1);
  });
});
