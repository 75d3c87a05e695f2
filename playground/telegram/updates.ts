/** Delivers updates by long poll or webhook until they are confirmed. */
import type { Update } from 'grammy/types';
import { pause } from '../server.ts';
import { ApiRefusal, badRequest } from './refusal.ts';

export type Poll = {
  offset?: number | undefined;
  limit?: number | undefined;
  /** Seconds. */
  timeout?: number | undefined;
  allowed_updates?: string[] | undefined;
};
export type Webhook = {
  url: string;
  secret_token?: string | undefined;
  max_connections?: number | undefined;
  allowed_updates?: string[] | undefined;
  drop_pending_updates?: boolean | undefined;
};

const CONFLICT =
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';

/** Sent only if `allowed_updates` names them. */
const unasked = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);

/** Unconfirmed updates, and the number of the newest. */
export type KeptUpdates = { queue: Update[]; lastId: number };

export type Updates = ReturnType<typeof createUpdates>;

export function createUpdates(deps: {
  changed(): void;
  webhookRetryMs: number;
  /** Time that an aborted poll blocks other pollers (ms). */
  heldSlotMs: number;
  kept?: KeptUpdates;
}) {
  const arrivals = new Set<() => void>();
  let queue: Update[] = deps.kept?.queue ?? [];
  let lastId = deps.kept?.lastId ?? 700_000_000;
  let wanted: string[] = [];
  let poller: ((why: string) => void) | null = null;
  let heldUntil = 0;
  let webhook:
    | (Webhook & { lastError: { at: number; message: string } | null; life: AbortController })
    | null = null;

  const want = (names: string[] | undefined): void => {
    if (names) wanted = names;
  };

  async function poll(request: Poll, gone: AbortSignal): Promise<Update[]> {
    if (webhook) {
      throw new ApiRefusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    }
    if (performance.now() < heldUntil) throw new ApiRefusal(409, CONFLICT);
    poller?.(CONFLICT);
    want(request.allowed_updates);
    const { offset = 0, limit = 100, timeout = 0 } = request;
    // Confirmed updates are dropped; a negative offset keeps only the last ones.
    queue = offset < 0 ? queue.slice(offset) : queue.filter((update) => update.update_id >= offset);
    const batch = (): Update[] => queue.slice(0, Math.min(Math.max(limit, 1), 100));
    if (queue.length > 0 || timeout === 0) return batch();
    const end = Promise.withResolvers<Update[]>();
    const stop = (why: string): void => end.reject(new ApiRefusal(409, why));
    const leave = (): void => end.resolve(batch());
    const die = (): void => {
      heldUntil = performance.now() + deps.heldSlotMs;
      leave();
    };
    const timer = setTimeout(leave, timeout * 1000);
    poller = stop;
    arrivals.add(leave);
    gone.addEventListener('abort', die, { once: true });
    if (gone.aborted) die();
    return end.promise.finally(() => {
      clearTimeout(timer);
      arrivals.delete(leave);
      gone.removeEventListener('abort', die);
      if (poller === stop) poller = null;
    });
  }

  function arrival(given: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    arrivals.add(wake);
    given.addEventListener('abort', wake, { once: true });
    return promise.finally(() => arrivals.delete(wake));
  }

  async function post(hook: NonNullable<typeof webhook>, update: Update): Promise<void> {
    const response = await fetch(hook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(hook.secret_token && { 'x-telegram-bot-api-secret-token': hook.secret_token }),
      },
      body: JSON.stringify(update),
      signal: hook.life.signal,
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`Wrong response from the webhook: ${response.status}`);
  }

  async function deliver(hook: NonNullable<typeof webhook>): Promise<void> {
    while (!hook.life.signal.aborted) {
      const [update] = queue;
      if (!update) {
        await arrival(hook.life.signal);
        continue;
      }
      try {
        await post(hook, update);
        queue = queue.filter((other) => other !== update);
        deps.changed();
      } catch (error) {
        hook.lastError = { at: Date.now(), message: error instanceof Error ? error.message : String(error) };
        await pause(deps.webhookRetryMs, hook.life.signal);
      }
    }
  }

  function dropWebhook(): void {
    webhook?.life.abort();
    webhook = null;
    deps.changed();
  }

  return {
    poll,
    dropWebhook,
    pending: () => queue.length,
    keep: (): KeptUpdates => ({ queue, lastId }),
    push(update: Omit<Update, 'update_id'>): number | null {
      const kind = Object.keys(update)[0] ?? '';
      if (wanted.length > 0 ? !wanted.includes(kind) : unasked.has(kind)) return null;
      lastId += 1;
      queue.push({ update_id: lastId, ...update });
      for (const wake of [...arrivals]) wake();
      deps.changed();
      return lastId;
    },
    setWebhook(request: Webhook): void {
      if (request.url === '') return dropWebhook();
      // Telegram requires https; this server also accepts http on the loopback.
      if (!/^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(request.url)) {
        throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
      }
      if (request.secret_token !== undefined && !/^[\w-]{1,256}$/.test(request.secret_token)) {
        throw badRequest('secret token contains unallowed characters');
      }
      dropWebhook();
      poller?.('Conflict: terminated by setWebhook request');
      want(request.allowed_updates);
      if (request.drop_pending_updates) queue = [];
      webhook = { ...request, lastError: null, life: new AbortController() };
      deliver(webhook).catch(dropWebhook);
    },
    dropPending() {
      queue = [];
    },
    webhookInfo: () => ({
      url: webhook?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: queue.length,
      ...(webhook && { max_connections: webhook.max_connections ?? 40, ip_address: '127.0.0.1' }),
      ...(webhook?.lastError && {
        last_error_date: Math.floor(webhook.lastError.at / 1000),
        last_error_message: webhook.lastError.message,
      }),
      ...(wanted.length > 0 && { allowed_updates: wanted }),
    }),
  };
}
