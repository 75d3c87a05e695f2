/** L8: a file that was sent to the bot is fetched from Telegram, as far as it may be. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createReadFile, textOf } from '../../bot/files.ts';
import { createChat } from '../../bot/send.ts';
import { startTelegram } from '#playground';

const TOKEN = '1:secret-of-the-bot';
const clock = { now: () => Date.now() };

it('reads what is there, and nothing that is larger than it may be or unknown', async () => {
  const telegram = await startTelegram({ token: TOKEN, botName: 'agentpr_bot', limits: null });
  onTestFinished(() => telegram.stop());
  telegram.person(7, 'Ana');
  const apiRoot = telegram.url;
  const chat = createChat({ token: TOKEN, apiRoot, clock });
  await chat.document({
    chat: '7',
    name: 'list.txt',
    content: 'acme/a\nacme/ü\n',
    caption: '',
    silent: true,
  });
  const read = createReadFile({ token: TOKEN, apiRoot, clock });
  const bytes = await read('document-1', 1_000);
  expect(bytes && textOf(bytes)).toBe('acme/a\nacme/ü\n');
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
  const read = createReadFile({ token: TOKEN, apiRoot: `http://127.0.0.1:${port}`, clock });
  const failure = await read('a', 1_000).catch((error: unknown) => error);
  expect(failure).toMatchObject({ class: 'forge_unavailable' });
  expect(JSON.stringify([failure, String(failure)])).not.toContain('secret');
  expect(answers).toBe(2);
});

it('takes bytes that are no text for none', () => {
  expect(textOf(Uint8Array.of(0x50, 0x4b, 0, 4))).toBeNull();
  expect(textOf(Uint8Array.of(0xff, 0xfe, 0x41))).toBeNull();
  expect(textOf(Buffer.from('\ufeffacme/a'))).toBe('acme/a');
});
