/**
 * G4: button tokens: opaque, MACed, versioned, at most 64 bytes, and bound to a verb, a chat and
 * the message that showed them.
 */
import { z } from 'zod';
import { computeMac, isSameMac } from '../../orchestrator/engine/content-hash.ts';

/**
 * `n` is the row number of the chat message's effect: that row says which run, which view and, once
 * sent, which message. `index` tells the buttons of an answer apart, which may speak of several
 * runs.
 */
export type ButtonToken = { verb: string; index: number | null; n: number };
export type ReadToken = ButtonToken & { mac: string };

export type ButtonTokens = {
  make(token: ButtonToken, chat: string): string;
  /** Null when it is not written like a token of ours; says nothing of its MAC. */
  read(text: string): ReadToken | null;
  /** Whether we made this token for this chat, with a key that is still good. */
  ours(token: ReadToken, chat: string): boolean;
};

const TOKEN_VERSION = 'a1';
const MAC_LENGTH = 11;
/** At most 41 bytes; Bot API, InlineKeyboardButton.callback_data: 1–64 bytes. */
const SHAPE = /^a1\.([a-z]{1,12})(\d{1,2})?\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{11})$/;

const Parts = z.tuple([z.string(), z.string(), z.string().optional(), z.string(), z.string()]);

// guard: G4-button-chat
const signed = ({ verb, index, n }: ButtonToken, chat: string): string =>
  `button|${TOKEN_VERSION}|${verb}|${index ?? ''}|${n}|${chat}`;

/**
 * The first key signs; all of them verify, so that a key can be replaced while its buttons are
 * still on phones.
 */
export const createTokens = (keys: readonly [Uint8Array, ...Uint8Array[]]): ButtonTokens => ({
  make(token, chat) {
    const { verb, index, n } = token;
    const tag = computeMac(keys[0], signed(token, chat), MAC_LENGTH);
    const text = `${TOKEN_VERSION}.${verb}${index ?? ''}.${n.toString(36)}.${tag}`;
    if (!SHAPE.test(text)) throw new Error(`no token can say ${verb} ${n}`);
    return text;
  },
  read(text) {
    const parts = Parts.safeParse(SHAPE.exec(text)).data;
    if (!parts) return null;
    const [, verb, index, number, tag] = parts;
    const n = Number.parseInt(number, 36);
    const at = index === undefined ? null : Number(index);
    // One spelling only: neither leading zeros nor numbers that lose digits.
    if (n.toString(36) !== number || String(at ?? '') !== (index ?? '')) return null;
    return { verb, index: at, n, mac: tag };
  },
  ours: (token, chat) =>
    keys.some((key) => isSameMac(token.mac, computeMac(key, signed(token, chat), MAC_LENGTH))),
});
