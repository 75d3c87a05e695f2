/** Both ends of the second chat on an emulated workspace: envelopes become durable before they are acknowledged. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChatRoles } from '../../bot/commands/user-roles.ts';
import { createWordsFor, LANGUAGE_TEXTS } from '#language';
import { sayRecord } from '#chat-text';
import { toFailedReason } from '../../orchestrator/kernel/run/reasons.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { ChatMoved, MaybeSent } from '#ports/chat';
import { OutsideFailure, toFailure } from '#ports/forge';
import type { Ledger } from '#ports/ledger';
import { connectSlack, type SlackConnection, createSlackFileReader } from '../../slack/connect.ts';
import { createSlackIntake } from '../../slack/intake.ts';
import { isEarlierSlackMessage } from '../../slack/chat-ids.ts';
import { createSlackChat } from '../../slack/slack-chat.ts';
import { checkSlackTokens } from '../../slack/check-tokens.ts';
import { createSlackApi } from '../../slack/web-api.ts';
import { SLACK_TOKENS, startSlack, type SlackWorkspace } from '../support/slack/slack-server.ts';

const ANA = 'U0ANA0001';
const TEAM = 'C0TEAM001';
let slack: SlackWorkspace;
let ledger: Ledger;
let time = 1_700_000_000_000;
const now = (): number => time;
const connections: SlackConnection[] = [];

beforeEach(async () => {
  time = 1_700_000_000_000;
  onWarning = () => {};
  slack = await startSlack({ ackMs: 60_000 });
  ledger = await openLedger({ dataDir: ':memory:', now });
});
afterEach(async () => {
  for (const one of connections.splice(0)) await one.stop();
  await slack.stop();
  await ledger.close();
});

const warnings: string[] = [];
let onWarning = (): void => {};
/** Checks the connection at intervals. */
const looks = new Set<() => void>();
const connect = (receive: Ledger['receive'] = (items, at) => ledger.receive(items, at)): SlackConnection => {
  warnings.length = 0;
  const one = connectSlack({
    botToken: SLACK_TOKENS.bot,
    appToken: SLACK_TOKENS.app,
    apiRoot: slack.url,
    ledger: { receive, query: ledger.query },
    roles: createChatRoles({ users: ledger.query, adminIds: [ANA] }),
    wordsFor: createWordsFor(ledger.query),
    clock: { now },
    log: {
      warn: (fields, text) => {
        warnings.push(`${text} ${JSON.stringify(fields)}`);
        onWarning();
      },
    },
    onStored: () => {},
    onTrouble: () => {},
    pause: () => Promise.resolve(),
    every: (_, look) => {
      looks.add(look);
      return () => looks.delete(look);
    },
  });
  connections.push(one);
  return one;
};
const connected = (many = 1): Promise<unknown> => slack.waitFor(() => slack.connections() === many);
const bodies = async (): Promise<unknown[]> => (await ledger.inbox(100)).map((row) => row.body);
const keys = async (): Promise<string[]> => (await ledger.inbox(100)).map((row) => row.key);

describe('intake', () => {
  it('L3: stores each envelope before it is acknowledged, in the order of its words', async () => {
    const ana = slack.person(ANA, 'Ana');
    const stored: number[] = [];
    connect(async (items, at) => {
      const done = await ledger.receive(items, at);
      stored.push(slack.acks.length);
      return done;
    }).start();
    await connected();
    await Promise.all(['status', 'pending', 'runs'].map((text) => ana.says(text).done));
    expect(stored).toEqual([0, 1, 2]);
    expect(await bodies()).toMatchObject(
      ['/status', '/pending', '/runs'].map((text) => ({ slack: 'message', text, name: 'Ana' })),
    );
  });

  it('L3: acknowledges nothing that could not be stored; Slack delivers it again, and it is stored then', async () => {
    onWarning = () => slack.overdue();
    const ana = slack.person(ANA, 'Ana');
    let tries = 0;
    connect((items, at) => {
      tries += 1;
      return tries < 3 ? Promise.reject(new Error('no space')) : ledger.receive(items, at);
    }).start();
    await connected();
    await ana.says('status').done;
    expect(tries).toBe(3);
    expect(await bodies()).toHaveLength(1);
    expect(warnings.filter((one) => one.includes('could not be stored'))).toHaveLength(2);
  });

  it('S4: what Slack delivers twice is stored once, over whichever connection and under whichever envelope', async () => {
    const ana = slack.person(ANA, 'Ana');
    connect().start();
    await connected();
    const { payload, done } = ana.says('status');
    await done;
    slack.messages.push({
      channel: ana.direct,
      ts: '1700000000.000900',
      thread: null,
      onlyFor: null,
      notice: '',
      text: '',
      blocks: [],
      edits: 0,
      files: [],
      buttons: [{ text: 'Go', value: 'a1.go.1.abcdefghijk', url: null, style: null }],
    });
    const tapped = ana.taps(/^Go$/);
    await tapped.done;
    slack.breakOff();
    await connected();
    await slack.envelope('events_api', payload);
    await slack.envelope('events_api', { ...payload, event_id: 'EvANOTHER' });
    await slack.envelope('interactive', tapped.payload);
    expect((await keys()).map((key) => key.split(':')[1])).toEqual(['tap', ana.direct]);
  });

  it('L6: a connection that Slack wants replaced is replaced before it ends, and nothing is lost between', async () => {
    const ana = slack.person(ANA, 'Ana');
    connect().start();
    await connected();
    for (const text of ['status', 'pending', 'runs']) {
      slack.refresh();
      await ana.says(text).done;
    }
    expect(await bodies()).toHaveLength(3);
    await connected();
  });

  it('L6: a connection that was pinged and is silent for a minute is replaced', async () => {
    const ana = slack.person(ANA, 'Ana');
    connect().start();
    await connected();
    const opened = (): number =>
      slack.calls.filter(({ method }) => method === 'apps.connections.open').length;
    const look = (): void => [...looks].forEach((one) => one());
    time += 300_000;
    // Whoever does not ping is not watched.
    look();
    slack.ping();
    await ana.says('status').done;
    look();
    expect(opened()).toBe(1);
    time += 61_000;
    look();
    await slack.waitFor(() => opened() === 2 && slack.connections() === 1);
    await ana.says('runs').done;
    expect(await bodies()).toHaveLength(2);
  });

  it('C1: an invitation brings the name of who comes', async () => {
    const bo = slack.person('U0BO00001', 'Bo');
    connect().start();
    await connected();
    await bo.says('start ABCD2345').done;
    expect(await bodies()).toMatchObject([
      { slack: 'stranger', code: 'ABCD2345', name: 'Bo', chat: bo.user },
    ]);
  });

  it('L6: what was written while nobody was connected arrives with the next connection', async () => {
    const ana = slack.person(ANA, 'Ana');
    const { done } = ana.says('status');
    connect().start();
    await done;
    expect(await bodies()).toHaveLength(1);
  });

  it('L8: of somebody unknown ids alone are stored, three a minute; of what they say in a channel nothing', async () => {
    const eve = slack.person('U0EVE0001', 'Eve');
    connect().start();
    await connected();
    for (let i = 0; i < 6; i += 1) await eve.says(`the secret plan ${i}`).done;
    await eve.mentions(TEAM, 'the secret plan').done;
    expect(JSON.stringify(await bodies())).not.toContain('secret plan');
    expect(await bodies()).toMatchObject(
      Array.from({ length: 3 }, () => ({ slack: 'stranger', user: eve.user })),
    );
  });

  it('G4: nothing of another workspace is stored, and all of it is acknowledged', async () => {
    const ana = slack.person(ANA, 'Ana');
    const guest = slack.person(ANA, 'Ana', { team: 'T0OTHER01' });
    connect().start();
    await connected();
    await guest.mentions(TEAM, 'pause k3x9ab').done;
    await slack.envelope(
      'events_api',
      slack.callback(
        { type: 'message', channel: ana.direct, user: ANA, text: 'status', ts: '1.000001' },
        { team_id: 'T0OTHER01' },
      ),
    );
    await slack.envelope('events_api', { type: 'url_verification', challenge: 'x' });
    expect(await bodies()).toEqual([]);
    expect(slack.acks).toHaveLength(3);
  });

  it('C1: a slash command is answered where it was typed with where the answer goes', async () => {
    const ana = slack.person(ANA, 'Ana');
    connect().start();
    await connected();
    expect(await ana.commands('status', TEAM)).toEqual({
      response_type: 'ephemeral',
      text: 'I answer in our direct messages.',
    });
    expect(await slack.person('U0EVE0001', 'Eve').commands('status', TEAM)).toBeNull();
  });

  it('G4: a slash command knows the messages that were there when it came, whatever our clock says', async () => {
    const ana = slack.person(ANA, 'Ana');
    time = Date.now() + 3_600_000;
    const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const one = connect(async (items, at) => {
      asked.resolve();
      await release.promise;
      return ledger.receive(items, at);
    });
    one.start();
    await connected();
    const message = { chat: ANA, html: 'A card', buttons: [], silent: false };
    const before = await one.port.send(message);
    const said = ana.commands('approve_open_pr k3x9ab --confirm');
    await asked.promise;
    const after = await one.port.send(message);
    release.resolve();
    await said;
    const [body] = (await bodies()) as { ts: string }[];
    expect(isEarlierSlackMessage(before.messageId, body?.ts ?? '')).toBe(true);
    expect(isEarlierSlackMessage(after.messageId, body?.ts ?? '')).toBe(false);
  });

  it('C8: learns the name and the language of a member, and does without', async () => {
    const mei = slack.person(ANA, '梅', { locale: 'zh-CN' });
    connect().start();
    await connected();
    slack.faults.push({ method: 'users.info', times: 1, answer: 'unseen' });
    await mei.says('status').done;
    await mei.says('runs').done;
    expect(await bodies()).toMatchObject([
      { name: '', language: null },
      { name: '梅', language: 'zh-CN' },
    ]);
  });

  it('C5: no token, no address with a ticket and no answer address is stored or logged', async () => {
    const ana = slack.person(ANA, 'Ana');
    slack.faults.push({
      method: 'apps.connections.open',
      times: 1,
      answer: { status: 500, body: { ok: false, error: 'internal_error' } },
    });
    connect().start();
    await connected();
    await ana.commands('status');
    slack.breakOff();
    await connected();
    expect(warnings.join()).toContain('could not be connected');
    expect(`${JSON.stringify(await ledger.inbox(9))}${warnings.join()}`).not.toMatch(
      /xoxb|xapp|ticket|response|legacy/,
    );
  });

  it('S6: says who it is, and after a minute without a connection that it has none', async () => {
    const one = connect();
    slack.faults.push({
      method: 'apps.connections.open',
      times: 1_000,
      answer: { status: 200, body: { ok: false, error: 'invalid_auth' } },
    });
    one.start();
    expect(await one.whoAmI(AbortSignal.timeout(5_000))).toBe('agentpr');
    time += 120_000;
    await expect(one.whoAmI(AbortSignal.timeout(5_000))).rejects.toThrow('has not let us connect');
    slack.faults.length = 0;
    await connected();
    await slack.waitFor(() => one.whoAmI(AbortSignal.timeout(5_000)).then(() => true));
  });
});

describe('the port', () => {
  const hello = { html: '<b>Hi</b>', buttons: [], silent: false };

  it('C1: writes to a person, a channel and a thread, and edits there', async () => {
    const { port } = connect();
    const ana = slack.person(ANA, 'Ana');
    const sent = await port.send({ chat: ANA, ...hello });
    await port.send({ chat: TEAM, ...hello });
    const below = await port.send({ chat: `${TEAM}:1700000000.000001`, ...hello });
    expect(slack.messages).toMatchObject([
      { channel: ana.direct, thread: null, ts: sent.messageId, text: 'Hi' },
      { channel: TEAM, thread: null },
      { channel: TEAM, thread: '1700000000.000001' },
    ]);
    expect(sent.chat).toBe(ANA);
    expect(await port.edit({ ...below, html: 'Bye', buttons: [] })).toEqual(below);
    expect(slack.messages[2]).toMatchObject({ text: 'Bye', edits: 1 });
    expect(await port.edit({ ...sent, messageId: '1.000001', html: 'x', buttons: [] })).toBeNull();
    expect(slack.calls.filter(({ method }) => method === 'conversations.open')).toHaveLength(1);
  });

  it('G8: a text that is too long for Slack says that it is cut, and keeps its buttons', async () => {
    const { port } = connect();
    const buttons = [[{ text: 'Open PR', token: 'a1.x.1.abcdefghijk' }]];
    const html = 'y'.repeat(200_000);
    const sent = await port.send({ chat: TEAM, html, buttons, silent: false });
    await port.edit({ ...sent, html, buttons });
    const [message] = slack.messages;
    expect(message?.text.replaceAll(/[^y]/g, '').length).toBeGreaterThan(5_000);
    expect(message?.text).toMatch(/… cut here: Slack takes no more in one message.*`agentpr run show`/);
    expect(message?.buttons.map(({ text }) => text)).toEqual(['Open PR']);
  });

  it('C2: tells one person alone, and pins nothing', async () => {
    const connection = connect();
    const { port } = connection;
    const ana = slack.person(ANA, 'Ana');
    await connection.answer({
      callbackId: `${TEAM} 1700000000.000001 ${ANA}`,
      text: 'Only <approvers> may.',
      alert: true,
    });
    await connection.answer({ callbackId: `${TEAM}  ${ANA}`, text: 'Recorded.', alert: false });
    expect(ana.messages()).toMatchObject([
      { onlyFor: ANA, thread: '1700000000.000001', text: 'Only &lt;approvers&gt; may.' },
    ]);
    // Whoever cannot be told is no failure: the card shows the outcome.
    await connection.answer({ callbackId: `${TEAM}  U0NOBODY1`, text: 'No.', alert: true });
    expect(await port.pin({ chat: TEAM, messageId: '1.000001', on: true })).toBe(false);
  });

  it('C2: sends files and pictures by their bytes, with a caption that is literal', async () => {
    const { port } = connect();
    const content = 'línea\n'.repeat(1_000);
    await port.document({
      chat: TEAM,
      name: 'run-k3x9ab.patch',
      content,
      caption: 'a &lt;!here&gt; b',
      silent: true,
    });
    const picture = (name: string) => ({ name, content: Buffer.from(name), caption: name, wide: 1, high: 1 });
    const sent = await port.album({
      chat: TEAM,
      pictures: [picture('a.png'), picture('b.png')],
      silent: true,
    });
    expect(slack.messages).toMatchObject([
      { notice: 'a &lt;!here&gt; b', files: [{ name: 'run-k3x9ab.patch', content: Buffer.from(content) }] },
      { files: [{ name: 'a.png' }, { name: 'b.png' }] },
    ]);
    expect(sent.messageId).toMatch(/^F/);
  });

  const failing = async (): Promise<OutsideFailure> => {
    const { port } = connect();
    const error: unknown = await port.send({ chat: TEAM, ...hello }).catch((one: unknown) => one);
    if (!(error instanceof OutsideFailure)) throw new Error('it did not fail');
    expect(error).not.toBeInstanceOf(ChatMoved);
    return error;
  };
  const answering = (answer: (typeof slack)['faults'][number]['answer']): Promise<OutsideFailure> => {
    slack.faults.push({ method: 'chat.postMessage', times: 1, answer });
    return failing();
  };

  it('C3: waits as long as Slack says, and some seconds where it does not', async () => {
    expect(await answering({ status: 429, retryAfter: 30 })).toMatchObject({
      class: 'rate_limited',
      retryAt: time + 30_000,
    });
    expect(await answering({ status: 429 })).toMatchObject({ class: 'rate_limited', retryAt: time + 5_000 });
    expect(await answering({ status: 200, body: { ok: false, error: 'ratelimited' } })).toMatchObject({
      class: 'rate_limited',
    });
  });

  it.each([
    ['channel_not_found', 'chat_refused', 'Slack 拒绝了这条消息'],
    ['is_archived', 'chat_refused', 'is_archived'],
    ['msg_too_long', 'chat_refused', 'msg_too_long'],
    ['token_revoked', 'auth_missing', 'SLACK_BOT_TOKEN'],
    ['missing_scope', 'auth_missing', 'missing_scope'],
    ['internal_error', 'chat_unavailable', 'internal_error'],
  ])('C3: %s is %s', async (error, failure, zh) => {
    const failed = await answering({ status: 200, body: { ok: false, error } });
    expect(failed.class).toBe(failure);
    const told = toFailure(failed);
    expect(sayRecord(LANGUAGE_TEXTS.zh.reasons, toFailedReason(told))).toContain(zh);
  });

  it('L4: a message whose answer was lost may have arrived; one that could not be sent has not', async () => {
    expect(await answering('lost')).toBeInstanceOf(MaybeSent);
    expect(slack.messages).toHaveLength(1);
    expect(await answering({ status: 502 })).toBeInstanceOf(MaybeSent);
    expect(await answering({ status: 200, body: { hello: 'a proxy' } })).toBeInstanceOf(MaybeSent);
    const gone = await startSlack();
    await gone.stop();
    const { port } = connectSlack({
      botToken: 'xoxb-1',
      appToken: 'xapp-1',
      apiRoot: gone.url,
      ledger,
      roles: createChatRoles({ users: ledger.query, adminIds: [] }),
      wordsFor: createWordsFor(ledger.query),
      clock: { now },
      log: { warn: () => {} },
      onStored: () => {},
      onTrouble: () => {},
    });
    const error: unknown = await port.send({ chat: TEAM, ...hello }).catch((one: unknown) => one);
    expect(error).toMatchObject({
      class: 'chat_unavailable',
      detail: { kind: 'chat_unreached', service: 'Slack' },
    });
    expect(error).not.toBeInstanceOf(MaybeSent);
  });
});

describe('a file that somebody sent', () => {
  const reader = () =>
    createSlackFileReader({
      api: createSlackApi({ token: SLACK_TOKENS.bot, root: slack.url, clock: { now } }),
      token: SLACK_TOKENS.bot,
      root: slack.url,
    });

  it('F5: is read up to its limit', async () => {
    const id = slack.keepFile('list.csv', Buffer.from('acme/api\n'));
    expect(Buffer.from((await reader()(id, 100)) ?? []).toString()).toBe('acme/api\n');
    expect(await reader()(id, 3)).toBeNull();
    expect(await reader()('F0GONE', 100)).toBeNull();
  });

  it('G5: is not fetched from a host that is not Slack’s, so that the token stays', async () => {
    const asked: string[] = [];
    const { createServer } = await import('node:http');
    const other = createServer((request, response) => {
      asked.push(request.headers.authorization ?? '');
      response.end('acme/api');
    });
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const file = { size: 8, url_private_download: `http://127.0.0.1:${port}/files/x` };
    slack.faults.push({ method: 'files.info', times: 1, answer: { status: 200, body: { ok: true, file } } });
    expect(await reader()('F1', 100)).toBeNull();
    expect(asked).toEqual([]);
    await new Promise((resolve) => other.close(resolve));
  });
});

describe('addresses that Slack names', () => {
  it('G5: carry nothing without encryption where Slack itself is encrypted', async () => {
    const api = createSlackApi({ token: SLACK_TOKENS.bot, root: slack.url, clock: { now } });
    const port = createSlackChat({ ...api, root: 'https://slack.com/api' }, createWordsFor(ledger.query));
    const file = { chat: TEAM, name: 'a.patch', content: '+a', caption: 'a', silent: true };
    await expect(port.document(file)).rejects.toThrow('did not take the file (address)');
    expect([...slack.uploads.values()]).toMatchObject([{ content: null }]);
    const ledgerOf = { receive: async () => [], query: ledger.query };
    const intake = createSlackIntake({
      bot: api,
      app: {
        ...createSlackApi({ token: SLACK_TOKENS.app, root: slack.url, clock: { now } }),
        root: 'https://slack.com/api',
      },
      chat: port,
      ledger: ledgerOf,
      roles: createChatRoles({ users: ledger.query, adminIds: [] }),
      wordsFor: createWordsFor(ledger.query),
      clock: { now },
      log: { warn: () => told.resolve() },
      onStored: () => {},
      onTrouble: () => {},
      pause: () => Promise.resolve(),
    });
    const told = Promise.withResolvers<void>();
    intake.start();
    await told.promise;
    expect(slack.connections()).toBe(0);
    await intake.stop();
  });
});

describe('doctor', () => {
  const check = (over: object = {}) =>
    checkSlackTokens(
      { botToken: SLACK_TOKENS.bot, appToken: SLACK_TOKENS.app, apiRoot: slack.url, ...over },
      { now },
    );

  it('O2: says whether both tokens work, and which scope is missing', async () => {
    expect(await check()).toEqual({ kind: 'slack', name: 'agentpr', team: 'Acme' });
    slack.scopes.now = slack.scopes.now.replace('im:history,', '');
    expect(await check()).toMatchObject({ kind: 'slack_scopes', scopes: 'im:history' });
    expect(await check({ botToken: 'xoxb-other' })).toMatchObject({
      kind: 'slack_broken',
      token: 'SLACK_BOT_TOKEN',
      cause: expect.stringContaining('invalid_auth') as string,
    });
    expect(await check({ appToken: SLACK_TOKENS.bot })).toMatchObject({
      kind: 'slack_broken',
      token: 'SLACK_APP_TOKEN',
    });
    expect(await check({ apiRoot: 'http://127.0.0.1:1/api' })).toMatchObject({ kind: 'slack_broken' });
  });
});
