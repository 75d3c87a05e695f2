/** Manages the bot's languages and the language of each chat. */
import { z } from 'zod';
import type { Ledger } from '#ports/ledger';
import { parseTopicChat } from '../chat-topics.ts';
import type { LanguagePhrases } from '../phrases/phrase-rules.ts';
import { phrasesOf } from '../phrases/load-phrases.ts';
import { composeTexts } from './compose-texts.ts';
import { extendSentences } from './extend-sentences.ts';
import { loadSentences } from './load-sentences.ts';

export const LANGUAGE_CODES = ['en', 'zh'] as const;
export type LanguageCode = (typeof LANGUAGE_CODES)[number];

/** Makes an object when something first reads it: most processes speak one language only. */
const whenRead = <T extends object>(make: () => T): T => {
  let made: T | null = null;
  const readOnce = (): T => (made ??= make());
  return new Proxy<T>({} as T, {
    get: (_, key): unknown => Reflect.get(readOnce(), key),
    has: (_, key) => Reflect.has(readOnce(), key),
    ownKeys: () => Reflect.ownKeys(readOnce()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(readOnce(), key);
      return found && { ...found, configurable: true };
    },
  });
};

const textsOf = (code: LanguageCode) =>
  whenRead(() => extendSentences(composeTexts(loadSentences(code)), { code }));
/** Plain text, not escaped. */
export type LanguageTexts = ReturnType<typeof textsOf>;

export const enTexts = textsOf('en');
export const LANGUAGE_TEXTS: Readonly<Record<LanguageCode, LanguageTexts>> = {
  en: enTexts,
  zh: textsOf('zh'),
};
/** The script decides, because people also write in another language than the chat's. */
export const phrasesFor = (text: string, spoken: LanguageCode): LanguagePhrases =>
  phrasesOf(/\p{Script=Han}/u.test(text) ? 'zh' : spoken === 'zh' && !/\p{L}/u.test(text) ? 'zh' : 'en');

export type WordsFor = (chat: string | null) => Promise<LanguageTexts>;

/** `zh` was chosen, `spoken:zh` is the last sentence's language, `auto:zh` the app's. */
const Setting = z.templateLiteral([z.enum(['', 'spoken:', 'auto:']), z.enum(LANGUAGE_CODES)]);
const keyOf = (place: string): string => `language:${parseTopicChat(place).chat}`;
type Spoken = { language: LanguageCode; chosen: boolean; heard: boolean };

export const languageOfChat = async (
  query: Pick<Ledger['query'], 'setting'>,
  chat: string | null,
): Promise<Spoken> => {
  const setting = chat === null ? null : Setting.safeParse(await query.setting(keyOf(chat))).data;
  if (!setting) return { language: 'en', chosen: false, heard: false };
  const language = LANGUAGE_CODES.find((code) => setting.endsWith(code)) ?? 'en';
  return { language, chosen: setting === language, heard: setting.startsWith('spoken:') };
};

export const createWordsFor =
  (query: Pick<Ledger['query'], 'setting'>, languages = LANGUAGE_TEXTS): WordsFor =>
  async (chat) =>
    languages[(await languageOfChat(query, chat)).language];

/** Bot API, User.language_code: an IETF tag, e.g. `zh-hans`. */
const fromTelegram = (code: string): LanguageCode =>
  LANGUAGE_CODES.find((l) => l === code.slice(0, 2)) ?? 'en';

type Settings = Pick<Ledger, 'setSetting'> & { query: Pick<Ledger['query'], 'setting'> };

/** Remembers the Telegram app's language until the user chooses one. */
export const learnLanguage = async (ledger: Settings, chat: string, code: string | null): Promise<void> => {
  if (code === null) return;
  const { language, chosen, heard } = await languageOfChat(ledger.query, chat);
  const said = fromTelegram(code);
  if (!chosen && !heard && said !== language) await ledger.setSetting(keyOf(chat), `auto:${said}`);
};

/** Fewer English words may be names or commands: `diff`, `retry k3x9ab`. */
const MIN_ENGLISH_WORDS = 3;
/** With one of these two words are a sentence: `hold on`, `show me`. */
const ENGLISH_LINK =
  /^(?:on|off|up|it|me|you|my|the|that|this|these|all|is|are|was|what|who|how|why|where|please|not|no|yes|go|do|don't|can|for|with|of|to|again|everything)$/i;

const languageOf = (text: string): LanguageCode | null => {
  if (/\p{Script=Han}/u.test(text)) return 'zh';
  if (text.trimStart().startsWith('/')) return null;
  const words = text.match(/(?<![\w/.@'’-])[a-z'’]{2,}(?![\w/@-])/gi) ?? [];
  const isSentence = words.length === 2 && words.some((word) => ENGLISH_LINK.test(word));
  return words.length >= MIN_ENGLISH_WORDS || isSentence ? 'en' : null;
};

/** C8: a chat follows the language of its messages until somebody chooses one. */
export const adoptWrittenLanguage = async (
  ledger: Settings,
  chat: string,
  text: string,
): Promise<boolean> => {
  const said = languageOf(text);
  if (said === null) return false;
  const { language, chosen } = await languageOfChat(ledger.query, chat);
  if (chosen || said === language) return false;
  await ledger.setSetting(keyOf(chat), `spoken:${said}`);
  return true;
};

/** Keeps the language of a group whose id changed. */
export const adoptLanguage = async (ledger: Settings, from: string, to: string): Promise<void> => {
  const spoken = await ledger.query.setting(keyOf(from));
  if (spoken !== null) await ledger.setSetting(keyOf(to), spoken);
};

export const chooseLanguage = async (
  ledger: Settings,
  chat: string,
  wish: LanguageCode | 'auto',
  code: string | null,
): Promise<void> =>
  ledger.setSetting(keyOf(chat), wish === 'auto' ? `auto:${fromTelegram(code ?? 'en')}` : wish);
