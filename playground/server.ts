/** The HTTP base of both local servers: records calls, notifies listeners, injects faults. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createFaults, type FaultAction, type Faults } from './faults.ts';
import { createNews, type News } from './news.ts';

export type Asked = {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Aborted if the client leaves or the server stops. */
  gone: AbortSignal;
};
export type Answer = {
  status: number;
  headers?: Record<string, string | string[]>;
  body: string | Buffer | Readable;
  value?: unknown;
};
export type Call = {
  n: number;
  /** A Bot API method, or a verb and a path template. */
  route: string;
  method: string;
  path: string;
  params: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  /** Arrival (epoch ms) and duration. */
  at: number;
  ms: number | null;
  /** The client left before the answer if `gone`. */
  outcome: 'open' | 'answered' | 'dropped' | 'gone';
  status: number | null;
  answer: unknown;
  fault: FaultAction['kind'] | null;
};

/** Nothing is done yet in `before`; `after` is done but not answered. */
export type Moment = { phase: 'before' | 'after'; call: Call };
/** Awaited. `lose` before a request takes effect drops it, as if it were lost in transit. */
export type Listener = (moment: Moment) => undefined | 'lose' | Promise<undefined | 'lose'>;

export type Site = {
  describe(asked: Asked): { route: string; params: Record<string, unknown> };
  handle(asked: Asked, call: Call): Promise<Answer>;
};
export type Served = {
  url: string;
  port: number;
  calls: Call[];
  faults: Faults;
  news: News;
  onRequest(listener: Listener): () => void;
  /** Stops like a crash, and restarts at the same address with its state. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
};

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
  value,
});

export async function serve(site: Site, options: { port?: number; picture(): string }): Promise<Served> {
  const calls: Call[] = [];
  const faults = createFaults();
  const news = createNews(() => `${options.picture()}\n${lastCalls(calls)}`);
  const listeners = new Set<Listener>();
  let life = new AbortController();

  async function ask(phase: Moment['phase'], call: Call): Promise<boolean> {
    const wishes = await Promise.all([...listeners].map(async (listener) => listener({ phase, call })));
    return wishes.includes('lose');
  }

  async function decide(asked: Asked, call: Call): Promise<Answer | null> {
    if (await ask('before', call)) return null;
    const { delayMs, action } = faults.take(call);
    if (delayMs > 0) {
      call.fault = 'delay';
      await pause(delayMs, life.signal);
    }
    call.fault = action?.kind ?? call.fault;
    if (action?.done === false) return action.kind === 'drop' ? null : faultAnswer(action);
    const answer = await site.handle(asked, call);
    await ask('after', call);
    if (!action) return answer;
    if (typeof answer.body === 'object' && !Buffer.isBuffer(answer.body)) await buffer(answer.body);
    return action.kind === 'drop' ? null : faultAnswer(action);
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const asked: Asked = {
      method: request.method ?? 'GET',
      url: new URL(request.url ?? '/', 'http://127.0.0.1'),
      headers: request.headers,
      body: await buffer(request),
      gone: AbortSignal.any([left.signal, life.signal]),
    };
    const call: Call = {
      n: calls.length + 1,
      method: asked.method,
      path: asked.url.pathname,
      headers: asked.headers,
      ...site.describe(asked),
      at: Date.now(),
      ms: null,
      outcome: 'open',
      status: null,
      answer: null,
      fault: null,
    };
    calls.push(call);
    news.tell();
    const answer = await decide(asked, call);
    call.ms = Date.now() - call.at;
    if (answer === null) {
      call.outcome = 'dropped';
      request.socket.destroy();
    } else {
      Object.assign(call, { status: answer.status, answer: answer.value ?? null });
      call.outcome = left.signal.aborted ? 'gone' : 'answered';
      await send(response, answer);
    }
    news.tell();
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      // A bug in the playground, or a client that left.
      if (!response.headersSent) response.writeHead(500);
      response.end(`The playground failed: ${String(error)}`);
    });
  });
  // Closing an idle connection while it is reused would be an unintended fault.
  server.keepAliveTimeout = 0;
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      life.abort();
      server.close(() => resolve());
      server.closeAllConnections();
    });

  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    faults,
    news,
    onRequest(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    down: close,
    async up() {
      life = new AbortController();
      await listen(port);
    },
    async stop() {
      news.end();
      if (server.listening) await close();
    },
  };
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

function faultAnswer(action: FaultAction & { kind: 'answer' }): Answer {
  if (typeof action.body !== 'string') return json(action.status, action.body, action.headers);
  return { status: action.status, headers: action.headers ?? {}, body: action.body, value: action.body };
}

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  if (response.destroyed) return;
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) {
    response.writeHead(answer.status, {
      ...answer.headers,
      'content-length': Buffer.byteLength(answer.body),
    });
    response.end(answer.body);
  } else {
    response.writeHead(answer.status, answer.headers);
    await pipeline(answer.body, response);
  }
}

function lastCalls(calls: readonly Call[]): string {
  const lines = calls.slice(-8).map((call) => `  ${call.route} → ${call.status ?? call.outcome}`);
  return `Last calls:\n${lines.join('\n') || '  none'}`;
}
