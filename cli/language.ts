/** Chooses the terminal's language by its locale. */
import { LANGUAGE_TEXTS, type LanguageCode, type LanguageTexts } from '#language';

/** POSIX: the first one that is set decides. */
const LOCALES = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;

export const cliLanguage = (): LanguageCode => {
  const locale = LOCALES.map((name) => process.env[name]).find(
    (value) => value !== undefined && value !== '',
  );
  return locale?.toLowerCase().startsWith('zh') ? 'zh' : 'en';
};

export const cliWords = (): LanguageTexts => LANGUAGE_TEXTS[cliLanguage()];

/** JSON is English. */
export const textsFor = (json: boolean | undefined): LanguageTexts => (json ? LANGUAGE_TEXTS.en : cliWords());
