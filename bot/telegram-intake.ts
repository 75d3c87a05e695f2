/** Stores Telegram updates before polling moves on or the webhook answers 200 (L3). */
import { timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Bot, GrammyError, HttpError } from 'grammy/web';
import type { ApiResponse } from 'grammy/types';
import { OutsideFailure } from '#ports/forge';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import { rejectForeignAnswers } from './reject-foreign-answers.ts';
import { createClientOptions } from './telegram-client.ts';
import { HINTED_SETTING, readHinted } from './commands/answer-stranger.ts';
import type { HandledUpdate } from './commands/settle-tap.ts';
import { listMenuCommands } from './language/command-forms.ts';
import type { UserRole } from '#model/settings';
import { MINUTE } from '#model/values';
import {
  LANGUAGE_CODES,
  LANGUAGE_TEXTS,
  type LanguageCode,
  type LanguageTexts,
} from './language/languages.ts';
import { toUpdateLane, isIgnorableUpdate } from './commands/update-lanes.ts';
import { createPollRetry } from './polling-retry.ts';
import type { ChatRoles } from './commands/user-roles.ts';
import { telegramFailureOf } from './telegram-chat.ts';
import { isTelegramUpdate, findSenderId } from './commands/read-telegram-update.ts';
import { createStrangerQuota, strangerRecord, type StrangerQuota } from './stranger-quota.ts';

type IntakeParts = {
  token: string;
  apiRoot: string;
  ledger: Pick<Ledger, 'receive'> & { query: Pick<Ledger['query'], 'setting'> };
  roles: ChatRoles;
  clock: { now(): number };
  log: Pick<LogPort, 'warn'>;
  /** L7: no other process polls for this ledger. */
  onlyPoller?: boolean;
  onStored(): void;
  onTrouble?: () => void;
  /** Resolves early on abort; tests shorten it. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
};

type Signal = NonNullable<Parameters<Bot['init']>[0]>;

const UPDATES = ['message', 'edited_message', 'callback_query', 'my_chat_member'] as const;
const STORE_RETRY_DELAYS_MS = [100, 400, 1_600] as const;
const STORE_PAUSE = 3_000;
const REGISTER_PAUSE = 5_000;
/** Updates pending at Telegram for this long count as not received (ms). */
const MAX_SILENT_POLL_MS = MINUTE;
const SILENT_POLL_MESSAGE =
  'Telegram has messages for us, and gave us none for a minute. We try again by ourselves.';
const ASK_LIMIT = 10_000;
const sleepUntilAbort = (ms: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);

export const createTelegramIntake = (parts: IntakeParts) => {
  const bot = new Bot(parts.token, { client: createClientOptions(parts.apiRoot) });
  const closing = new AbortController();
  // grammY's default handler would confirm an update that was not stored.
  bot.catch((error) => {
    throw error.error;
  });
  const patiently = createPollRetry({
    stopping: closing.signal,
    now: () => parts.clock.now(),
    pause: (ms) => (parts.pause ?? sleepUntilAbort)(ms, closing.signal),
    log: parts.log,
    only: parts.onlyPoller ?? false,
  });
  bot.api.config.use(rejectForeignAnswers, (call, method, payload, signal) => {
    const callApi = () => call(method, payload, signal);
    if (method !== 'getUpdates') return callApi();
    const reportOutage = (): void => {
      if (!closing.signal.aborted) parts.onTrouble?.();
    };
    return patiently(callApi).then(
      (answer) => {
        if (answer.ok) heardAt = parts.clock.now();
        else reportOutage();
        return storeBatch(answer);
      },
      (error: unknown) => {
        reportOutage();
        throw error;
      },
    );
  });
  let durable = new Set<number>();
  /** Stores a batch in one commit for speed; on failure, updates are stored one by one. */
  const storeBatch = async <T>(answer: ApiResponse<T>): Promise<ApiResponse<T>> => {
    durable = new Set();
    const updates = answer.ok && Array.isArray(answer.result) ? answer.result.filter(isTelegramUpdate) : [];
    if (updates.length < 2) return answer;
    try {
      if (await storeUpdates(parts, quota, updates)) parts.onStored();
      durable = new Set(updates.map(({ update_id }) => update_id));
    } catch (error) {
      parts.log.warn({ err: error }, 'a batch of updates could not be stored at once');
    }
    return answer;
  };
  const quota = createStrangerQuota(parts.clock);
  let heardAt = parts.clock.now();
  let polls = false;
  const storeUpdate = async (update: { update_id: number }): Promise<boolean> => {
    const pause = parts.pause ?? sleepUntilAbort;
    for (let tried = 0; ; tried += 1) {
      try {
        return await storeUpdates(parts, quota, [update]);
      } catch (error) {
        const wait = STORE_RETRY_DELAYS_MS[tried] ?? (polls ? STORE_PAUSE : null);
        if (wait === null || closing.signal.aborted) throw error;
        if (wait === STORE_PAUSE)
          parts.log.warn({ err: error }, 'an update could not be stored; it stays with Telegram until then');
        await pause(wait, closing.signal);
      }
    }
  };
  bot.use(async (ctx) => {
    heardAt = parts.clock.now();
    if (durable.has(ctx.update.update_id)) return;
    if (await storeUpdate(ctx.update)) parts.onStored();
  });
  return {
    /** Polls until stopped; rejects when the token is refused, or another poller runs. */
    async start(onReceiving?: () => void): Promise<void> {
      polls = true;
      try {
        // This call can be aborted; grammY's own getMe would be retried forever.
        await bot.init(closing.signal as unknown as Signal);
        await bot.start({ allowed_updates: [...UPDATES], onStart: () => onReceiving?.() });
      } catch (error) {
        if (!closing.signal.aborted) throw error;
      }
    },
    async stop(): Promise<void> {
      closing.abort();
      if (!bot.isRunning()) return;
      await bot.stop().catch((error: unknown) => {
        if (!(error instanceof Error && /stopping/.test(`${error.message} ${innerMessage(error)}`)))
          throw error;
      });
    },
    /** Returns false for a wrong secret; rejects an unstored update, so that it is sent again. */
    createWebhookTake(secretToken: string) {
      if (!/^[A-Za-z0-9_-]{16,256}$/.test(secretToken)) {
        throw new Error('The webhook secret must be 16 to 256 characters of A-Z a-z 0-9 _ -.');
      }
      const expected = Buffer.from(secretToken);
      return async (update: { update_id: number }, secret: string): Promise<boolean> => {
        const given = Buffer.from(secret);
        if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
        await bot.init();
        await bot.handleUpdate(update);
        return true;
      };
    },
    /** Retries during outages; rejects when Telegram refuses the address. */
    async register(url: string, secretToken: string): Promise<void> {
      const wish = { secret_token: secretToken, allowed_updates: UPDATES };
      while (!closing.signal.aborted) {
        try {
          await bot.api.setWebhook(url, wish, closing.signal as unknown as Signal);
          return;
        } catch (error) {
          if (!isTransient(error)) throw error;
          parts.log.warn({ err: error }, 'Telegram could not be told where to call; it is tried again');
          await (parts.pause ?? sleepUntilAbort)(REGISTER_PAUSE, closing.signal);
        }
      }
    },
    /** Rejects with an OutsideFailure, also when updates have been pending for a minute. */
    async whoAmI(signal: AbortSignal): Promise<string> {
      const limit = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(ASK_LIMIT)]);
      try {
        const { username } = await bot.api.getMe(limit as unknown as Signal);
        if (parts.clock.now() - heardAt < MAX_SILENT_POLL_MS) return username;
        const { pending_update_count: waiting } = await bot.api.getWebhookInfo(limit as unknown as Signal);
        if (waiting > 0) throw new OutsideFailure('chat_unavailable', SILENT_POLL_MESSAGE);
        return username;
      } catch (error) {
        if (error instanceof OutsideFailure) throw error;
        throw telegramFailureOf(error, parts.clock.now());
      }
    },
    botName: (): string | null => (bot.isInited() ? bot.botInfo.username : null),
    startLink: (payload: string): string | null =>
      bot.isInited() ? `https://t.me/${bot.botInfo.username}?start=${payload}` : null,
    /** Answers a tap at once. A lost answer is harmless, because the card shows the outcome. */
    async answerCallback(tap: NonNullable<HandledUpdate['tap']>): Promise<void> {
      try {
        await bot.api.answerCallbackQuery(tap.callbackId, { text: tap.text, show_alert: tap.alert });
      } catch (error) {
        if (!(error instanceof GrammyError) && !(error instanceof HttpError)) throw error;
      }
    },
    /** C1: sets the menus of strangers and groups in every language; best effort. */
    async setMenus(): Promise<void> {
      const group = { role: 'approver', group: true } as const;
      for (const code of [null, ...LANGUAGE_CODES.filter((l) => l !== DEFAULT)]) {
        const words = LANGUAGE_TEXTS[code ?? DEFAULT];
        const spoken = code === null ? {} : { language_code: code };
        await ignoreApiErrors(() => bot.api.setMyCommands(listMenuCommands(words, null), spoken));
        await ignoreApiErrors(() =>
          bot.api.setMyCommands(listMenuCommands(words, group), {
            scope: { type: 'all_group_chats' },
            ...spoken,
          }),
        );
      }
    },
    /** A null role removes the menu. Fails silently for users who never wrote to the bot. */
    async menuOf(user: string, role: UserRole | null, words: LanguageTexts): Promise<void> {
      const scope = { type: 'chat', chat_id: Number(user) } as const;
      await ignoreApiErrors(() =>
        role === null
          ? bot.api.deleteMyCommands({ scope })
          : bot.api.setMyCommands(listMenuCommands(words, { role, group: false }), { scope }),
      );
    },
  };
};

const ignoreApiErrors = async (call: () => Promise<unknown>): Promise<void> => {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof GrammyError) && !(error instanceof HttpError)) throw error;
  }
};

const DEFAULT: LanguageCode = 'en';

const isTransient = (error: unknown): boolean =>
  error instanceof HttpError ||
  (error instanceof GrammyError && (error.error_code === 429 || error.error_code >= 500));

const innerMessage = (error: Error): string =>
  error instanceof HttpError && error.error instanceof Error ? error.error.message : '';

/** L8: stores all updates or none, strangers' only as ids. Returns true if a row was written. */
const storeUpdates = async (
  parts: IntakeParts,
  quota: StrangerQuota,
  updates: readonly { update_id: number }[],
): Promise<boolean> => {
  // All roles are read first, so that a batch does not wait between its updates.
  const known = new Set<string>();
  for (const sender of new Set(updates.map(findSenderId)))
    if (sender !== null && (await parts.roles.of(sender))) known.add(sender);
  const hinted = updates.every((update) => known.has(findSenderId(update) ?? ''))
    ? []
    : readHinted(await parts.ledger.query.setting(HINTED_SETTING));
  const items = updates.flatMap((update): IncomingItem[] => {
    const body = known.has(findSenderId(update) ?? '')
      ? isIgnorableUpdate(update)
        ? null
        : update
      : strangerRecord(update, hinted, quota);
    if (body === null) return [];
    return [{ source: 'chat', key: String(update.update_id), body, ...toUpdateLane(body) }];
  });
  // guard: L3-stored-first
  if (items.length > 0) await parts.ledger.receive(items, parts.clock.now());
  return items.length > 0;
};
