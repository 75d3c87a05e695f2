/** The languages of the bot, and which one each chat uses. */
import { z } from 'zod';
import type { Ledger } from '../../orchestrator/ports.ts';
import { en, type Language, type Texts } from './en/en.ts';
import { zh } from './zh/zh.ts';
import { readPlace } from '../topics.ts';
import type { Phrases } from '../phrases/phrases.ts';
import { phrases as englishPhrases } from './en/phrases.ts';
import { phrases as chinesePhrases } from './zh/phrases.ts';

export type { Language, Texts };
export const LANGUAGES: Readonly<Record<Language, Texts>> = { en, zh };
const PHRASES: Readonly<Record<Language, Phrases>> = { en: englishPhrases, zh: chinesePhrases };
/**
 * People write in whichever language is at hand: the script tells, and the chat's own language
 * where both use it.
 */
export const phrasesFor = (text: string, spoken: Language): Phrases =>
  PHRASES[/\p{Script=Han}/u.test(text) ? 'zh' : spoken === 'zh' && !/\p{L}/u.test(text) ? 'zh' : 'en'];

export const LANGUAGE_CODES = ['en', 'zh'] as const satisfies readonly Language[];

/** The language of one chat; a private chat has the id of its person. */
export type WordsFor = (chat: string | null) => Promise<Texts>;

/** `zh` was chosen by a person, `auto:zh` is what their Telegram last said. */
const Setting = z.templateLiteral([z.enum(['', 'auto:']), z.enum(LANGUAGE_CODES)]);
/** All topics of a chat speak as it does. */
const keyOf = (place: string): string => `language:${readPlace(place).chat}`;
type Spoken = { language: Language; chosen: boolean };

export const spokenIn = async (
  query: Pick<Ledger['query'], 'setting'>,
  chat: string | null,
): Promise<Spoken> => {
  const setting = chat === null ? null : Setting.safeParse(await query.setting(keyOf(chat))).data;
  if (!setting) return { language: 'en', chosen: false };
  const language = LANGUAGE_CODES.find((code) => setting.endsWith(code)) ?? 'en';
  return { language, chosen: setting === language };
};

export const createWordsFor =
  (query: Pick<Ledger['query'], 'setting'>, languages = LANGUAGES): WordsFor =>
  async (chat) =>
    languages[(await spokenIn(query, chat)).language];

/** Bot API, User.language_code: an IETF tag, for example `zh-hans`. */
const fromTelegram = (code: string): Language => LANGUAGE_CODES.find((l) => l === code.slice(0, 2)) ?? 'en';

type Settings = Pick<Ledger, 'setSetting'> & { query: Pick<Ledger['query'], 'setting'> };

/** Remembers what somebody's Telegram says, until they choose by themselves. */
export const learn = async (ledger: Settings, chat: string, code: string | null): Promise<void> => {
  if (code === null) return;
  const { language, chosen } = await spokenIn(ledger.query, chat);
  const said = fromTelegram(code);
  if (!chosen && said !== language) await ledger.setSetting(keyOf(chat), `auto:${said}`);
};

/** A group that got another id speaks as before. */
export const adoptLanguage = async (ledger: Settings, from: string, to: string): Promise<void> => {
  const spoken = await ledger.query.setting(keyOf(from));
  if (spoken !== null) await ledger.setSetting(keyOf(to), spoken);
};

/** `code` is what Telegram says, for whoever goes back to that. */
export const choose = async (
  ledger: Settings,
  chat: string,
  wish: Language | 'auto',
  code: string | null,
): Promise<void> =>
  ledger.setSetting(keyOf(chat), wish === 'auto' ? `auto:${fromTelegram(code ?? 'en')}` : wish);
