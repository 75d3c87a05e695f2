/** F5: comments on items of other programs, over HTTP: what is sent, and which outcomes are known. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../app/config.ts';
import { ConfigError } from '../../app/config-error.ts';
import { createPostComment } from '../../app/item-comments.ts';
import { closeServer, listenOn } from '../../webhooks/http-server.ts';

type Heard = { method: string; path: string; headers: IncomingHttpHeaders; body: unknown };
let heard: Heard[];
let answer: (response: ServerResponse) => void;
let url: string;
const server = () =>
  createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      heard.push({ method, path, headers, body: JSON.parse(body) as unknown });
      answer(response);
    });
  });
let listening: ReturnType<typeof server>;
beforeEach(async () => {
  heard = [];
  answer = (response) => void response.writeHead(201).end('{}');
  listening = server();
  url = await listenOn(listening, '127.0.0.1', 0);
});
afterEach(() => closeServer(listening));

const ENV = {
  TELEGRAM_BOT_TOKEN: '1:x',
  TELEGRAM_ADMIN_IDS: '7',
  GITHUB_TOKEN: 'x',
  HOOK: 'a_secret_of_the_tests_24',
  KEY: 'ana@acme.example:k3y-of-the-tracker',
};
const configOf = (program: string, comment: object, env: Record<string, string> = ENV) =>
  readConfig(
    env,
    JSON.stringify({
      arrivals: {
        hooks: { tracker: { secret: 'HOOK', from: { program, repository: 'acme/a', ...ANY, comment } } },
      },
    }),
    '/nowhere',
  );
const ANY = { header: 'x-sign', title: '{title}', link: '{link}', id: '{id}' };
const post = async (program: string, comment: object, id = 'i 1/2', signal = new AbortController().signal) =>
  createPostComment(configOf(program, { token: 'KEY', ...comment }))(
    { hook: 'tracker', id },
    'Pull request #7: https://github.com/acme/a/pull/7 "quoted"',
    signal,
  );
const sentence = (program: string, comment: object, env?: Record<string, string>): string => {
  try {
    configOf(program, comment, env);
    return 'accepted';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

describe('a comment', () => {
  it('F5: is sent in the form of its program, with values as data', async () => {
    answer = (response) => void response.end('{"data":{"commentCreate":{"success":true}}}');
    expect(await post('linear', { url: `${url}/graphql` })).toEqual({ outcome: 'posted', message: '' });
    answer = (response) => void response.writeHead(201).end('{}');
    expect(await post('jira', { url: `${url}/issue/{id}/comment` })).toMatchObject({ outcome: 'posted' });
    expect(await post('sentry', { url: `${url}/issues/{id}/comments/` })).toMatchObject({
      outcome: 'posted',
    });
    expect(
      await post('any', { url: `${url}/{id}`, body: { note: { parts: ['{text}', 1] }, on: '{id}' } }),
    ).toMatchObject({ outcome: 'posted' });
    const said = 'Pull request #7: https://github.com/acme/a/pull/7 "quoted"';
    expect(heard.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /graphql',
      'POST /issue/i%201%2F2/comment',
      'POST /issues/i%201%2F2/comments/',
      'POST /i%201%2F2',
    ]);
    expect(heard.map(({ headers }) => headers.authorization)).toEqual([
      ENV.KEY,
      `Basic ${Buffer.from(ENV.KEY).toString('base64')}`,
      `Bearer ${ENV.KEY}`,
      `Bearer ${ENV.KEY}`,
    ]);
    expect(heard[0]?.body).toMatchObject({ variables: { id: 'i 1/2', text: said } });
    expect(heard.slice(1).map(({ body }) => body)).toEqual([
      { body: said },
      { text: said },
      { note: { parts: [said, 1] }, on: 'i 1/2' },
    ]);
  });

  it.each<[string, (response: ServerResponse) => void, string, string]>([
    ['a refusal', (r) => void r.writeHead(403).end('No.'), 'refused', 'HTTP 403 No.'],
    ['errors of GraphQL', (r) => void r.writeHead(200).end('{"errors":[{}]}'), 'refused', 'HTTP 200'],
    [
      'a mutation of GraphQL without success',
      (r) => void r.end('{"data":{"commentCreate":{"success":false,"message":"The issue is archived."}}}'),
      'refused',
      'The issue is archived.',
    ],
    ['an error of a gateway', (r) => void r.writeHead(502).end('<html>'), 'unclear', 'HTTP 502'],
    ['a connection that ends', (r) => void r.destroy(), 'unclear', ''],
    [
      'a redirect, which would take the key along',
      (r) => void r.writeHead(302, { location: `${url}/elsewhere` }).end(),
      'unclear',
      '',
    ],
  ])('F5: %s is said as what it is', async (_, answers, outcome, message) => {
    answer = answers;
    const said = await post('linear', { url });
    expect(said).toMatchObject({ outcome });
    expect(said.message).toContain(message);
    expect(heard).toHaveLength(1);
  });

  it('F5: what could not be sent is refused, and what was given up is unclear', async () => {
    await closeServer(listening);
    expect(await post('linear', { url })).toEqual({ outcome: 'refused', message: 'ECONNREFUSED' });
    listening = server();
    url = await listenOn(listening, '127.0.0.1', 0);
    const stop = new AbortController();
    answer = () => stop.abort();
    expect(await post('linear', { url }, 'i-1', stop.signal)).toMatchObject({ outcome: 'unclear' });
  });

  it('F5: a key that the program repeats is not told', async () => {
    answer = (response) => void response.writeHead(401).end(`unknown key ${ENV.KEY}`);
    expect((await post('linear', { url })).message).toBe('HTTP 401 unknown key …');
  });

  it('F5: an id leads to no other place of the program, and an unknown webhook nowhere', async () => {
    for (const id of ['.', '..'])
      expect(await post('jira', { url: `${url}/issue/{id}/comment` }, id)).toMatchObject({
        outcome: 'refused',
      });
    await post('jira', { url: `${url}/issue/{id}/comment` }, '../../admin?x=#y');
    expect(heard.map(({ path }) => path)).toEqual(['/issue/..%2F..%2Fadmin%3Fx%3D%23y/comment']);
    const config = configOf('linear', { token: 'KEY', url });
    expect(
      await createPostComment(config)({ hook: 'gone', id: '1' }, 'x', new AbortController().signal),
    ).toMatchObject({ outcome: 'refused' });
  });
});

describe('the setting', () => {
  it('O3: names what is missing or unsafe', () => {
    expect(sentence('linear', { token: 'NONE' })).toContain('NONE is missing');
    expect(sentence('jira', { token: 'KEY' })).toContain('address with https');
    expect(sentence('jira', { token: 'KEY', url: 'http://jira.example/{id}' })).toContain(
      'address with https',
    );
    expect(sentence('any', { token: 'KEY', url: 'https://a.example/{id}', body: { x: 1 } })).toContain(
      '{text}',
    );
    expect(sentence('sentry', { token: 'KEY' })).toBe('accepted');
  });
});
