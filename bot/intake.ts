/** L3: Telegram updates become durable first; only then does polling move on, or the webhook say 200. */
import { setTimeout } from 'node:timers/promises';
import { Bot, GrammyError, HttpError, webhookCallback } from 'grammy';
import type { Log } from '../orchestrator/dispatch.ts';
import type { Ledger } from '../orchestrator/ports.ts';
import { HINTED, readHinted, type Handled } from './commands/handler.ts';
import { menuIn } from './commands/list.ts';
import { LANGUAGE_CODES, type Language } from './language.ts';
import { createPatience } from './polling.ts';
import type { Roles } from './roles.ts';
import { failureOf } from './send.ts';
import { idsOnly, senderOf } from './updates.ts';

export type IntakeParts = {
  token: string;
  apiRoot: string;
  ledger: Pick<Ledger, 'receive'> & { query: Pick<Ledger['query'], 'setting'> };
  roles: Roles;
  clock: { now(): number };
  log: Pick<Log, 'warn'>;
  /** Called after each commit: there is something in the inbox. Must not wait for the work. */
  onStored(): void;
  /** Called when Telegram could not be asked for updates. */
  onTrouble?: () => void;
  /** Waits between tries, at most until the signal; tests make it short. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** grammY's own type of the platform's signal. */
type Signal = NonNullable<Parameters<Bot['init']>[0]>;

const UPDATES = ['message', 'edited_message', 'callback_query'] as const;
/** Pauses before a failed store is tried again (ms); then the update stays with Telegram. */
const TRIES = [100, 400, 1_600] as const;
/** Before Telegram is told again where to call (ms). */
const REGISTER_PAUSE = 5_000;
/** For Telegram to say who we are (ms). */
const ASK_LIMIT = 10_000;
const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);

export const createBot = (parts: IntakeParts) => {
  const bot = new Bot(parts.token, { client: { apiRoot: parts.apiRoot } });
  const closing = new AbortController();
  // grammY's own handler would confirm the update that failed: nothing is confirmed that is not stored.
  bot.catch((error) => {
    throw error.error;
  });
  const patiently = createPatience({
    stopping: closing.signal,
    now: () => parts.clock.now(),
    pause: (ms) => (parts.pause ?? sleep)(ms, closing.signal),
    log: parts.log,
  });
  bot.api.config.use((call, method, payload, signal) => {
    const ask = () => call(method, payload, signal);
    if (method !== 'getUpdates') return ask();
    const trouble = (): void => {
      if (!closing.signal.aborted) parts.onTrouble?.();
    };
    return patiently(ask).then(
      (answer) => {
        if (!answer.ok) trouble();
        return answer;
      },
      (error: unknown) => {
        trouble();
        throw error;
      },
    );
  });
  bot.use(async (ctx) => {
    if (await store(parts, ctx.update)) parts.onStored();
  });
  return {
    /** Polls until stopped; rejects when the token is refused, another poller runs, or nothing can be stored. */
    async start(): Promise<void> {
      try {
        // By itself grammY asks who it is without a way to stop, for as long as Telegram cannot be reached.
        await bot.init(closing.signal as unknown as Signal);
        await bot.start({ allowed_updates: [...UPDATES] });
      } catch (error) {
        if (!closing.signal.aborted) throw error;
      }
    },
    async stop(): Promise<void> {
      closing.abort();
      if (!bot.isRunning()) return;
      await bot.stop().catch((error: unknown) => {
        if (!(error instanceof Error && /stopping/.test(`${error.message} ${inner(error)}`))) throw error;
      });
    },
    /** A fastify handler for `POST /telegram/<path>`; Telegram repeats what does not get a 200. */
    webhook(secretToken: string) {
      if (!/^[A-Za-z0-9_-]{16,256}$/.test(secretToken)) {
        throw new Error('The webhook secret must be 16 to 256 characters of A-Z a-z 0-9 _ -.');
      }
      return webhookCallback(bot, 'fastify', { secretToken });
    },
    /** Tells Telegram where to call, however long it cannot be reached. Rejects when it does not accept the address. */
    async register(url: string, secretToken: string): Promise<void> {
      const wish = { secret_token: secretToken, allowed_updates: UPDATES };
      while (!closing.signal.aborted) {
        try {
          await bot.api.setWebhook(url, wish, closing.signal as unknown as Signal);
          return;
        } catch (error) {
          if (!passes(error)) throw error;
          parts.log.warn({ err: error }, 'Telegram could not be told where to call; it is tried again');
          await (parts.pause ?? sleep)(REGISTER_PAUSE, closing.signal);
        }
      }
    },
    /** Its name, asked of Telegram just now. Rejects with an OutsideFailure. */
    async whoAmI(signal: AbortSignal): Promise<string> {
      const limit = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(ASK_LIMIT)]);
      try {
        return (await bot.api.getMe(limit as unknown as Signal)).username;
      } catch (error) {
        throw failureOf(error, parts.clock.now());
      }
    },
    botName: (): string | null => (bot.isInited() ? bot.botInfo.username : null),
    /** Answers a tap, unqueued. Losing it changes nothing: the card tells the truth anyway. */
    async answer(tap: NonNullable<Handled['tap']>): Promise<void> {
      try {
        await bot.api.answerCallbackQuery(tap.callbackId, { text: tap.text, show_alert: tap.alert });
      } catch (error) {
        if (!(error instanceof GrammyError) && !(error instanceof HttpError)) throw error;
      }
    },
    /** The menus of commands, for every language and for all others; best effort. */
    async menu(): Promise<void> {
      try {
        await bot.api.setMyCommands(menuIn(DEFAULT));
        for (const code of LANGUAGE_CODES.filter((l) => l !== DEFAULT))
          await bot.api.setMyCommands(menuIn(code), { language_code: code });
      } catch (error) {
        if (!(error instanceof GrammyError) && !(error instanceof HttpError)) throw error;
      }
    },
  };
};

const DEFAULT: Language = 'en';

/** A network that is away, a server in trouble, or too many calls. */
const passes = (error: unknown): boolean =>
  error instanceof HttpError ||
  (error instanceof GrammyError && (error.error_code === 429 || error.error_code >= 500));

const inner = (error: Error): string =>
  error instanceof HttpError && error.error instanceof Error ? error.error.message : '';

/** True when a row was written. Strangers leave their ids only, and only once (L8). */
const store = async (parts: IntakeParts, update: { update_id: number }): Promise<boolean> => {
  const sender = senderOf(update);
  const pause = parts.pause ?? sleep;
  for (let tried = 0; ; tried += 1) {
    try {
      const body =
        sender !== null && (await parts.roles.of(sender)) ? update : await strangers(parts, update);
      if (body === null) return false;
      await parts.ledger.receive(
        [{ source: 'telegram', key: String(update.update_id), body }],
        parts.clock.now(),
      );
      return true;
    } catch (error) {
      const wait = TRIES[tried];
      if (wait === undefined) throw error;
      await pause(wait);
    }
  }
};

const strangers = async (parts: IntakeParts, update: unknown): Promise<unknown> => {
  const ids = idsOnly(update);
  if (!ids || ids.stranger.callback !== null) return ids;
  const hinted = readHinted(await parts.ledger.query.setting(HINTED));
  return hinted.includes(ids.stranger.user) ? null : ids;
};
