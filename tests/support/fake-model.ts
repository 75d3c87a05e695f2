/** A scripted model server for real agents: OpenAI's, Anthropic's and Google's APIs over HTTP. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicError, messages } from './fake-model/anthropic.ts';
import { generateContent, googleError } from './fake-model/google.ts';
import { chatCompletions, openAiError, responses } from './fake-model/openai.ts';
import type { Answer, Asked, Spoken, Turn } from './fake-model/turns.ts';

export type { Turn } from './fake-model/turns.ts';

export type FakeModel = {
  /** Anthropic's clients add `/v1/messages`, Google's `/v1beta/…`; OpenAI's need `<url>/v1`. */
  url: string;
  requests: { path: string; key: string | null; body: Readonly<Record<string, unknown>> }[];
  /** Replaces the script; the last turn repeats. */
  plays(...turns: Turn[]): void;
  /** Decides by the request instead. */
  answers(decide: (body: Readonly<Record<string, unknown>>) => Turn | Promise<Turn>): void;
  close(): Promise<void>;
};

type Dialect = {
  speak(turn: Spoken, asked: Asked): Answer;
  error(turn: Extract<Turn, { status: number }>): object;
};
const DIALECTS: readonly [RegExp, Dialect][] = [
  [/\/responses$/, { speak: responses, error: openAiError }],
  [/\/chat\/completions$/, { speak: chatCompletions, error: openAiError }],
  [/\/messages$/, { speak: messages, error: anthropicError }],
  [/:(?:streamG|g)enerateContent$/, { speak: generateContent, error: googleError }],
];

const bodyOf = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
  } catch {
    return {}; // The body is not JSON.
  }
};

const keyOf = ({ headers }: IncomingMessage): string | null => {
  const key =
    headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  return typeof key === 'string' ? key : null;
};

const json = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake', ...headers });
  response.end(JSON.stringify(body));
};

const send = (response: ServerResponse, answer: Answer, cut: boolean): void => {
  if ('body' in answer) return json(response, 200, answer.body as object);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = cut ? answer.events.slice(0, 1) : answer.events;
  for (const { event, data } of events) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
  }
  if (cut) response.destroy();
  else response.end();
};

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

export const createFakeModel = async (): Promise<FakeModel> => {
  const requests: FakeModel['requests'] = [];
  let script: Turn[] = [];
  let decide: ((body: Readonly<Record<string, unknown>>) => Turn | Promise<Turn>) | null = null;
  const scripted = (): Turn =>
    (script.length > 1 ? script.shift() : script[0]) ?? { say: 'There is no script.' };
  const play = (dialect: Dialect, turn: Turn, asked: Asked, response: ServerResponse): void => {
    if ('silent' in turn) return;
    if ('cut' in turn) return send(response, dialect.speak({ say: 'cut' }, asked), true);
    if (!('status' in turn)) return send(response, dialect.speak(turn, asked), false);
    // Google tells it in the body.
    const wait =
      turn.retryAfter === undefined || dialect.error === googleError
        ? {}
        : { 'retry-after': String(turn.retryAfter) };
    json(response, turn.status, dialect.error(turn), wait);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const body = await bodyOf(request);
    // Codex tries a websocket first; 426 tells it to use HTTP.
    if (request.headers.upgrade !== undefined) return json(response, 426, {});
    const dialect = DIALECTS.find(([pattern]) => pattern.test(path))?.[1];
    if (request.method !== 'POST' || dialect === undefined)
      return json(response, 404, { error: { message: `no model at ${path}` } });
    requests.push({ path, key: keyOf(request), body });
    const turn = decide === null ? scripted() : await decide(body);
    const inPath = /models\/([^:]+):/.exec(path)?.[1];
    const model = typeof body.model === 'string' ? body.model : (inPath ?? 'fake');
    const streams = body.stream === true || path.endsWith(':streamGenerateContent');
    play(dialect, turn, { id: `fake_${requests.length}`, model, streams, body }, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    plays: (...turns) => {
      [script, decide] = [[...turns], null];
    },
    answers: (by) => void (decide = by),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
