/** Chooses the terminal's language by its locale. */
import { LANGUAGE_TEXTS, type LanguageTexts } from '../bot/language/languages.ts';

/** POSIX: the first one that is set decides. */
const LOCALES = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;

export const cliWords = (): LanguageTexts => {
  const locale = LOCALES.map((name) => process.env[name]).find(
    (value) => value !== undefined && value !== '',
  );
  return LANGUAGE_TEXTS[locale?.toLowerCase().startsWith('zh') ? 'zh' : 'en'];
};
