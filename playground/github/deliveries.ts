/** Sends webhooks as GitHub does (signed, 10 s timeout, no retry) and records them. */
import { createHmac, randomUUID } from 'node:crypto';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import type { World } from './model.ts';
import { pause } from '../server.ts';
import type { Delivery } from './delivery-record.ts';
import { copiesOf, fateOf, type Weather } from './weather.ts';

export type NewHook = {
  url: string;
  secret: string;
  events?: readonly string[];
  /** Time limit for the answer (ms); default: 10 s, as on github.com. */
  timeoutMs?: number;
};
export type Hook = {
  id: number;
  url: string;
  secret: string;
  events: readonly string[];
  repo: { id: number; fullName: string } | null;
  timeoutMs: number;
};
export type Letter = {
  event: string;
  action: string | null;
  repo: string | null;
  payload: Record<string, unknown>;
};

const TIMEOUT_MS = 10_000;
const MOST = 2_000;
export const HOOK_APP_ID = 4242;
const INSTALLATION_ID = 424_242;

export type Post = ReturnType<typeof createPost>;

type Held = { delivery: Delivery; hook: Hook; rank: number; dropped: boolean; due: number };

export function createPost(deps: Pick<World, 'now' | 'nextId' | 'changed'>) {
  const hooks: Hook[] = [];
  const deliveries: Delivery[] = [];
  const held = new Map<Hook, Held[]>();
  const lanes = new Map<Hook, Promise<void>>();
  const again = new Set<Promise<void>>();
  const life = new AbortController();
  /** Payloads are sent in the order of events, however long each takes to write. */
  let writing = Promise.resolve();
  let unwritten = 0;
  let weather: Weather = {};
  let sent = 0;

  function record(hook: Hook, guid: string, request: Delivery['request'], letter: Omit<Letter, 'payload'>) {
    const delivery: Delivery = {
      id: deps.nextId(),
      guid,
      hookId: hook.id,
      at: deps.now(),
      leftAt: null,
      state: 'held' as const,
      request,
      event: letter.event,
      action: letter.action,
      repo: letter.repo,
      redelivered: false,
      status: null,
      error: null,
      ms: null,
      response: null,
    };
    deliveries.push(delivery);
    deliveries.splice(0, deliveries.length - MOST);
    return delivery;
  }

  function address(hook: Hook, letter: Letter): void {
    const guid = randomUUID();
    const installed = hook.repo ? {} : { installation: { id: INSTALLATION_ID, node_id: 'installation' } };
    const body = JSON.stringify({ ...letter.payload, ...(letter.event !== 'ping' && installed) });
    const request = { headers: headersOf(hook, letter.event, guid, body), body };
    const copies = copiesOf(weather, sent + 1);
    for (let copy = 0; copy < copies; copy += 1) {
      const delivery = record(hook, guid, request, letter);
      const { delayMs, ...fate } = fateOf(weather, (sent += 1), delivery);
      hold({ delivery, hook, ...fate, due: performance.now() + delayMs });
    }
  }

  function hold(one: Held): void {
    const waiting = held.get(one.hook) ?? [];
    held.set(one.hook, waiting);
    waiting.push(one);
    deps.changed();
    if (!lanes.has(one.hook)) lanes.set(one.hook, empty(one.hook, waiting));
  }

  /** Deliveries leave one by one; shuffling decides which of the held ones is next. */
  async function empty(hook: Hook, waiting: Held[]): Promise<void> {
    // Hold everything that happens at one moment together.
    await Promise.resolve();
    for (let oldest = waiting[0]; oldest && !life.signal.aborted; oldest = waiting[0]) {
      const wait = oldest.due - performance.now();
      if (wait > 0) await pause(wait, life.signal);
      const next = waiting.reduce((first, one) => (one.rank < first.rank ? one : first));
      waiting.splice(waiting.indexOf(next), 1);
      if (next.dropped) Object.assign(next.delivery, { state: 'dropped', error: 'Lost on the way' });
      else await deliver(next.hook, next.delivery, life.signal, deps);
      deps.changed();
    }
    lanes.delete(hook);
  }

  return {
    hooks,
    /** Newest last, at most 2,000. */
    deliveries,
    weather: (): Weather => weather,
    setWeather(next: Weather): void {
      weather = next;
      sent = 0;
      deps.changed();
    },
    addHook(wish: NewHook, repo: Hook['repo'], ping: (hook: Hook) => Letter): Hook {
      const { url, secret, events = ['*'], timeoutMs = TIMEOUT_MS } = wish;
      const hook: Hook = { id: deps.nextId(), url, secret, events, repo, timeoutMs };
      hooks.push(hook);
      address(hook, ping(hook));
      return hook;
    },
    removeHook(id: number): void {
      const at = hooks.findIndex((hook) => hook.id === id);
      if (at >= 0) hooks.splice(at, 1);
    },
    send(written: Promise<Letter>): void {
      unwritten += 1;
      written.catch(() => {});
      const addressed = async (): Promise<void> => {
        const letter = await written;
        for (const hook of hooks) {
          const hears = hook.events.includes('*') || hook.events.includes(letter.event);
          if (hears && (!hook.repo || hook.repo.fullName === letter.repo)) address(hook, letter);
        }
      };
      writing = writing.then(addressed).finally(() => (unwritten -= 1));
    },
    redeliver(id: number): Delivery {
      const first = deliveries.find((one) => one.id === id);
      const hook = hooks.find((one) => one.id === first?.hookId);
      if (!first || !hook) throw new Error(`There is no delivery ${id}, or its hook is gone`);
      const second = record(hook, first.guid, first.request, first);
      second.redelivered = true;
      const sending = deliver(hook, second, life.signal, deps).then(deps.changed);
      again.add(sending);
      void sending.finally(() => again.delete(sending));
      return second;
    },
    async idle(): Promise<void> {
      while (unwritten + lanes.size + again.size > 0) {
        await Promise.all([writing, ...lanes.values(), ...again]);
      }
    },
    async stop(): Promise<void> {
      life.abort();
      await Promise.all([writing, ...lanes.values(), ...again]);
    },
  };
}

function headersOf(hook: Hook, event: string, guid: string, body: string): Record<string, string> {
  const target = hook.repo ? ['repository', hook.repo.id] : ['integration', HOOK_APP_ID];
  return {
    Accept: '*/*',
    'Content-Type': 'application/json',
    'User-Agent': 'GitHub-Hookshot/9a1b2c3',
    'X-GitHub-Delivery': guid,
    'X-GitHub-Event': event,
    'X-GitHub-Hook-ID': String(hook.id),
    'X-GitHub-Hook-Installation-Target-ID': String(target[1]),
    'X-GitHub-Hook-Installation-Target-Type': String(target[0]),
    'X-Hub-Signature-256': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
  };
}

async function deliver(
  hook: Hook,
  delivery: Delivery,
  stop: AbortSignal,
  { now, changed }: Pick<World, 'now' | 'changed'>,
): Promise<void> {
  const started = performance.now();
  delivery.state = 'under way';
  delivery.leftAt = now();
  changed();
  try {
    const answer = await exchange(
      hook.url,
      delivery.request,
      AbortSignal.any([stop, AbortSignal.timeout(hook.timeoutMs)]),
    );
    Object.assign(delivery, { ...answer, state: 'answered' });
  } catch (error) {
    const late = error instanceof Error && (error.cause ?? error) instanceof DOMException && !stop.aborted;
    const why = error instanceof Error ? error.message : String(error);
    Object.assign(delivery, {
      state: 'failed',
      error: late ? `No answer within ${hook.timeoutMs / 1000} seconds` : why,
    });
  }
  delivery.ms = Math.round(performance.now() - started);
}

/** A kept connection could break when it is reused. */
function exchange(
  url: string,
  { headers, body }: Delivery['request'],
  signal: AbortSignal,
): Promise<Pick<Delivery, 'status' | 'response'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Pick<Delivery, 'status' | 'response'>>();
  const open = url.startsWith('https:') ? overHttps : overHttp;
  const size = { 'Content-Length': String(Buffer.byteLength(body)) };
  const options = { method: 'POST', headers: { ...headers, ...size }, agent: false as const, signal };
  const sending = open(url, options, (response) => {
    const shown = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    text(response).then(
      (words) =>
        resolve({
          status: response.statusCode ?? 0,
          response: { headers: Object.fromEntries(shown) as Record<string, string>, body: words },
        }),
      reject,
    );
  });
  sending.on('error', reject);
  sending.end(body);
  return promise;
}
