/** E16, E18: the gateway speaks Google's protocol: paths, key, usage, prices, budgets and refusals. */
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { ProviderBudget } from '../../executors/gateway/provider-rate-limit.ts';
import { ask, createProvider, KEY, openDoor } from '../support/gateway-world.ts';

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const events = (response: ServerResponse, ...all: object[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
};
const usageMetadata = {
  promptTokenCount: 1_000,
  cachedContentTokenCount: 400,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 20,
  totalTokenCount: 1_050,
};
const candidates = [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }];
const PLACE = '/v1beta/models/gemini-2.5-pro:generateContent';
const STREAM = '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse';
const body = (more: object = {}): string =>
  JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hello there' }] }], ...more });
const keyed = (token: string) => ({ 'x-goog-api-key': token });
const open = (url: string, ...more: Parameters<typeof openDoor> extends [string, ...infer R] ? R : never) =>
  openDoor(url, { shapes: ['google'], base: `${url}/v1beta`, ...more[0] }, more[1]);

it('E16: puts the key in place of the token, and prices what the answer tells by the model of the path', async () => {
  const { url, heard } = await createProvider((_request, response) =>
    json(response, 200, { candidates, usageMetadata }),
  );
  const { socket, token, models } = await open(url);
  const answer = await ask(socket, PLACE, { headers: keyed(token), body: body() });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer)).not.toContain(KEY);
  expect(heard).toMatchObject([{ url: PLACE, headers: { 'x-goog-api-key': KEY } }]);
  expect(JSON.stringify(heard)).not.toContain(token);
  // Thoughts are paid as output: 600 fresh, 400 cached, 50 written.
  expect(models?.used()).toEqual({ inputTokens: 1_000, outputTokens: 50, costUsd: 0.0013 });
  expect(models?.transcript()).toContain('gemini-2.5-pro');
});

it('E18: counts a stream by its last chunk, and one that is cut before by the most it may have been', async () => {
  const first = {
    candidates: [{ content: { parts: [{ text: 'hel' }] } }],
    usageMetadata: { promptTokenCount: 1_000 },
  };
  const whole = await createProvider((_request, response) => {
    events(response, first, { candidates, usageMetadata });
    response.end();
  });
  const one = await open(whole.url);
  await ask(one.socket, STREAM, { headers: keyed(one.token), body: body() });
  expect(one.models?.used()).toMatchObject({ inputTokens: 1_000, outputTokens: 50 });
  expect(one.models?.estimated()).toBe(false);

  const cut = await createProvider((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(first)}\n\n`, () => response.socket?.end());
  });
  const other = await open(cut.url, { limits: { costUsd: 10 } });
  const most = body({
    generationConfig: { maxOutputTokens: 9_000, thinkingConfig: { thinkingBudget: 500 } },
  });
  await ask(other.socket, STREAM, { headers: keyed(other.token), body: most }).catch(() => undefined);
  await other.models?.settle();
  expect(other.models?.used()).toMatchObject({ inputTokens: 1_000, outputTokens: 9_500 });
  expect(other.models?.estimated()).toBe(true);
});

it('E16: serves inference, counting and lists of models, without a key or another answer in the query', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, {}));
  const { socket, token } = await open(url);
  const status = async (path: string, method = 'POST'): Promise<number> =>
    (await ask(socket, path, { method, headers: keyed(token), body: method === 'POST' ? body() : '' }))
      .status;
  for (const path of [
    ...['/v1beta/files', '/v1beta/cachedContents', '/v1beta/models/m:batchGenerateContent', '/v1/models/m'],
    ...[`${PLACE}?key=attacker`, `${PLACE}?$alt=sse`, `${STREAM}&key=attacker`, `${PLACE}?access_token=x`],
    ...['/v1beta/tunedModels/m:generateContent', '/v1beta/models/a/b:generateContent', '/v1/responses'],
  ])
    expect(await status(path), path).toBe(404);
  expect(heard).toEqual([]);
  expect(await status('/v1beta/models/m:countTokens')).toBe(200);
  expect(await status('/v1beta/models', 'GET')).toBe(200);
  for (const headers of [
    {},
    keyed(KEY),
    { 'x-goog-api-key': 'attacker', authorization: `Bearer ${token}` },
  ]) {
    const { status: said, body: words } = await ask(socket, PLACE, { headers, body: body() });
    expect(said).toBe(401);
    expect(JSON.parse(words)).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } });
  }
});

it.each<[string, object]>([
  ['a search of Google', { tools: [{ functionDeclarations: [] }, { googleSearch: {} }] }],
  ['code that Google runs', { tools: [{ codeExecution: {} }] }],
  ['a picture as an answer', { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }],
  ['speech', { generationConfig: { speechConfig: { languageCode: 'en' } } }],
  ['a field in its other spelling', { generation_config: { max_output_tokens: 1 } }],
  ['a tool in its other spelling', { tools: [{ function_declarations: [] }] }],
  ['a second model', { model: 'models/gemini-3-pro-preview' }],
])('E18: refuses %s', async (_what, more) => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usageMetadata }));
  const { socket, token } = await open(url);
  const { status, body: words } = await ask(socket, PLACE, { headers: keyed(token), body: body(more) });
  expect(status).toBe(400);
  expect(JSON.parse(words)).toMatchObject({ error: { status: 'INVALID_ARGUMENT' } });
  expect(heard).toEqual([]);
});

it('E18: lets the schemas and arguments of an agent’s own tools be spelled as they are', async () => {
  const { url, heard } = await createProvider((_request, response) => json(response, 200, { usageMetadata }));
  const { socket, token } = await open(url);
  const own = {
    tools: [
      { functionDeclarations: [{ name: 'run', parametersJsonSchema: { mime_type: {}, tools: [{ x: 1 }] } }] },
    ],
    contents: [
      {
        role: 'model',
        parts: [{ functionCall: { name: 'run', args: { file_data: 'x', tools: [{ y: 2 }] } } }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'run', response: { generation_config: 1 } } }] },
    ],
  };
  expect((await ask(socket, PLACE, { headers: keyed(token), body: body(own) })).status).toBe(200);
  expect(heard).toHaveLength(1);
});

it('E6: a budget that is used up ends it for good, in the words of Google', async () => {
  const { url, heard } = await createProvider((_request, response) =>
    json(response, 200, { candidates, usageMetadata }),
  );
  const { socket, token, models } = await open(url, { limits: { tokens: 1_500 } });
  const status = async () => (await ask(socket, PLACE, { headers: keyed(token), body: body() })).status;
  expect([await status(), await status(), await status()]).toEqual([200, 200, 400]);
  expect(heard).toHaveLength(2);
  expect(models?.over()).toMatchObject({ spent: 'tokens' });
});

it('E16: the same call again and again is ended, though its ids differ', async () => {
  const { url } = await createProvider((_request, response) => json(response, 200, { usageMetadata }));
  const { socket, token, models } = await open(url, { limits: { identical: 2 } });
  const called = (id: number) =>
    body({
      contents: [{ role: 'model', parts: [{ functionCall: { id: `${id}`, name: 'ls', args: { a: 1 } } }] }],
    });
  for (let id = 0; id < 3; id += 1) await ask(socket, PLACE, { headers: keyed(token), body: called(id) });
  expect(models?.over()).toMatchObject({ spent: 'identical' });
});

const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';
const refusal = (quotaId: string): object => ({
  error: {
    code: 429,
    message: QUOTA,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId, quotaValue: '15' }] },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' },
    ],
  },
});
it.each<[string, string, number | null]>([
  ['of a minute, as long as its body says', 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier', 34_500],
  ['of a day, as of a quota', 'GenerateRequestsPerDayPerProjectPerModel-FreeTier', null],
])('E18: waits for a limit %s', async (_what, quotaId, ms) => {
  const told: (number | null)[] = [];
  const budget: ProviderBudget = {
    left: async () => (told.length === 0 ? 0 : 1_000),
    refused: async (_provider, wait) => void told.push(wait),
    answered: async () => undefined,
  };
  const { url, heard } = await createProvider((_request, response) => json(response, 429, refusal(quotaId)));
  const { socket, token, models } = await open(url, {}, { budget });
  await ask(socket, PLACE, { headers: keyed(token), body: body() });
  expect(told).toEqual([ms]);
  expect(models?.closedUntil()).not.toBeNull();
  const again = await ask(socket, PLACE, { headers: keyed(token), body: body() });
  expect(again).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  expect(heard).toHaveLength(1);
});
