/** L8: a file that was sent to the bot is fetched from Telegram, as far as it may be. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../app/config.ts';
import { createTelegramFileReader, decodeSentText } from '../../bot/received-files.ts';
import { createTelegramChat } from '../../bot/telegram-chat.ts';
import { startTelegram } from '#playground';

const TOKEN = '1:secret-of-the-bot';
const clock = { now: () => Date.now() };

it('reads what is there, and nothing that is larger than it may be or unknown', async () => {
  const telegram = await startTelegram({ token: TOKEN, botName: 'agentpr_bot', limits: null });
  onTestFinished(() => telegram.stop());
  telegram.person(7, 'Ana');
  const apiRoot = telegram.url;
  const chat = createTelegramChat({ token: TOKEN, apiRoot, clock });
  await chat.document({
    chat: '7',
    name: 'list.txt',
    content: 'acme/a\nacme/ü\n',
    caption: '',
    silent: true,
  });
  const read = createTelegramFileReader({ token: TOKEN, apiRoot, clock });
  const bytes = await read('document-1', 1_000);
  expect(bytes && decodeSentText(bytes)).toBe('acme/a\nacme/ü\n');
  expect(await read('document-1', 10)).toBeNull();
  expect(await read('document-9', 1_000)).toBeNull();
});

it('C5: says nothing of the address when Telegram is away, and tries again later', async () => {
  let answers = 0;
  const server = createServer((req, res) => {
    answers += 1;
    if (req.url?.includes('getFile'))
      return void res.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          ok: true,
          result: { file_id: 'a', file_unique_id: 'a', file_path: 'x/../y.txt' },
        }),
      );
    res.statusCode = 502;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const read = createTelegramFileReader({ token: TOKEN, apiRoot: `http://127.0.0.1:${port}`, clock });
  const failure = await read('a', 1_000).catch((error: unknown) => error);
  expect(failure).toMatchObject({ class: 'chat_unavailable' });
  expect(JSON.stringify([failure, String(failure)])).not.toContain('secret');
  expect(answers).toBe(2);
});

describe('a Bot API server of one’s own', () => {
  /** Started with --local: it names files by their paths. */
  const serve = async (place: string): Promise<string> => {
    const server = createServer((_, res) => {
      const result = { file_id: 'a', file_unique_id: 'a', file_path: place };
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const readAt = async (place: string, most = 1_000) =>
    createTelegramFileReader({ token: TOKEN, apiRoot: await serve(place), clock })('a', most);
  let dir: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'agentpr-bot-api-')));
    mkdirSync(join(dir, TOKEN, 'documents'), { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('O9: names files by their paths on this machine, as large as they may be', async () => {
    const file = join(dir, TOKEN, 'documents/file_0.txt');
    writeFileSync(file, 'acme/a\nacme/ü\n');
    const bytes = await readAt(file);
    expect(bytes && decodeSentText(bytes)).toBe('acme/a\nacme/ü\n');
    expect(await readAt(file, 10)).toBeNull();
    expect(await readAt(join(dir, TOKEN, 'documents'))).toBeNull();
  });

  it('O9: makes us read nothing but files of this bot', async () => {
    writeFileSync(join(dir, 'secret'), 'of somebody else');
    symlinkSync(join(dir, 'secret'), join(dir, TOKEN, 'documents/link'));
    for (const place of ['secret', `${TOKEN}/../secret`, `${TOKEN}/documents/link`])
      expect(await readAt(`${dir}/${place}`), place).toBeNull();
    writeFileSync(join(dir, TOKEN.slice(2)), 'of another bot');
    expect(await readAt(join(dir, TOKEN.slice(2)))).toBeNull();
  });

  it('O9: on another machine is told, without the token', async () => {
    const failure = await readAt(join(dir, TOKEN, 'documents/file_9.txt')).catch((error: unknown) => error);
    expect(failure).toMatchObject({ class: 'env_missing' });
    expect(String(failure)).toMatch(/cannot be read here \(ENOENT\).*start it without --local/);
    expect(String(failure)).not.toContain(TOKEN);
  });

  const required = { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ADMIN_IDS: '1', GITHUB_TOKEN: 'x' };
  const rootOf = (root: string, allow?: string) => () =>
    readConfig(
      {
        ...required,
        TELEGRAM_API_ROOT: root,
        ...(allow === undefined ? {} : { TELEGRAM_API_ALLOW_HTTP: allow }),
      },
      null,
      '/',
    ).telegram?.apiRoot;
  it('O9: is asked over plain http on this machine, and elsewhere only where the operator says so', () => {
    expect(rootOf('http://127.0.0.1:8081/')()).toBe('http://127.0.0.1:8081');
    expect(rootOf('https://bots.example.com')()).toBe('https://bots.example.com');
    expect(rootOf('http://bots.internal:8081')).toThrow(
      /must be https.*token of the bot.*TELEGRAM_API_ALLOW_HTTP=yes/,
    );
    expect(rootOf('http://bots.internal:8081', '')).toThrow('must be https');
    expect(rootOf('http://bots.internal:8081', 'yes')()).toBe('http://bots.internal:8081');
    expect(rootOf('http://api.telegram.org', 'yes')).toThrow('must be https');
    expect(rootOf('ftp://bots.internal', 'yes')).toThrow('must be https');
    expect(rootOf('http://bots.internal:8081', 'no')).toThrow('write yes, or leave it empty');
  });
});

it('takes bytes that are no text for none', () => {
  expect(decodeSentText(Uint8Array.of(0x50, 0x4b, 0, 4))).toBeNull();
  expect(decodeSentText(Uint8Array.of(0xff, 0xfe, 0x41))).toBeNull();
  expect(decodeSentText(Buffer.from('\ufeffacme/a'))).toBe('acme/a');
});
