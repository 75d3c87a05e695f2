/** A configuration that cannot be used; the message names the variable or key, and what it should be. */
import { LANGUAGE_TEXTS, type LanguageTexts } from '../bot/language/languages.ts';

export class ConfigError extends Error {
  readonly inWords: (words: LanguageTexts) => string;
  constructor(says: string | ((words: LanguageTexts) => string)) {
    super(typeof says === 'string' ? says : says(LANGUAGE_TEXTS.en));
    this.inWords = typeof says === 'string' ? () => says : says;
  }
}
