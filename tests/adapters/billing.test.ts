/**
 * E18: what a provider may bill is counted until it says what it took, whatever a program of the box
 * does; over real sockets, with a provider that remembers what it would bill.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { ask, createProvider, openDoor } from '../support/gateway-world.ts';

const json = (response: ServerResponse, body: object, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const usage = { input_tokens: 1_000, input_tokens_details: { cached_tokens: 0 }, output_tokens: 100 };
/** A dollar for a million tokens, whatever they are. */
const PRICES = { m: { input: 1, output: 1, stored: 1 } };
const ofModel = (more: object = {}): string => JSON.stringify({ model: 'm', input: 'hello', ...more });
const answered = () => createProvider((_request, response) => json(response, { output: [], usage }));
const MILLION = 1_000_000;

/** Asks by a connection of its own, and leaves after 30 ms, or when the first byte came. */
const hangUp = async (
  socketPath: string,
  token: string,
  body: string,
  when: 'soon' | 'answered',
): Promise<void> => {
  const client = connect(socketPath);
  client.on('error', () => {});
  client.write(
    `POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1:17117\r\nauthorization: Bearer ${token}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const timer = when === 'soon' ? setTimeout(() => client.destroy(), 30) : undefined;
  if (when === 'answered') client.once('data', () => client.destroy());
  await once(client, 'close');
  clearTimeout(timer);
};

it('E18: fifty requests in the background are refused, and the provider hears of none', async () => {
  const { url, heard } = await answered();
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 }, prices: PRICES });
  const asked = Array.from({ length: 50 }, () =>
    ask(socket, '/v1/responses', {
      headers: bearer(token),
      body: ofModel({ background: true, max_output_tokens: 100_000 }),
    }).then(({ status }) => status),
  );
  // What is beyond the requests at once is refused for that.
  for (const status of await Promise.all(asked)) expect([400, 413]).toContain(status);
  expect(heard).toEqual([]);
  expect(models?.over()).toBeNull();
});

it('E18: whoever hangs up has used what might be billed: thirty of them go one request past the limit at most', async () => {
  // Never says what it took; bills all that each might have been.
  const { url, heard } = await createProvider((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"type":"response.created"}\n\n');
  });
  const limit = 0.5;
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: limit }, prices: PRICES });
  const body = ofModel({ stream: true, max_output_tokens: 100_000 });
  const many = (when: 'soon' | 'answered') =>
    Promise.all(Array.from({ length: 15 }, () => hangUp(socket, token, body, when)));
  await many('soon');
  await many('answered');
  await models?.settle();
  const each = (100_000 + body.length) / MILLION;
  expect(heard.length * each).toBeLessThanOrEqual(limit + each);
  expect(heard.length).toBeGreaterThan(0);
  // One may have been on its way when its client left.
  expect(models?.used().costUsd).toBeGreaterThanOrEqual(heard.length * each - 1e-6);
});

it.each([
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'x/constructor',
  'constructor-latest',
  '',
])('E18: the model %j has no price: where cost is limited, nobody is asked', async (model) => {
  const { url, heard } = await answered();
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 } });
  const { status } = await ask(socket, '/v1/responses', {
    headers: bearer(token),
    body: JSON.stringify({ model, input: 'x' }),
  });
  expect(status).toBe(400);
  // Its list of prices was looked at, and has none.
  expect(heard.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(models?.used().costUsd).toBe(0);
});

it.each<[string, string, object, object, number]>([
  ['a priority tier, as asked for', '/v1/responses', { service_tier: 'priority' }, {}, 0.0022],
  ['a priority tier, as given', '/v1/responses', {}, { service_tier: 'priority' }, 0.0022],
  ['the default tier', '/v1/responses', { service_tier: 'auto' }, { service_tier: 'default' }, 0.0011],
  ['what a router says that it cost', '/v1/chat/completions', {}, { usage: { ...usage, cost: 0.4 } }, 0.4],
  ['fast answers', '/v1/messages', { speed: 'fast', max_tokens: 10 }, {}, 0.0066],
  [
    'an hour in the cache',
    '/v1/messages',
    { max_tokens: 10 },
    {
      usage: {
        input_tokens: 0,
        cache_creation_input_tokens: 1_000,
        cache_creation: { ephemeral_1h_input_tokens: 1_000 },
        output_tokens: 100,
      },
    },
    0.0021,
  ],
])('E18: counts %s', async (_what, path, more, told, costUsd) => {
  const { url } = await createProvider((_request, response) =>
    json(response, { output: [], usage, ...told }),
  );
  const { socket, token, models } = await openDoor(url, { prices: PRICES });
  await ask(socket, path, { headers: bearer(token), body: ofModel(more) });
  expect(models?.used().costUsd).toBeCloseTo(costUsd, 6);
});

it('E18: a tier that nobody knows the price of is refused where cost is limited', async () => {
  const { url, heard } = await answered();
  const { socket, token } = await openDoor(url, { limits: { costUsd: 1 }, prices: PRICES });
  const body = ofModel({ service_tier: 'ultrafast' });
  expect((await ask(socket, '/v1/responses', { headers: bearer(token), body })).status).toBe(400);
  expect(heard).toEqual([]);
});

it.each<[string, string, object]>([
  ['web_search', '/v1/responses', { tools: [{ type: 'web_search_preview_2025_03_11' }] }],
  ['web_search', '/v1/responses', { input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }] }] }],
  ['web_search', '/v1/messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ['web_search', '/v1/chat/completions', { web_search_options: {} }],
  ['web_search', '/v1/chat/completions', { model: 'm:online' }],
  [
    'code_interpreter',
    '/v1/responses',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
  ],
  ['code_execution', '/v1/messages', { tools: [{ type: 'code_execution_20250825', name: 'x' }] }],
  [
    'image_generation',
    '/v1/responses',
    { tools: [{ type: 'namespace', tools: [{ type: 'image_generation' }] }] },
  ],
  [
    'mcp',
    '/v1/responses',
    { tools: [{ type: 'mcp', server_url: 'https://evil.example', server_label: 'e' }] },
  ],
  ['mcp', '/v1/messages', { mcp_servers: [{ type: 'url', url: 'https://evil.example', name: 'e' }] }],
  ['other_models', '/v1/chat/completions', { models: ['m', 'o3-pro'] }],
  ['plugins', '/v1/chat/completions', { plugins: [{ id: 'web' }] }],
  ['audio', '/v1/chat/completions', { modalities: ['text', 'audio'] }],
  [
    'urls',
    '/v1/responses',
    {
      input: [
        { role: 'user', content: [{ type: 'input_image', image_url: 'https://evil.example/?secret' }] },
      ],
    },
  ],
  [
    'urls',
    '/v1/messages',
    {
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://evil.example/' } }] },
      ],
    },
  ],
])(
  'E18: what the provider would do by itself (%s) is refused, unless a price is set',
  async (name, path, more) => {
    const { url, heard } = await answered();
    const grant = { limits: { costUsd: 1 }, prices: PRICES };
    const refusing = await openDoor(url, grant);
    const { status, body } = await ask(refusing.socket, path, {
      headers: bearer(refusing.token),
      body: ofModel(more),
    });
    expect([status, body]).toEqual([400, expect.stringContaining(name)]);
    expect(heard).toEqual([]);
    const granting = await openDoor(url, { ...grant, hosted: { [name]: 0.25 } });
    await ask(granting.socket, path, { headers: bearer(granting.token), body: ofModel(more) });
    expect(heard).toHaveLength(1);
    expect(granting.models?.used().costUsd).toBeCloseTo(0.2511, 6);
  },
);

it('E18: tools of the client, and what agents wrote, are no hosted tools', async () => {
  const { url, heard } = await answered();
  const { socket, token } = await openDoor(url, { prices: PRICES });
  for (const [path, more] of [
    [
      '/v1/responses',
      { tools: [{ type: 'function', name: 'f', parameters: { type: 'mcp' } }, { type: 'custom' }] },
    ],
    [
      '/v1/messages',
      {
        tools: [
          { name: 'Bash', input_schema: {} },
          { type: 'bash_20250124', name: 'bash' },
        ],
      },
    ],
    [
      '/v1/messages',
      {
        messages: [
          {
            role: 'assistant',
            content: [
              {
                type: 'tool_use',
                name: 'Write',
                input: { Model: 'x', tools: [{ type: 'web_search' }], Store: 1 },
              },
            ],
          },
        ],
      },
    ],
  ] as const)
    expect((await ask(socket, path, { headers: bearer(token), body: ofModel(more) })).status).toBe(200);
  expect(heard).toHaveLength(3);
});

it('E18: a field that two readers take differently is refused, or reaches the provider as we read it', async () => {
  const { url, heard } = await answered();
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 }, prices: PRICES });
  const send = (body: string) => ask(socket, '/v1/responses', { headers: bearer(token), body });
  for (const body of [
    '{"model":"m","Background":true}',
    '{"model":"m","\u017ftore":true}',
    '{"model":"m","MAX_OUTPUT_TOKENS":9}',
    '{"Model":"o3-pro","model":"m"}',
  ])
    expect((await send(body)).status).toBe(400);
  expect(heard).toEqual([]);
  await send('{"model":"o3-pro","model":"m","background":true,"background":false,"input":"x"}');
  expect(heard.map(({ body }) => body)).toEqual(['{"model":"m","background":false,"input":"x"}']);
  expect(models?.over()).toBeNull();
});

it('E18: the bound of another protocol, and one for each of several answers, hide nothing', async () => {
  const { url } = await createProvider((_request, response) => response.destroy());
  const used = async (path: string, more: object): Promise<number> => {
    const { socket, token, models } = await openDoor(url, { prices: PRICES });
    await ask(socket, path, { headers: bearer(token), body: ofModel(more) }).catch(() => {});
    return models?.used().outputTokens ?? 0;
  };
  expect(await used('/v1/responses', { max_tokens: 1, max_output_tokens: 50_000 })).toBe(50_000);
  expect(await used('/v1/responses', { max_tokens: 1 })).toBe(128_000);
  expect(await used('/v1/responses', { max_output_tokens: '1' })).toBe(128_000);
  expect(await used('/v1/responses', { max_output_tokens: -1 })).toBe(128_000);
  expect(await used('/v1/chat/completions', { max_tokens: 1, max_completion_tokens: 9_000 })).toBe(9_000);
  expect(await used('/v1/chat/completions', { max_tokens: 1_000, n: 4 })).toBe(4_000);
  expect(await used('/v1/messages', { max_tokens: 100, thinking: { budget_tokens: 5_000 } })).toBe(5_000);
});

it('E18: what lies with the provider counts as long as it may be until it is told', async () => {
  const { url } = await createProvider((_request, response) => response.destroy());
  for (const more of [
    { previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { prompt: { id: 'pmpt_1' } },
    { input: [{ type: 'item_reference', id: 'i' }] },
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
  ]) {
    const { socket, token, models } = await openDoor(url, { prices: PRICES });
    await ask(socket, '/v1/responses', { headers: bearer(token), body: ofModel(more) }).catch(() => {});
    expect(models?.used().inputTokens).toBeGreaterThanOrEqual(1_000_000);
  }
});

it('E18: a stream of chat is asked to tell what it took; without that, its reservation stands', async () => {
  let told = true;
  const { url, heard } = await createProvider((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'hi' } }] })}\n\n`);
    const last = { choices: [], usage: { prompt_tokens: 1_000, completion_tokens: 100 } };
    response.end(told ? `data: ${JSON.stringify(last)}\n\n` : 'data: [DONE]\n\n');
  });
  const { socket, token, models } = await openDoor(url, { prices: PRICES });
  const body = ofModel({ stream: true, stream_options: { include_usage: false }, max_tokens: 20_000 });
  await ask(socket, '/v1/chat/completions', { headers: bearer(token), body });
  expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({ stream_options: { include_usage: true } });
  expect(models?.used()).toMatchObject({ inputTokens: 1_000, outputTokens: 100 });
  told = false;
  await ask(socket, '/v1/chat/completions', { headers: bearer(token), body });
  expect(models?.used().outputTokens).toBe(20_100);
});

it('E18: what is asked for is written down first, with all that is under way; what cannot be is not sent', async () => {
  const order: string[] = [];
  const open: ServerResponse[] = [];
  const { url, heard } = await createProvider((_request, response) => {
    order.push('heard');
    open.push(response);
  });
  let away = false;
  const { socket, token, models } = await openDoor(
    url,
    { prices: PRICES },
    {
      reserve: async (most) => {
        if (away) throw new Error('the ledger is away');
        order.push(`at most ${most.outputTokens}`);
      },
      onTrouble: () => {},
    },
  );
  const send = () =>
    ask(socket, '/v1/responses', { headers: bearer(token), body: ofModel({ max_output_tokens: 700 }) });
  const first = send();
  await expect.poll(() => heard.length).toBe(1);
  const second = send();
  await expect.poll(() => heard.length).toBe(2);
  expect(order).toEqual(['at most 700', 'heard', 'at most 1400', 'heard']);
  for (const response of open) json(response, { usage });
  await Promise.all([first, second]);
  away = true;
  await expect(send()).rejects.toThrow();
  expect(heard).toHaveLength(2);
  expect(models?.used()).toMatchObject({ inputTokens: 2_000, outputTokens: 200 });
});

it('E18: the end of an attempt ends what it still asks for, and counts it', async () => {
  let left = false;
  const begun = Promise.withResolvers<void>();
  const { url } = await createProvider((_request, response) => {
    response.on('close', () => (left = true));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"type":"response.created"}\n\n');
  });
  const { socket, token, models } = await openDoor(url, { prices: PRICES });
  const asked = ask(socket, '/v1/responses', {
    headers: bearer(token),
    body: ofModel({ stream: true, max_output_tokens: 5_000 }),
    onPiece: () => begun.resolve(),
  }).catch(() => 'cut');
  await begun.promise;
  expect(models?.requests()).toBe(1);
  await models?.settle();
  expect(models?.used().outputTokens).toBe(5_000);
  expect(await asked).toBe('cut');
  await expect.poll(() => left).toBe(true);
});

it('E18: nobody is charged for a provider that was never reached, or that refused', async () => {
  const away = await openDoor('http://127.0.0.1:9', { prices: PRICES });
  await ask(away.socket, '/v1/responses', { headers: bearer(away.token), body: ofModel() });
  expect(away.models?.used().costUsd).toBe(0);
  const { url } = await createProvider((_request, response) =>
    json(response, { error: { message: 'no' } }, 500),
  );
  const refused = await openDoor(url, { prices: PRICES });
  await ask(refused.socket, '/v1/responses', { headers: bearer(refused.token), body: ofModel() });
  expect(refused.models?.used().costUsd).toBe(0);
});

it.each<[string, object[], { input: number; output: number }]>([
  [
    'reasoning that is counted in the total alone',
    [
      {
        choices: [],
        usage: {
          prompt_tokens: 1_000,
          completion_tokens: 100,
          total_tokens: 3_100,
          completion_tokens_details: { reasoning_tokens: 2_000 },
        },
      },
    ],
    { input: 1_000, output: 2_100 },
  ],
  [
    'a usage within the last choice',
    [{ choices: [{ finish_reason: 'stop', usage: { prompt_tokens: 1_000, completion_tokens: 100 } }] }],
    { input: 1_000, output: 100 },
  ],
  [
    'a usage in each chunk that grows',
    [
      {
        choices: [{ delta: {} }],
        usage: { prompt_tokens: 1_000, completion_tokens: 40, total_tokens: 1_040 },
      },
      { choices: [], usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 } },
    ],
    { input: 1_000, output: 100 },
  ],
])('E18: a stream of chat is billed by %s', async (_, events, { input, output }) => {
  const { url } = await createProvider((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'hi' } }] })}\n\n`);
    response.end(`${events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`);
  });
  const { socket, token, models } = await openDoor(url, { prices: PRICES });
  const body = ofModel({ stream: true, max_tokens: 20_000 });
  await ask(socket, '/v1/chat/completions', { headers: bearer(token), body });
  expect(models?.used()).toMatchObject({ inputTokens: input, outputTokens: output });
});
