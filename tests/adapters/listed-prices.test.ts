/**
 * E18: a price that nobody told is asked of the provider's own list; over real sockets, with a provider
 * that lists as OpenRouter does, and others that list what is no price.
 */
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { NO_BUDGET } from '../../executors/gateway/provider-rate-limit.ts';
import { readPriceList } from '../../executors/gateway/listed-prices.ts';
import { HOUR } from '#model/values';
import { ask, createProvider, KEY, openDoor } from '../support/gateway-world.ts';

const json = (response: ServerResponse, body: object, status = 200, more: object = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...more });
  response.end(JSON.stringify(body));
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
const MODEL = 'deep/think-9';
const priced = (pricing: object, id = MODEL) => ({ data: [{ id, pricing }] });
const PRICING = { prompt: '0.000002', completion: '0.00001', request: '0', image: '0.001' };

/** `list` answers `GET /v1/models`. */
const providerWith = (list: (response: ServerResponse, count: number) => void) => {
  let count = 0;
  return createProvider((request, response) =>
    request.method === 'GET'
      ? list(response, (count += 1))
      : json(response, { choices: [{ message: { content: 'x' } }], usage }),
  );
};
const spoken = (socket: string, token: string, model = MODEL) =>
  ask(socket, '/v1/chat/completions', {
    headers: bearer(token),
    body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: 'x' }] }),
  });

it('E18: a missing price is the provider’s own, asked once with the key, where the model is', async () => {
  const { url, heard } = await providerWith((response) => json(response, priced(PRICING)));
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 } });
  expect((await spoken(socket, token)).status).toBe(200);
  expect((await spoken(socket, token)).status).toBe(200);
  // 1,000 read and 100 written, twice.
  expect(models?.used().costUsd).toBeCloseTo(2 * (0.002 + 0.001), 9);
  const lists = heard.filter(({ method }) => method === 'GET');
  expect(lists).toMatchObject([{ url: '/v1/models', headers: { authorization: `Bearer ${KEY}` } }]);
});

it('E18: a list is asked for again after an hour, and a price that is gone then is none', async () => {
  let now = 1_700_000_000_000;
  const { url, heard } = await providerWith((response, count) =>
    json(response, count === 1 ? priced(PRICING) : { data: [] }),
  );
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 } }, { now: () => now });
  expect((await spoken(socket, token)).status).toBe(200);
  now += HOUR + 1;
  expect((await spoken(socket, token)).status).toBe(400);
  expect(models?.over()).toMatchObject({ spent: 'price', model: MODEL });
  expect(heard.filter(({ method }) => method === 'GET')).toHaveLength(2);
});

it.each<[string, object, number, object]>([
  ['another model', priced(PRICING, 'deep/think-8'), 200, {}],
  ['a price below nothing', priced({ ...PRICING, prompt: '-1' }), 200, {}],
  ['no number', priced({ ...PRICING, completion: 'NaN' }), 200, {}],
  ['no end', priced({ ...PRICING, completion: 'Infinity' }), 200, {}],
  ['a fee for each request', priced({ ...PRICING, request: '0.01' }), 200, {}],
  ['no prices', { data: [{ id: MODEL }] }, 200, {}],
  ['something else', { object: 'list' }, 200, {}],
  ['a refusal', priced(PRICING), 403, {}],
  ['another address', priced(PRICING), 302, { location: 'http://127.0.0.1:9/v1/models' }],
])('E18: a list with %s gives no price, and nothing is spent', async (_what, list, status, head) => {
  const { url, heard } = await providerWith((response) => json(response, list, status, head));
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 } });
  expect((await spoken(socket, token)).status).toBe(400);
  expect(models?.over()).toMatchObject({ spent: 'price', model: MODEL });
  expect(heard.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('E18: a list without an end is left, and gives no price', async () => {
  const { url } = await providerWith((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const { socket, token } = await openDoor(url, { limits: { costUsd: 1 } });
  expect((await spoken(socket, token)).status).toBe(400);
});

it('E18: a provider that cannot be reached is away: no price is missing for that', async () => {
  const { socket, token, models } = await openDoor('http://127.0.0.1:9', { limits: { costUsd: 1 } });
  expect((await spoken(socket, token)).status).toBe(502);
  expect(models?.over()).toBeNull();
});

it.each([429, 500, 503])('E18: a list that is refused with %d is asked for again', async (status) => {
  const { url } = await providerWith((response, count) =>
    count === 1 ? json(response, {}, status) : json(response, priced(PRICING)),
  );
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 } });
  expect((await spoken(socket, token)).status).toBe(502);
  expect(models?.over()).toBeNull();
  expect((await spoken(socket, token)).status).toBe(200);
});

it('E18: no list is asked for while the provider takes nothing', async () => {
  const { url, heard } = await providerWith((response) => json(response, priced(PRICING)));
  const budget = { ...NO_BUDGET, left: async () => HOUR };
  const { socket, token, models } = await openDoor(url, { limits: { costUsd: 1 } }, { budget });
  expect((await spoken(socket, token)).status).toBe(502);
  expect(heard).toEqual([]);
  expect(models?.closedUntil()).toBeGreaterThan(Date.now());
});

it.each([
  ['there is no limit of cost', {}, {}],
  ['the operator has told a price', { limits: { costUsd: 1 } }, { [MODEL]: { input: 1, output: 1 } }],
])('E18: nobody is asked for a list where %s', async (_what, grant, prices) => {
  const { url, heard } = await providerWith((response) => json(response, priced(PRICING)));
  const { socket, token } = await openDoor(url, { ...grant, prices });
  expect((await spoken(socket, token)).status).toBe(200);
  expect(heard.map(({ method }) => method)).toEqual(['POST']);
});

it('E18: prices of the cache and of thoughts are read, and hostile names are names', () => {
  const pricing = {
    ...PRICING,
    input_cache_read: '2e-7',
    input_cache_write: 0.0000025,
    internal_reasoning: '0.00002',
  };
  const list = readPriceList(JSON.stringify({ data: [null, 7, { id: '__proto__', pricing }] }));
  expect([...list.keys()]).toEqual(['__proto__']);
  const price = list.get('__proto__');
  expect(price?.input).toBeCloseTo(2, 9);
  expect(price?.output).toBeCloseTo(20, 9);
  expect(price?.cached).toBeCloseTo(0.2, 9);
  expect(price?.stored).toBeCloseTo(2.5, 9);
  for (const text of ['', '[', '[]', 'null', '{"data":{}}']) expect(readPriceList(text).size).toBe(0);
});
