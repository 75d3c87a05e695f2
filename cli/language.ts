/** The language of the terminal: that of its locale. */
import { LANGUAGES, type Texts } from '../bot/language/language.ts';

/** POSIX: the first of these that is set decides. */
const LOCALES = ['LC_ALL', 'LC_MESSAGES', 'LANG'] as const;

export const cliWords = (): Texts => {
  const locale = LOCALES.map((name) => process.env[name]).find(
    (value) => value !== undefined && value !== '',
  );
  return LANGUAGES[locale?.toLowerCase().startsWith('zh') ? 'zh' : 'en'];
};
