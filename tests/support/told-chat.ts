/** One outgoing message, with scripted answers of Telegram and a scripted ledger. */
import { createPagesReader, createShownPatch } from '../../app/shown-patches.ts';
import { createButtonTokens } from '../../bot/commands/button-tokens.ts';
import { LANGUAGE_TEXTS } from '#language';
import type { MessageView } from '#effects';
import type { Run } from '#run';
import { createMovedChats } from '../../bot/moved-chats.ts';
import { createMessageHandler, type DeliveryParts } from '../../bot/deliver-message.ts';
import { OutsideFailure } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import type { EffectRow, SentMessage } from '#ports/ledger';
import type { ChatPicture } from '#ports/chat';
import { at } from './core.ts';

/** Split, so that this file contains nothing that looks like a secret. */
export const SECRET = `ghp${'_'}${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
export const ADMIN = '900';
export const HERE = '5';

export type Call = {
  how: 'send' | 'edit' | 'document' | 'album' | 'pin' | 'unpin';
  chat: string;
  html: string;
  messageId?: string;
};
export type Sent = Call & {
  silent?: boolean;
  buttons?: { token: string }[][];
  content?: string;
  caption?: string;
  name?: string;
  pictures?: readonly ChatPicture[];
};
export type World = {
  run?: Run | null;
  chat?: string | null;
  /** Sent messages by slot. */
  sent?: Record<string, SentMessage>;
  rows?: Partial<EffectRow>[];
  artifact?: { content: string } | null;
  patch?: { text: string; omitted: number } | null;
  /** File contents by `<commit> <path>`. */
  files?: Record<string, Uint8Array>;
  live?: Run[];
  deciders?: string[];
  /** The refusal of a chat says nothing of the others. */
  limitsApart?: boolean;
  approval?: unknown;
  /** Replaces Telegram's answer; null means that the message was deleted. */
  answers?: (call: Call, no: number) => null | undefined;
};

export const created = (w: World = {}) => {
  const calls: Sent[] = [];
  const settings = new Map<string, string>();
  const asked: string[] = [];
  let now = 1_000_000;
  const take = async (call: Sent): Promise<SentMessage | null> => {
    calls.push(call);
    const answer = w.answers?.(call, calls.length);
    return answer === null
      ? null
      : { chat: call.chat, messageId: call.messageId ?? String(100 + calls.length) };
  };
  const query = {
    run: async () => (w.run === undefined ? at('PUSHED').run : w.run),
    effect: async (n: number) => (n === 404 ? null : { chat: w.chat === undefined ? HERE : w.chat }),
    sent: async (slot: string | null) => {
      if (slot === null) throw new Error('a message without a slot was looked for');
      return w.sent?.[slot] ?? null;
    },
    approval: async (id: string) => (asked.push(`approval ${id}`), w.approval ?? null),
    attempts: async (runId: string) => (asked.push(`attempts of ${runId}`), []),
    runs: async (which: object) => (asked.push(JSON.stringify(which)), w.live ?? []),
    approvals: async () => [],
    effects: async (which: object) => (asked.push(JSON.stringify(which)), w.rows ?? []),
    artifact: async () => w.artifact ?? null,
    setting: async (key: string) => settings.get(key) ?? null,
  };
  const ledger = {
    query,
    setSetting: async (key: string, value: string) => void settings.set(key, value),
  };
  const tokens = createButtonTokens([Buffer.alloc(32, 7)]);
  const parts = {
    chat: {
      send: (m: Sent) => take({ ...m, how: 'send' }),
      edit: (m: Sent) => take({ ...m, how: 'edit' }),
      document: (m: Sent) => take({ ...m, how: 'document' }),
      album: (m: Sent) => take({ ...m, how: 'album' }),
      pin: async (m: Sent & { on: boolean }) => (await take({ ...m, how: m.on ? 'pin' : 'unpin' })) !== null,
    },
    clock: { now: () => now },
    places: createMovedChats(ledger, w.deciders ?? [ADMIN, '901']),
    wordsFor: async () => LANGUAGE_TEXTS.en,
    patch: async (runId: string, since: string) => (
      asked.push(`patch of ${runId} since ${since}`),
      w.patch ?? null
    ),
    ...(w.files
      ? { fileOf: async (_: string, sha: string, path: string) => w.files?.[`${sha} ${path}`] ?? null }
      : {}),
    ...(w.limitsApart ? { isLimitedAsOne: () => false } : {}),
    readPages: createPagesReader(),
    shownPatch: createShownPatch(),
    ledger,
    tokens,
  } as unknown as DeliveryParts;
  const handler = createMessageHandler(parts);
  const tell = (show: MessageView, more: Partial<ClaimedEffect & ClaimedEffect['do']> = {}) => {
    const { n = 1, tries = 1, runId = 'r1', ...rest } = more;
    const what = { kind: 'chat_message', content: show, slot: null, urgent: false, sound: false, ...rest };
    return handler({ n, tries, runId, id: 'e', epoch: 1, leaseEpoch: 1, do: what } as ClaimedEffect);
  };
  return {
    tell,
    handler,
    calls,
    settings,
    tokens,
    asked,
    wait: (ms: number) => void (now += ms),
    now: () => now,
  };
};
export const says = (html: string): MessageView => ({ view: 'reply', html, buttons: [] });
export const fails =
  (...failure: ConstructorParameters<typeof OutsideFailure>) =>
  (): never => {
    throw new OutsideFailure(...failure);
  };
