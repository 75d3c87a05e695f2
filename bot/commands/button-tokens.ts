/** Makes and verifies button tokens, bound by MAC to a verb, a chat and a message (G4). */
import { z } from 'zod';
import { computeMac, isSameMac } from '#runtime';

/** `n` is the effect number of the message; `index` tells equal verbs in one message apart. */
export type ButtonToken = { verb: string; index: number | null; n: number };
type ReadToken = ButtonToken & { mac: string };

export type ButtonTokens = {
  make(token: ButtonToken, chat: string): string;
  read(text: string): ReadToken | null;
  /** Returns true when the MAC fits the chat and one of our keys. */
  ours(token: ReadToken, chat: string): boolean;
};

const TOKEN_VERSION = 'a1';
const MAC_LENGTH = 11;
/** Bot API, InlineKeyboardButton.callback_data: 1–64 bytes; this needs at most 61. */
const SHAPE = /^a1\.([a-z][a-z._]{0,31})(\d{1,2})?\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{11})$/;

const Parts = z.tuple([z.string(), z.string(), z.string().optional(), z.string(), z.string()]);

// guard: G4-button-chat
const toMacInput = ({ verb, index, n }: ButtonToken, chat: string): string =>
  `button|${TOKEN_VERSION}|${verb}|${index ?? ''}|${n}|${chat}`;

/** The first key signs; all verify, so that old buttons survive a key rotation. */
export const createButtonTokens = (keys: readonly [Uint8Array, ...Uint8Array[]]): ButtonTokens => ({
  make(token, chat) {
    const { verb, index, n } = token;
    const tag = computeMac(keys[0], toMacInput(token, chat), MAC_LENGTH);
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
    // Reject alternative spellings: leading zeros, and numbers that lose digits.
    if (n.toString(36) !== number || String(at ?? '') !== (index ?? '')) return null;
    return { verb, index: at, n, mac: tag };
  },
  ours: (token, chat) =>
    keys.some((key) => isSameMac(token.mac, computeMac(key, toMacInput(token, chat), MAC_LENGTH))),
});
