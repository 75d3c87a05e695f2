/** E16: what a box can do at its door to the model, and what it cannot; over real sockets. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { MB } from '#model/values';
import { ask, askRaw, createProvider, KEY, openDoor } from '../support/gateway-world.ts';

const usage = { input_tokens: 1_000, input_tokens_details: { cached_tokens: 400 }, output_tokens: 50 };
const chatUsage = {
  prompt_tokens: 700,
  completion_tokens: 30,
  prompt_tokens_details: { cached_tokens: 200 },
};
const claudeUsage = {
  input_tokens: 100,
  cache_read_input_tokens: 900,
  cache_creation_input_tokens: 50,
  output_tokens: 40,
};
const json = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};
const events = (response: ServerResponse, ...all: object[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
};
const body = (more: object = {}): string =>
  JSON.stringify({ model: 'gpt-5.2', input: [{ role: 'user', content: 'hello there' }], ...more });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

it('E16: puts the key in place of the token, towards the provider and no further', async () => {
  const { url, heard } = await createProvider((_request, response) =>
    json(response, 200, { output: [], usage }, { 'set-cookie': 'a=b', 'x-request-id': 'r1' }),
  );
  const { socket, token, models } = await openDoor(url);
  const headers = { ...bearer(token), cookie: 'c=d', 'x-forwarded-for': '1.2.3.4', 'openai-beta': 'x' };
  const answer = await ask(socket, '/v1/responses', { headers, body: body() });
  expect(answer).toMatchObject({ status: 200, headers: { 'x-request-id': 'r1' } });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(JSON.stringify(answer)).not.toContain(KEY);
  expect(heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({
    url: '/v1/responses',
    headers: { authorization: `Bearer ${KEY}`, 'openai-beta': 'x' },
  });
  expect(Object.keys(heard[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['cookie']));
  expect(JSON.stringify(heard)).not.toContain(token);
  // The list of prices: 600 fresh, 400 cached, 50 written.
  expect(models?.used()).toEqual({ inputTokens: 1_000, outputTokens: 50, costUsd: 0.00182 });
});

it('E16: the key comes in the header in which the provider of that shape wants it', async () => {
  const { url, heard } = await createProvider((_request, response) =>
    json(response, 200, { usage: claudeUsage }),
  );
  const { socket, token, models } = await openDoor(url);
  const headers = { 'x-api-key': token, 'anthropic-version': '2023-06-01' };
  await ask(socket, '/v1/messages?beta=true', { headers, body: body({ model: 'claude-opus-5-5' }) });
  expect(heard[0]).toMatchObject({ url: '/v1/messages?beta=true', headers: { 'x-api-key': KEY } });
  expect(heard[0]?.headers.authorization).toBeUndefined();
  expect(models?.used()).toMatchObject({ inputTokens: 1_050, outputTokens: 40, costUsd: 0.00163 });
});

it('E16: asks a model of the operator’s own without a key where there is none', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usage }));
  const { socket, token } = await openDoor(url, { key: null });
  await ask(socket, '/v1/chat/completions', { headers: bearer(token), body: body() });
  expect(heard[0]?.headers.authorization).toBeUndefined();
});

it('E16: a wrong token, another attempt’s, and an attacker’s own key reach nobody', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usage }));
  const [mine, other] = [await openDoor(url), await openDoor(url)];
  for (const headers of [
    {},
    bearer(other.token),
    bearer(`${mine.token}x`),
    bearer(KEY),
    { 'x-api-key': other.token },
    { authorization: `Basic ${mine.token}` },
    // The attacker's account, with our token beside it.
    { 'x-api-key': 'sk-attacker', ...bearer(mine.token) },
  ]) {
    const { status } = await ask(mine.socket, '/v1/responses', { headers, body: body() });
    expect(status).toBe(401);
  }
  expect(heard).toEqual([]);
  await mine.close();
  await expect(ask(mine.socket, '/v1/responses', { headers: bearer(mine.token) })).rejects.toThrow();
});

it('E16: serves inference and lists of models, and no other path of the provider', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, {}));
  const { socket, token } = await openDoor(url);
  const status = async (method: string, path: string): Promise<number> =>
    (await ask(socket, path, { method, headers: bearer(token), body: method === 'POST' ? body() : '' }))
      .status;
  for (const path of [
    '/v1/files',
    '/v1/responses/r1',
    '/v1/organization/api_keys',
    '/v1/batches',
    '/v1/responses/',
  ])
    expect(await status('POST', path)).toBe(404);
  for (const path of [
    '/v1/../v1/files',
    '/v1/responses/../files',
    '/v1/%2e%2e/files',
    '/v1/models/..%2ffiles',
  ])
    expect(await status('POST', path)).toBeGreaterThanOrEqual(400);
  for (const path of [
    '//evil.example/v1/responses',
    'http://evil.example/v1/responses',
    '*',
    '/v1\\responses',
  ])
    expect(await status('POST', path)).toBeGreaterThanOrEqual(400);
  expect(await status('DELETE', '/v1/responses')).toBe(404);
  expect(await status('POST', '/v1/responses?key=%0d%0ax:y')).toBe(404);
  expect(heard).toEqual([]);
  expect(await status('GET', '/v1/models')).toBe(200);
  expect(await status('GET', '/v1/models/gpt-5.2')).toBe(200);
});

it('E16: refuses smuggling, other hosts, HTTP/2, upgrades and tunnels', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, {}));
  const { socket, token } = await openDoor(url);
  const auth = `authorization: Bearer ${token}\r\n`;
  const first = async (bytes: string): Promise<string> =>
    (await askRaw(socket, bytes)).split('\r\n')[0] ?? '';
  const smuggled =
    `POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1:17117\r\n${auth}content-length: 5\r\n` +
    'transfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/files HTTP/1.1\r\n\r\n';
  expect(await first(smuggled)).toMatch(/ 400 /);
  const twice = `POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1:17117\r\n${auth}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`;
  expect(await first(twice)).toMatch(/ 400 /);
  for (const host of ['api.openai.com', '127.0.0.1:17117.evil.example', '127.0.0.1', '169.254.169.254'])
    expect(
      await first(`GET /v1/models HTTP/1.1\r\nhost: ${host}\r\n${auth}connection: close\r\n\r\n`),
    ).toMatch(/ 400 /);
  expect(await first(`GET /v1/models HTTP/1.1\r\n${auth}\r\n`)).toMatch(/ 400 /);
  expect(await first('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toMatch(/ 400 |^$/);
  const upgrade = `GET /v1/responses HTTP/1.1\r\nhost: 127.0.0.1:17117\r\n${auth}connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: eA==\r\nsec-websocket-version: 13\r\n\r\n`;
  expect(await first(upgrade)).toMatch(/ 426 /);
  expect(await first('CONNECT api.openai.com:443 HTTP/1.1\r\nhost: api.openai.com:443\r\n\r\n')).toMatch(
    / 403 /,
  );
  const host = 'host: 127.0.0.1:17117\r\n';
  for (const target of ['http://api.openai.com/v1/models', 'http://127.0.0.1:17117@evil.example/v1/models'])
    expect(await first(`GET ${target} HTTP/1.1\r\n${host}${auth}connection: close\r\n\r\n`)).toMatch(
      / 40[034] /,
    );
  const large = `x-a: ${'a'.repeat(40_000)}\r\n`;
  expect(await first(`GET /v1/models HTTP/1.1\r\n${host}${auth}${large}\r\n`)).toMatch(/ 431 /);
  const nonsense = `POST /v1/responses HTTP/1.1\r\n${host}${auth}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`;
  expect(await first(nonsense)).toMatch(/ 400 |^$/);
  expect(await first('GET /v1/models\0 HTTP/1.1\r\nhost: 127.0.0.1:17117\r\n\r\n')).toMatch(/ 400 /);
  expect(heard).toEqual([]);
});

it('E16: never follows a provider elsewhere with the key', async () => {
  const elsewhere = await createProvider((_request, response) => json(response, 200, {}));
  let status = 307;
  const { url } = await createProvider((_request, response) => {
    response.writeHead(status, { location: `${elsewhere.url}/v1/responses` });
    response.end();
  });
  const { socket, token } = await openDoor(url);
  for (status of [301, 302, 303, 307, 308]) {
    const answer = await ask(socket, '/v1/responses', { headers: bearer(token), body: body() });
    expect(answer.status).toBe(502);
    expect(answer.headers.location).toBeUndefined();
  }
  expect(elsewhere.heard).toEqual([]);
});

it('passes refusals of the provider on as they are, with the time to wait, and counts nothing for them', async () => {
  let status = 401;
  const { url } = await createProvider((_request, response) =>
    json(response, status, { error: { message: 'no' } }, { 'retry-after': '7', 'www-authenticate': 'x' }),
  );
  const { socket, token, models } = await openDoor(url);
  for (status of [401, 403, 404, 429, 500, 503, 529]) {
    const answer = await ask(socket, '/v1/responses', { headers: bearer(token), body: body() });
    expect(answer).toMatchObject({
      status,
      body: '{"error":{"message":"no"}}',
      headers: { 'retry-after': '7' },
    });
  }
  expect(models?.used()).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: 0 });
});

it('tells the client in its provider’s words when nobody answers', async () => {
  const { socket, token } = await openDoor('http://127.0.0.1:9');
  const answer = await ask(socket, '/v1/messages', { headers: { 'x-api-key': token }, body: body() });
  expect(answer.status).toBe(502);
  expect(JSON.parse(answer.body)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
});

it.each([
  [
    'responses',
    '/v1/responses',
    [{ type: 'response.created' }, { type: 'response.completed', response: { usage } }],
    1_000,
    50,
  ],
  [
    'chat',
    '/v1/chat/completions',
    [{ choices: [{ delta: { content: 'hi' } }] }, { choices: [], usage: chatUsage }],
    700,
    30,
  ],
  [
    'messages',
    '/v1/messages',
    [
      { type: 'message_start', message: { usage: { ...claudeUsage, output_tokens: 1 } } },
      { type: 'content_block_delta', delta: { text: 'hi' } },
      { type: 'message_delta', usage: { output_tokens: 40 } },
    ],
    1_050,
    40,
  ],
])(
  'E16: counts what a stream of %s tells, whatever pieces it comes in',
  async (_name, path, all, inputTokens, outputTokens) => {
    const { url } = await createProvider((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const text = all.map((event) => `event: x\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join('');
      for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]));
      response.end();
    });
    const { socket, token, models } = await openDoor(url);
    const answer = await ask(socket, path, { headers: bearer(token), body: body({ stream: true }) });
    expect(answer.body).toContain(JSON.stringify(all.at(-1)));
    expect(models?.used()).toMatchObject({ inputTokens, outputTokens });
    expect(models?.estimated()).toBe(false);
  },
);

it('E16: estimates and says so when a provider leaves usage out, lies about it, or cuts its answer', async () => {
  const said = 'word '.repeat(2_000);
  let plays = (response: ServerResponse): void =>
    events(response, { choices: [{ delta: { content: said } }] });
  const { url } = await createProvider((_request, response) => plays(response));
  const asked = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a b '.repeat(10_000) }] });
  const count = async () => {
    const { socket, token, models } = await openDoor(url);
    await ask(socket, '/v1/chat/completions', { headers: bearer(token), body: asked }).catch(() => {});
    await expect.poll(() => models?.used().inputTokens).toBeGreaterThan(0);
    return { ...models?.used(), estimated: models?.estimated(), transcript: models?.transcript() };
  };
  const about = {
    inputTokens: expect.closeTo(10_000, -3) as number,
    outputTokens: expect.closeTo(2_500, -2) as number,
  };
  expect(await count()).toMatchObject({
    ...about,
    estimated: true,
    transcript: expect.stringContaining('about') as string,
  });
  plays = (response) =>
    events(
      response,
      { choices: [{ delta: { content: said } }] },
      { usage: { prompt_tokens: 1, completion_tokens: 1 } },
    );
  expect(await count()).toMatchObject({ ...about, estimated: true });
  plays = (response) =>
    events(
      response,
      { choices: [{ delta: { content: said } }] },
      { usage: { prompt_tokens: -5, completion_tokens: 'x' } },
    );
  expect(await count()).toMatchObject({ ...about, estimated: true });
  plays = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: said } }] })}\n\n`, () =>
      response.destroy(),
    );
  };
  // E18: what was cut may be billed as if it had been written to its end.
  expect(await count()).toMatchObject({ outputTokens: 128_000, estimated: true });
});

it('counts and passes on an answer that is packed although nobody asked for that', async () => {
  const { url } = await createProvider((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(JSON.stringify({ usage: chatUsage })));
  });
  const { socket, token, models } = await openDoor(url);
  const answer = await ask(socket, '/v1/chat/completions', { headers: bearer(token), body: body() });
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(answer.body)).toEqual({ usage: chatUsage });
  expect(models?.used()).toMatchObject({ inputTokens: 700, outputTokens: 30 });
});

it('E16: takes no more from the provider than the box reads, and lets go when the box leaves', async () => {
  let sent = 0;
  let closed = false;
  const { url } = await createProvider((_request, response) => {
    response.on('close', () => (closed = true));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = (): void => {
      if (response.destroyed || sent > 40 * MB) return;
      sent += MB;
      response.write(Buffer.alloc(MB, 'x'), more);
    };
    more();
  });
  const { socket, token } = await openDoor(url);
  const client = connect(socket);
  const asked = body();
  client.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:17117\r\nauthorization: Bearer ${token}\r\ncontent-length: ${asked.length}\r\n\r\n${asked}`,
  );
  await once(client, 'readable');
  client.pause();
  await expect.poll(() => sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(40 * MB);
  client.destroy();
  await expect.poll(() => closed).toBe(true);
});

it('refuses a request that is no JSON, is too deep to be one, or is too large', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usage }));
  const { socket, token } = await openDoor(url);
  const status = async (text: string): Promise<number> =>
    (await ask(socket, '/v1/responses', { headers: bearer(token), body: text })).status;
  expect(await status('not json')).toBe(400);
  expect(await status('[]')).toBe(400);
  expect(await status('"x"')).toBe(400);
  expect(heard).toEqual([]);
  expect(await status(`{"model":"m","input":${'['.repeat(2_000)}${']'.repeat(2_000)}}`)).toBe(200);
  const large = ask(socket, '/v1/responses', {
    headers: bearer(token),
    body: `{"input":"${'x'.repeat(33 * MB)}"}`,
  });
  // Refused before all of it was read: the client may see either.
  expect(await large.then((answer) => answer.status).catch(() => 413)).toBe(413);
  expect(heard).toHaveLength(1);
});

it('E6: what the budget leaves decides before each request; it is overrun by one at most, also when many ask at once', async () => {
  const waiting: (() => void)[] = [];
  const { url, heard } = await createProvider((_request, response) => {
    waiting.push(() => json(response, 200, { usage: { input_tokens: 1_000_000, output_tokens: 0 } }));
  });
  const told: string[] = [];
  const { socket, token, models } = await openDoor(
    url,
    { limits: { costUsd: 3 }, prices: { m: { input: 1, output: 1 } } },
    { onOver: () => void told.push('over') },
  );
  const asked = JSON.stringify({ model: 'm', input: 'x '.repeat(10), max_output_tokens: 900_000 });
  const all = Array.from({ length: 12 }, () =>
    ask(socket, '/v1/responses', { headers: bearer(token), body: asked }),
  );
  const done = Promise.all(all);
  let answered = 0;
  for (;;) {
    const ended = await Promise.race([
      done.then(() => true),
      new Promise<false>((r) => setTimeout(() => r(false), 20)),
    ]);
    if (ended) break;
    waiting.shift()?.();
    answered += 1;
    expect(answered).toBeLessThan(2_000);
  }
  expect((await done).map(({ status }) => status).sort()).toEqual([
    ...Array<number>(3).fill(200),
    ...Array<number>(9).fill(400),
  ]);
  expect(heard).toHaveLength(3);
  expect(models?.used().costUsd).toBe(3);
  expect(models?.over()).toMatchObject({ spent: 'cost' });
  expect(told).toEqual(['over']);
});

it('E6: a raise holds at once, in the middle of a turn', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usage }));
  let tokens = 1_000;
  const { socket, token, models } = await openDoor(url, {
    limits: { tokens },
    limitsNow: async () => ({ tokens, costUsd: null }),
  });
  const request = () => ask(socket, '/v1/responses', { headers: bearer(token), body: body() });
  expect((await request()).status).toBe(200);
  tokens = 100_000;
  expect((await request()).status).toBe(200);
  expect(models?.over()).toBeNull();
  tokens = 1_500;
  // A limit is read again where it seems to be reached, so what was granted stays granted until then.
  expect((await request()).status).toBe(200);
  expect(heard).toHaveLength(3);
});

it('P7: sends nothing when a limit above the run is used up, and says so once for all', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usage }));
  const { socket, token, models } = await openDoor(url, {}, { reserve: async () => ({ says: 'Used up.' }) });
  const refused = await ask(socket, '/v1/responses', { headers: bearer(token), body: body() });
  expect(refused.status).toBe(400);
  expect(refused.body).toContain('Used up. Stop here');
  expect(models?.over()).toEqual({ spent: 'spending', says: 'Used up.' });
  expect(models?.used()).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: 0 });
  expect(heard).toEqual([]);
});

it('E6: is told in words that each client takes for final', async () => {
  const { url } = await createProvider((_request, response) => json(response, 200, { usage }));
  const { socket, token } = await openDoor(url, { limits: { tokens: 1 } });
  const last = async (path: string) => {
    await ask(socket, path, { headers: bearer(token), body: body() });
    return ask(socket, path, { headers: bearer(token), body: body() });
  };
  expect(JSON.parse((await last('/v1/responses')).body)).toMatchObject({
    error: { code: 'insufficient_quota' },
  });
  const claude = await last('/v1/messages');
  expect(claude.status).toBe(400);
  expect(JSON.parse(claude.body)).toMatchObject({ error: { type: 'invalid_request_error' } });
});

it('E6, E16: a breaker ends a circle: too many requests, too many a minute, the same call again and again', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usage }));
  const circle = async (limits: object, bodyOf: (i: number) => string, now = (): number => 0) => {
    const before = heard.length;
    const { socket, token, models } = await openDoor(url, { limits }, { now });
    for (let i = 0; i < 12; i += 1)
      await ask(socket, '/v1/responses', { headers: bearer(token), body: bodyOf(i) });
    return { passed: heard.length - before, over: models?.over()?.spent };
  };
  const call = (command: string, id: number): string =>
    body({
      input: [{ type: 'function_call', call_id: `c${id}`, name: 'exec', arguments: `{"cmd":"${command}"}` }],
    });
  expect(await circle({ requests: 9 }, () => body())).toEqual({ passed: 9, over: 'requests' });
  expect(await circle({ perMinute: 9 }, () => body())).toEqual({ passed: 9, over: 'perMinute' });
  let clock = 0;
  expect(
    await circle(
      { perMinute: 9 },
      () => body(),
      () => (clock += 10_000),
    ),
  ).toEqual({ passed: 12 });
  expect(await circle({ identical: 5 }, (i) => call('ls', i))).toEqual({ passed: 5, over: 'identical' });
  expect(await circle({ identical: 5 }, (i) => call(i % 2 ? 'ls' : 'pwd', i))).toEqual({ passed: 12 });
  const ofClaude = (i: number): string =>
    body({
      input: undefined,
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command: 'ls' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: `${i}` }] },
      ],
    });
  expect(await circle({ identical: 5 }, ofClaude)).toEqual({ passed: 5, over: 'identical' });
  const ofChat = (i: number): string =>
    body({
      input: undefined,
      messages: [
        { role: 'assistant', tool_calls: [{ id: `t${i}`, function: { name: 'bash', arguments: '{}' } }] },
      ],
    });
  expect(await circle({ identical: 5 }, ofChat)).toEqual({ passed: 5, over: 'identical' });
});

it('E16: where cost is limited, a model without a price is refused and named', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usage }));
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 } });
  const asked = body({ model: 'installation-model-7b' });
  expect((await ask(socket, '/v1/responses', { headers: bearer(token), body: asked })).status).toBe(400);
  expect(models?.over()?.says).toContain('installation-model-7b');
  expect(heard.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('P7: where dollars are limited above the run alone, a model without a price is refused, too', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usage }));
  const { socket, token } = await openDoor(url, { costHolds: () => true });
  const asked = body({ model: 'installation-model-7b' });
  expect((await ask(socket, '/v1/responses', { headers: bearer(token), body: asked })).status).toBe(400);
  expect(heard.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('C5, E16: keeps what was said, without secrets and the token, within a quota', async () => {
  const { url } = await createProvider((_request, response) =>
    events(
      response,
      { choices: [{ delta: { content: 'the answer is SECRET-ONE' } }] },
      { choices: [], usage: chatUsage },
    ),
  );
  const hide = (text: string): string => text.replaceAll('SECRET-ONE', '[secret]');
  const { socket, token, models } = await openDoor(url, {}, { hide });
  const messages = [{ role: 'user', content: `first words ${'x'.repeat(5_000)}` }];
  for (let i = 0; i < 60; i += 1) {
    messages.push({ role: 'user', content: `question ${i} of ${token}` });
    await ask(socket, '/v1/chat/completions', {
      headers: bearer(token),
      body: JSON.stringify({ model: 'm', messages }),
    });
  }
  const text = models?.transcript() ?? '';
  expect(text).toContain('the answer is [secret]');
  expect(text).toContain('question 7 of [token]');
  // Nobody has said what `m` costs: that is no 0 $.
  expect(text).toContain('out, price unknown ·');
  expect(text).not.toContain('$0');
  expect(text.match(/first words/g)).toHaveLength(1);
  expect(text).not.toContain(token);
  expect(text.length).toBeLessThan(300_000);
});

it('E18: asks by a connection of its own each time, and never sends a request twice', async () => {
  const kept = new WeakSet<object>();
  const { url, heard } = await createProvider(({ socket, headers }, response) => {
    if (kept.has(socket) || headers['x-app'] === 'broken') return void socket.destroy();
    kept.add(socket);
    json(response, 200, { output: [], usage });
  });
  const { socket, token, models } = await openDoor(url);
  const asked = (app: string, n: number) =>
    ask(socket, '/v1/responses', { headers: { ...bearer(token), 'x-app': app }, body: body({ n }) });
  for (const n of [1, 2, 3]) expect((await asked('one', n)).status).toBe(200);
  expect(heard).toHaveLength(3);
  expect(models?.used().inputTokens).toBe(3_000);
  // A provider that hangs up may have billed what it read.
  expect((await asked('broken', 4)).status).toBe(502);
  expect(heard).toHaveLength(4);
});

it('E16: a request that cannot be served is told of with the run whose box asked', async () => {
  const { url } = await createProvider((_request, response) => json(response, 200, { output: [], usage }));
  const told: [string, string][] = [];
  const { socket, token } = await openDoor(
    url,
    {},
    {
      // As while the ledger is away.
      budget: {
        left: () => Promise.reject(new Error('no books')),
        refused: async () => {},
        answered: async () => {},
      },
      onTrouble: (error, runId) => void told.push([String(error), runId]),
    },
  );
  await expect(ask(socket, '/v1/responses', { headers: bearer(token), body: body() })).rejects.toThrow();
  expect(told).toEqual([['Error: no books', 'r1']]);
});
