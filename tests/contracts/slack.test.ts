/** What Slack delivers, read: whose words they are, which place they belong to, and what may never count. */
import { describe, expect, it } from 'vitest';
import { listAdminChats, listAdminIds } from '../../app/chats.ts';
import { readConfig } from '../../app/config.ts';
import { createTelegramAdapter } from '../../bot/telegram-adapter.ts';
import { joinChats, chatTraitsOf, type ChatHost } from '#chat';
import { createSlackAdapter } from '../../slack/slack-adapter.ts';
import { renderBlocks, escapeMrkdwn, toNotificationText } from '../../slack/blocks.ts';
import { isEarlierSlackMessage, isSlackChatId, isSlackUserId, parseSlackChat } from '../../slack/chat-ids.ts';
import { readEnvelope, type EnvelopeKind, type SlackRecord } from '../../slack/read-envelope.ts';
import { readCallback, readSlackRecord, slackLane, toSlackStranger } from '../../slack/read-record.ts';
import { judgeMessage, mentionsIn, plainTextOf } from '../support/slack/judge-message.ts';

const US = { team: 'T0LOCAL01', user: 'U0AGENTPR1', name: 'agentpr' };
const ANA = 'U0ANA0001';
const DIRECT = 'D0ANA0001';
const TEAM = 'C0TEAM001';
const TS = '1700000000.000100';
const ROOT = '1699999999.000001';

const read = (kind: EnvelopeKind, payload: unknown) => readEnvelope(kind, payload, US, '1700000000.123000');
const callback = (event: object, over: object = {}) => ({
  type: 'event_callback',
  team_id: US.team,
  event_id: 'Ev1',
  event,
  ...over,
});
const direct = (text: string, over: object = {}) =>
  callback({
    type: 'message',
    channel: DIRECT,
    channel_type: 'im',
    user: ANA,
    text,
    ts: TS,
    team: US.team,
    ...over,
  });
const mention = (text: string, over: object = {}) =>
  callback({ type: 'app_mention', channel: TEAM, user: ANA, text: `<@${US.user}> ${text}`, ts: TS, ...over });
const tap = (over: object = {}, container: object = {}) => ({
  type: 'block_actions',
  team: { id: US.team, domain: 'acme' },
  user: { id: ANA, name: 'ana', team_id: US.team },
  container: { type: 'message', message_ts: TS, channel_id: TEAM, is_ephemeral: false, ...container },
  actions: [
    { type: 'button', action_id: '0-0', value: 'a1.open.1.xxxxxxxxxxx', action_ts: '1700000001.000001' },
  ],
  ...over,
});
const command = (text: string, over: object = {}) => ({
  team_id: US.team,
  channel_id: TEAM,
  user_id: ANA,
  user_name: 'ana',
  text,
  trigger_id: '1.2.abc',
  ...over,
});
const textOf = (payload: unknown): string | null => {
  const record = read('events_api', payload)?.record;
  return record?.slack === 'message' ? record.text : null;
};
const messageOf = (kind: EnvelopeKind, payload: unknown) => {
  const found = read(kind, payload);
  return found && readSlackRecord(JSON.parse(JSON.stringify(found.record)));
};

describe('a message', () => {
  it('C1: belongs to its author in a direct message, and to its thread in a channel', () => {
    expect(messageOf('events_api', direct('status'))).toMatchObject({
      kind: 'message',
      user: ANA,
      chat: ANA,
      private: true,
      messageId: TS,
      replyTo: null,
      text: '/status',
    });
    expect(messageOf('events_api', direct('use tabs', { thread_ts: ROOT }))).toMatchObject({
      chat: ANA,
      replyTo: ROOT,
      text: 'use tabs',
    });
    expect(messageOf('events_api', mention('status'))).toMatchObject({
      chat: `${TEAM}:${TS}`,
      private: false,
      replyTo: null,
      text: '/status',
    });
    expect(messageOf('events_api', mention('status', { thread_ts: ROOT }))).toMatchObject({
      chat: `${TEAM}:${ROOT}`,
    });
  });

  it('C4: is a command where it begins with one and reads as one; else it is what was said', () => {
    expect(textOf(direct('new acme/api Fix the flaky retry'))).toBe('/new acme/api Fix the flaky retry');
    expect(textOf(direct('retry k3x9ab'))).toBe('/retry k3x9ab');
    expect(textOf(direct('retry the failed one'))).toBe('retry the failed one');
    expect(textOf(direct('retry kabxyz'))).toBe('/retry kabxyz');
    expect(textOf(direct('approve_open_pr kabxyz --confirm'))).toBe('/approve_open_pr kabxyz --confirm');
    expect(textOf(direct('fix change of name'))).toBe('fix change of name');
    expect(textOf(direct('status of the api?'))).toBe('status of the api?');
    expect(textOf(direct('fix the typo in README', { thread_ts: ROOT }))).toBe('fix the typo in README');
    expect(textOf(mention('fix the typo in README'))).toBe('@agentpr fix the typo in README');
    expect(textOf(mention(''))).toBe('/start');
  });

  it.each([
    ...['status please', 'start over', 'start again please', 'campaign please', 'batch these please'],
    ...['help me fix acme/web', 'status of it', 'batch fix the typos', 'new idea for tomorrow'],
  ])('C4: is what was said where nothing of a command’s own form follows: %s', (words) => {
    expect(textOf(direct(words))).toBe(words);
  });

  it.each([
    ...[
      'start',
      'start run-k3x9ab',
      'status k3x9ab',
      'status kabxyz',
      'status acme/api',
      'help',
      'help approve',
    ],
    ...[
      'campaign',
      'campaign k3x9ab',
      'campaign kabxyz undo',
      'batch',
      'batch acme/api acme/web fix the typos',
    ],
    ...['pending low', 'runs', 'settings language en', 'report 7d', 'users'],
  ])('C4: is a command with what it takes: %s', (words) => {
    expect(textOf(direct(words))).toBe(`/${words}`);
  });

  it('C5: is read as it was typed: links, people, escaped characters', () => {
    expect(textOf(direct('new <https://github.com/acme/api> Use a &lt;b&gt; &amp; c'))).toBe(
      '/new https://github.com/acme/api Use a <b> & c',
    );
    expect(textOf(direct('users add <@U0BO00001> operator'))).toBe('/users add U0BO00001 operator');
    expect(textOf(direct('see <http://example.com|example.com> in <#C0OTHER01|other>'))).toBe(
      'see example.com in #other',
    );
    expect(textOf(direct(`<!channel> ${'<'.repeat(50_000)}`))?.length).toBeLessThanOrEqual(22_000);
  });

  it.each([
    ['of another workspace', direct('status', {}), { team_id: 'T0OTHER01' }],
    ['of nobody we were told of', direct('status', {}), { team_id: undefined }],
  ])('G4: %s is not read', (_, payload, over) => {
    expect(read('events_api', { ...payload, ...over })).toBeNull();
  });

  it.each([
    ['by a bot', { bot_id: 'B1' }],
    ['by an app that speaks for a person', { app_id: 'A1' }],
    ['of our own', { user: US.user }],
    ['without an author', { user: undefined }],
  ])('G4: %s is not read', (_, over) => {
    expect(read('events_api', direct('status', over))).toBeNull();
  });

  it.each(['team', 'user_team', 'source_team'])(
    'G4: of a guest of another workspace (%s) is not read, also in a channel that both share',
    (field) => {
      expect(read('events_api', mention('status', { [field]: 'T0OTHER01' }))).toBeNull();
      expect(read('events_api', mention('status', { [field]: US.team }))).not.toBeNull();
    },
  );

  it('G4: that was edited counts for nothing, also where the edit first mentions us', () => {
    expect(
      messageOf('events_api', mention('approve_open_pr k3x9ab --confirm', { edited: { user: ANA, ts: TS } })),
    ).toEqual({
      kind: 'inert',
      hint: 'edited',
      chat: `${TEAM}:${TS}`,
      callbackId: null,
    });
    expect(read('events_api', direct('status', { subtype: 'message_changed' }))).toBeNull();
    expect(read('events_api', direct('status', { subtype: 'message_deleted' }))).toBeNull();
  });

  it('C10: what is said in a channel without mentioning us is not read, and a mention counts once', () => {
    expect(read('events_api', direct('status', { channel: TEAM, channel_type: 'channel' }))).toBeNull();
    expect(read('events_api', mention('status', { channel: DIRECT }))).toBeNull();
    const [first, again] = [mention('status'), mention('status', {})].map((one, i) =>
      read('events_api', { ...one, event_id: `Ev${i}` }),
    );
    expect(first?.key).toBe(again?.key);
  });

  it('C1: a slash command is between its sender and us', () => {
    expect(messageOf('slash_commands', command('new acme/api Fix it'))).toMatchObject({
      user: ANA,
      chat: ANA,
      private: true,
      text: '/new acme/api Fix it',
      messageId: '1700000000.123001',
    });
    expect(messageOf('slash_commands', command(''))).toMatchObject({ text: '/start' });
    expect(messageOf('slash_commands', command('what waits for me?'))).toMatchObject({
      text: 'what waits for me?',
    });
    expect(read('slash_commands', command('status', { team_id: 'T0OTHER01' }))).toBeNull();
  });

  it('F5: a file counts for a list of repositories, a picture as one that nobody looked at', () => {
    const files = [{ id: 'F1', name: 'list.csv', size: 12, mimetype: 'text/csv' }];
    expect(messageOf('events_api', direct('batch Fix it', { files, subtype: 'file_share' }))).toMatchObject({
      file: { id: 'F1', name: 'list.csv', size: 12 },
    });
    const picture = [{ id: 'F2', name: 'x.png', mimetype: 'image/png' }];
    expect(
      messageOf('events_api', direct('the button is cut off', { files: picture, subtype: 'file_share' })),
    ).toMatchObject({
      picture: { id: 'F2', size: null },
    });
    expect(
      messageOf('events_api', direct('new acme/api Fix it', { files: picture, subtype: 'file_share' })),
    ).toMatchObject({ text: '/new acme/api Fix it', picture: { id: 'F2' } });
    expect(messageOf('events_api', direct('', { files: picture, subtype: 'file_share' }))).toMatchObject({
      hint: 'textless',
    });
  });
});

describe('a tap', () => {
  it('G4: belongs to the place where its message stands', () => {
    expect(messageOf('interactive', tap())).toMatchObject({
      kind: 'tap',
      chat: TEAM,
      messageId: TS,
      user: ANA,
    });
    expect(messageOf('interactive', tap({}, { thread_ts: ROOT }))).toMatchObject({ chat: `${TEAM}:${ROOT}` });
    // The first message of a thread is named by itself, and stands in the channel.
    expect(messageOf('interactive', tap({}, { thread_ts: TS }))).toMatchObject({ chat: TEAM });
    expect(messageOf('interactive', tap({}, { channel_id: DIRECT }))).toMatchObject({
      chat: ANA,
      private: true,
    });
  });

  it('S4: has one key, however often it is delivered, and another one the next time', () => {
    const [first, again] = [read('interactive', tap()), read('interactive', tap({ trigger_id: 'another' }))];
    const next = read(
      'interactive',
      tap({ actions: [{ type: 'button', value: 'x', action_ts: '1700000002.000001' }] }),
    );
    expect(first?.key).toBe(again?.key);
    expect(next?.key).not.toBe(first?.key);
  });

  it.each([
    ['of another workspace', tap({ team: { id: 'T0OTHER01' } })],
    ['of a guest from another workspace', tap({ user: { id: ANA, team_id: 'T0OTHER01' } })],
    ['without a workspace', tap({ team: null })],
    ['on what only one person sees', tap({}, { is_ephemeral: true })],
    ['on a dialog', tap({}, { type: 'view' })],
    ['that opens an address', tap({ actions: [{ type: 'button', url: 'https://x', action_ts: '1.1' }] })],
    [
      'of two buttons',
      tap({ actions: [1, 2].map(() => ({ type: 'button', value: 'x', action_ts: '1.1' })) }),
    ],
    ['of a menu', tap({ actions: [{ type: 'static_select', value: 'x', action_ts: '1.1' }] })],
    ['of another kind', tap({ type: 'view_submission' })],
  ])('G4: %s is not read', (_, payload) => {
    expect(read('interactive', payload)).toBeNull();
  });

  it('C2: says where its answer goes', () => {
    const found = messageOf('interactive', tap({}, { thread_ts: ROOT }));
    expect(found?.kind === 'tap' && readCallback(found.callbackId)).toEqual({
      channel: TEAM,
      thread: ROOT,
      user: ANA,
    });
  });
});

describe('somebody unknown', () => {
  const recordOf = (kind: EnvelopeKind, payload: unknown): SlackRecord => {
    const found = read(kind, payload);
    if (!found) throw new Error('nothing was read');
    return found.record;
  };

  it('L8: leaves ids alone behind, in a channel nothing', () => {
    const secret = recordOf('events_api', direct('my secret plan'));
    expect(JSON.stringify(toSlackStranger(secret))).not.toContain('secret plan');
    expect(readSlackRecord(toSlackStranger(secret))).toMatchObject({
      kind: 'stranger',
      user: ANA,
      chat: ANA,
      code: null,
    });
    expect(toSlackStranger(recordOf('events_api', mention('status')))).toBeNull();
    const tapped = readSlackRecord(toSlackStranger(recordOf('interactive', tap())));
    expect(tapped).toMatchObject({ kind: 'stranger', chat: null, callbackId: `${TEAM}  ${ANA}` });
  });

  it('C1: may bring an invitation, with or without the slash', () => {
    for (const text of ['start ABCD2345', '/start ABCD2345'])
      expect(toSlackStranger(recordOf('events_api', direct(text)))).toMatchObject({ code: 'ABCD2345' });
    expect(toSlackStranger(recordOf('slash_commands', command('start ABCD2345')))).toMatchObject({
      code: 'ABCD2345',
    });
  });

  it('L8: waits behind everybody known; taps and what changes something go first', () => {
    expect(slackLane(recordOf('interactive', tap()))).toEqual({ lane: `chat:${TEAM}`, urgent: true });
    expect(slackLane(recordOf('events_api', direct('status')))).toEqual({
      lane: `chat:${ANA}`,
      urgent: false,
    });
    expect(slackLane(recordOf('events_api', direct('pause k3x9ab')))).toMatchObject({ urgent: true });
    expect(slackLane(toSlackStranger(recordOf('events_api', direct('hi'))) as SlackRecord)).toMatchObject({
      lane: 'strangers',
    });
  });
});

it('G4: nothing that does not look like Slack is read, and no stored record breaks the reader', () => {
  const odd = [null, 1, 'x', [], {}, { type: 'event_callback' }, callback({}), callback({ type: 'message' })];
  for (const one of odd)
    for (const kind of ['events_api', 'interactive', 'slash_commands'] as const)
      expect(read(kind, one)).toBeNull();
  for (const one of [...odd, { slack: 'message' }, { slack: 'other' }])
    expect(readSlackRecord(one)).toMatchObject({ kind: 'inert', hint: null });
});

it('C1: ids of people, channels and threads are told apart from those of any other chat', () => {
  expect([ANA, 'W012A3CDE', '123', '-100123', `${TEAM}:${TS}`].map(isSlackUserId)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(
    [ANA, TEAM, 'G0PRIVATE', `${TEAM}:${TS}`, '123', '-100123', '-100123/5', '@ann:example.org'].map(
      isSlackChatId,
    ),
  ).toEqual([true, true, true, true, false, false, false, false]);
  expect(parseSlackChat(`${TEAM}:${TS}`)).toEqual({ at: TEAM, thread: TS });
  expect(isEarlierSlackMessage('1700000000.000099', '1700000000.000100')).toBe(true);
  expect(isEarlierSlackMessage('1700000001.000001', '1700000000.000100')).toBe(false);
  expect(isEarlierSlackMessage('999999999.999999', '1700000000.000100')).toBe(true);
});

describe('what is shown', () => {
  const shown = (html: string, buttons: Parameters<typeof renderBlocks>[1] = []) => {
    const judged = judgeMessage(toNotificationText(html), renderBlocks(html, buttons));
    if ('error' in judged) throw new Error(JSON.stringify(judged));
    return judged.blocks;
  };
  const button = (text: string, more: object = {}) => ({ text, token: 'a1.x.1.abcdefghijk', ...more });

  it('C9: keeps emphasis, code, quotes and moments', () => {
    const html =
      '<b>Open?</b> <code>src/a.ts</code>\n<blockquote expandable>two &lt;b&gt;</blockquote>\nsoon <tg-time unix="1700000000" format="r">22:13 UTC</tg-time><pre>a\n  b</pre>';
    expect(shown(html)).toEqual([
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'Open?', style: { bold: true } },
              { type: 'text', text: ' ' },
              { type: 'text', text: 'src/a.ts', style: { code: true } },
            ],
          },
          { type: 'rich_text_quote', elements: [{ type: 'text', text: 'two <b>' }] },
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'soon ' },
              {
                type: 'date',
                timestamp: 1_700_000_000,
                format: '{date_short_pretty} {time}',
                fallback: '22:13 UTC',
              },
            ],
          },
          { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'a\n  b' }] },
        ],
      },
    ]);
  });

  it.each([
    '<!channel> now',
    '<@U0ANA0001>',
    '<https://evil.example|https://github.com>',
    '*bold* _it_ `code`',
    ':tada:',
    '<!subteam^S1>',
  ])('P5: %s stays what it says, in the text, the notice and a button', (hostile) => {
    const html = hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const blocks = shown(html, [[button(hostile)]]);
    expect(plainTextOf(blocks)).toBe(hostile);
    const pieces = blocks.flatMap((one) =>
      one.type === 'rich_text' ? one.elements.flatMap(({ elements }) => elements) : [],
    );
    expect(new Set(pieces.map(({ type }) => type))).toEqual(new Set(['text']));
    expect(mentionsIn(toNotificationText(html))).toEqual([]);
    expect(blocks.at(-1)).toMatchObject({ elements: [{ text: { text: hostile, emoji: false } }] });
  });

  it('G8: nothing of a long text is lost, and each block keeps to its limit', () => {
    const long = Array.from({ length: 9_000 }, (_, i) => (i % 80 === 79 ? '\n' : '😀'.charAt(i % 2))).join(
      '',
    );
    const blocks = shown(`<pre>${long}</pre>`);
    expect(plainTextOf(blocks).replaceAll('\n', '')).toBe(long.replaceAll('\n', ''));
    expect(blocks.length).toBeGreaterThan(2);
    for (const block of blocks) expect(plainTextOf([block]).trim().length).toBeLessThanOrEqual(3_000);
  });

  it('C2: gives each row its buttons, with their kind; what would be copied stands in code', () => {
    const blocks = shown('x', [
      [button('Open PR', { style: 'success' }), button('Deny', { style: 'danger' })],
      [
        button('See it', { opens: 'https://github.com/acme/api/pull/1' }),
        button('Branch', { copies: 'feature/x' }),
      ],
      [button('y'.repeat(200), { style: 'primary' })],
    ]);
    expect(blocks.slice(1)).toMatchObject([
      { elements: [{ style: 'primary', value: 'a1.x.1.abcdefghijk' }, { style: 'danger' }] },
      { elements: [{ url: 'https://github.com/acme/api/pull/1' }] },
      { elements: [{ text: { text: expect.stringMatching(/^y{74}…$/) as string } }] },
    ]);
    expect(blocks[1]).not.toMatchObject({ elements: [{}, {}, {}] });
    expect(plainTextOf(blocks)).toContain('Branch: feature/x');
  });

  it('C5: a notice has no markup of Slack', () => {
    expect(toNotificationText('<b>a</b> &lt;!here&gt; &amp; b')).toBe('a &lt;!here&gt; &amp; b');
    expect(escapeMrkdwn('<&>')).toBe('&lt;&amp;&gt;');
    expect(toNotificationText('')).toBe('…');
  });
});

describe('its settings', () => {
  const env = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '7', GITHUB_TOKEN: 'x' };
  const config = (more: Record<string, string>) => readConfig({ ...env, ...more }, null, '/');
  const both = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };

  it('O3: are absent, or both tokens with the administrators', () => {
    expect(config({}).slack).toBeNull();
    expect(config({ SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: '', SLACK_ADMIN_IDS: '' }).slack).toBeNull();
    expect(config({ ...both, SLACK_ADMIN_IDS: 'U0ANA0001, W0BO00001' }).slack).toEqual({
      botToken: 'xoxb-1',
      appToken: 'xapp-1',
      apiRoot: 'https://slack.com/api',
      admins: ['U0ANA0001', 'W0BO00001'],
      samePeople: new Map(),
    });
    expect(() => config({ SLACK_BOT_TOKEN: 'xoxb-1' })).toThrow('SLACK_BOT_TOKEN, SLACK_APP_TOKEN');
    expect(() => config({ ...both, SLACK_BOT_TOKEN: 'xapp-1' })).toThrow('SLACK_BOT_TOKEN');
    expect(() => config({ ...both, SLACK_ADMIN_IDS: 'ana' })).toThrow('SLACK_ADMIN_IDS');
  });

  it('G3: name who has accounts in both chats: one person with one role, and two places', () => {
    const same = config({
      ...both,
      SLACK_ADMIN_IDS: 'U0ANA0001, U0MIA0001, U0BO00001',
      SLACK_SAME_PEOPLE: 'U0ANA0001=7, U0MIA0001=8',
    });
    expect(listAdminIds(same.chats)).toEqual(['7', '8', 'U0BO00001']);
    expect(listAdminChats(same.chats)).toEqual(['7', 'U0ANA0001', 'U0MIA0001', 'U0BO00001']);
    expect(() => config({ ...both, SLACK_SAME_PEOPLE: 'U0ANA0001' })).toThrow('SLACK_SAME_PEOPLE');
  });

  it('G3: make one person of two accounts, in the place where they are', async () => {
    const samePeople = new Map([[ANA, '7']]);
    const apiRoot = 'http://127.0.0.1:1';
    const asked: string[] = [];
    const roles = {
      of: async (id: string) => (asked.push(id), null),
      everybody: async () => [],
    };
    const parts: Partial<ChatHost> = { roles, clock: { now: () => 0 } };
    const people = (...admins: string[]) => ({ admins, adminChats: admins });
    const first = {
      ...people('7'),
      adapter: createTelegramAdapter({ token: '1:x', apiRoot }),
      samePeople: new Map(),
    };
    const adapter = createSlackAdapter({ botToken: 'xoxb-1', appToken: 'xapp-1', apiRoot });
    const joined = joinChats([first, { ...people(ANA), adapter, samePeople }], parts as ChatHost);
    const [telegram, slack] = joined.all;
    if (!telegram || !slack) throw new Error('two chats were joined');
    const { read: readAs, deciders, mainAccountOf } = chatTraitsOf(joined, slack);
    expect([joined.accountsOf('7'), joined.accountsOf(ANA)]).toEqual([[ANA], []]);
    expect([mainAccountOf(ANA), mainAccountOf('7'), mainAccountOf('U0BO00001')]).toEqual([
      '7',
      '7',
      'U0BO00001',
    ]);
    expect([deciders, chatTraitsOf(joined, telegram).deciders]).toEqual([
      [ANA, '7'],
      ['7', ANA],
    ]);
    for (const found of [
      read('events_api', direct('status')),
      read('interactive', tap({}, { channel_id: DIRECT })),
    ])
      expect(readAs(found?.record)).toMatchObject({ user: '7', chat: ANA, private: true });
    expect(readAs(read('events_api', direct('status', { user: 'U0BO00001' }))?.record)).toMatchObject({
      user: 'U0BO00001',
    });
    // An invitation that they take in one chat is theirs in both.
    const invited = read('events_api', direct('start abcdefgh'))?.record;
    expect(readAs(invited && toSlackStranger(invited))).toMatchObject({
      kind: 'stranger',
      user: '7',
      chat: ANA,
    });
  });

  it('G5: no token goes over plain http, but to this machine', () => {
    expect(() => config({ ...both, SLACK_API_ROOT: 'http://slack.com/api' })).toThrow('must be https');
    expect(config({ ...both, SLACK_API_ROOT: 'http://127.0.0.1:1/api/' }).slack?.apiRoot).toBe(
      'http://127.0.0.1:1/api',
    );
  });
});
