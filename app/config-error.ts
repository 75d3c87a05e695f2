/** Failures of a start that each language tells: a configuration that cannot be used, or what a restart may mend. */
import { LANGUAGE_TEXTS, type LanguageTexts } from '../bot/language/languages.ts';

export class StartFailure extends Error {
  readonly inWords: (words: LanguageTexts) => string;
  constructor(says: string | ((words: LanguageTexts) => string)) {
    super(typeof says === 'string' ? says : says(LANGUAGE_TEXTS.en));
    this.inWords = typeof says === 'string' ? () => says : says;
  }
}

export class ConfigError extends StartFailure {}
