/**
 * E16: no answer of a provider carries the key back into a box: raw or encoded, whole or in pieces,
 * packed, in headers and in events; over real sockets.
 */
import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createExposedSecrets } from '../../executors/sandbox/exposed-secrets.ts';
import { ask, createProvider, KEY, openDoor } from '../support/gateway-world.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const BODY = JSON.stringify({ model: 'm', input: 'x' });
type Plays = (response: ServerResponse) => void;
/** What a program of the box sees of an answer. */
const seen = async (plays: Plays) => {
  const { url } = await createProvider((_request, response) => plays(response));
  const told: string[] = [];
  const opened = await openDoor(url, {}, { onEcho: (provider, run) => void told.push(`${provider} ${run}`) });
  const { socket, token, models } = opened;
  const send = () => ask(socket, '/v1/responses', { headers: bearer(token), body: BODY });
  const answer = await send().catch(() => null);
  return { answer, told, send, transcript: models?.transcript() ?? '' };
};
/** All that is known of the key, by the search that publishing uses as well. */
const carries = (text: string): boolean => {
  const lent = createExposedSecrets();
  lent.add('key', [KEY]);
  return lent.namesIn(text).length > 0;
};

const inPieces =
  (text: string, size: number): Plays =>
  (response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      text.slice(i * size, (i + 1) * size),
    );
    const next = (): void => {
      const piece = pieces.shift();
      if (piece === undefined) return void response.end();
      // Each comes by itself: the next one goes when this one is written.
      response.write(piece, () => setImmediate(next));
    };
    next();
  };
const words = (key: string): string => `{"error":{"message":"Incorrect key: ${key}. Look at it."}}`;
const FORMS: [string, string][] = [
  ['raw', KEY],
  ['base64', Buffer.from(`Bearer ${KEY}`).toString('base64')],
  ['base64url', Buffer.from(KEY).toString('base64url')],
  ['hex', Buffer.from(KEY).toString('hex').toUpperCase()],
  ['url-encoded', [...KEY].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
  ['escaped', [...KEY].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')],
  ['reversed', [...KEY].reverse().join('')],
];

it.each(FORMS.flatMap(([name, form]) => [1, 7, 10_000].map((size) => [name, size, form] as const)))(
  'E16: an answer with the key %s in pieces of %d reaches the box without it',
  async (_name, size, form) => {
    const { answer, told } = await seen(inPieces(words(form), size));
    expect(carries(answer?.body ?? '')).toBe(false);
    expect(told).toEqual([expect.stringContaining(' r1')]);
    // Of a line that hides it in numbers or escapes, nobody needs the rest.
    if (answer) expect(answer.body).toMatch(/Incorrect key|\[secret\]/);
  },
);

it('E16: a packed answer is unpacked and searched, and reaches the box unpacked', async () => {
  const { answer, told } = await seen((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(words(KEY)));
  });
  expect(answer?.headers['content-encoding']).toBeUndefined();
  expect(answer?.body).toContain('[secret]');
  expect(carries(answer?.body ?? '')).toBe(false);
  expect(told).toHaveLength(1);
});

it('E16: headers, cookies, a redirect and trailers carry nothing', async () => {
  const { answer, told } = await seen((response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-request-id': KEY,
      'openai-organization': Buffer.from(KEY).toString('base64'),
      'set-cookie': KEY,
      location: `https://evil.example/${KEY}`,
      trailer: 'x-request-id',
    });
    response.write('{}');
    response.addTrailers({ 'x-request-id': KEY });
    response.end();
  });
  expect(answer?.status).toBe(200);
  expect(carries(JSON.stringify(answer))).toBe(false);
  expect(told).toHaveLength(1);
});

it('E16: events go through as they come, also beside the key; the operator is told once', async () => {
  let more: ServerResponse | undefined;
  const { url } = await createProvider((_request, response) => {
    more = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: {"delta":"one ${KEY}"}\n\n`);
  });
  const told: string[] = [];
  const { socket, token, models } = await openDoor(
    url,
    {},
    { onEcho: (provider) => void told.push(provider) },
  );
  const { connect } = await import('node:net');
  const client = connect(socket);
  client.write(
    `POST /v1/responses HTTP/1.1\r\nhost: 127.0.0.1:17117\r\nauthorization: Bearer ${token}\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  );
  let got = '';
  client.on('data', (chunk) => (got += chunk.toString()));
  // The provider says nothing more until the box has the first event.
  await expect.poll(() => got).toContain('one [secret]');
  more?.write(`data: {"delta":"two ${KEY}"}\n\n`);
  await expect.poll(() => got).toContain('two [secret]');
  more?.end();
  await expect.poll(() => models?.transcript()).toContain('sent the key of the model back');
  client.destroy();
  expect(carries(got)).toBe(false);
  expect(told).toHaveLength(1);
});

it('E16: what is no key reaches the box to the byte', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7 + (i >> 8)) & 255));
  const text = `${'é sk-operator '.repeat(500)}${bytes.toString('base64')}`;
  const { answer, told } = await seen(inPieces(text, 997));
  expect(answer?.body).toBe(text);
  expect(told).toEqual([]);
});
