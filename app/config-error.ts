/** Errors that stop a start, with a message in each language: an unusable configuration, or one that a restart may fix. */
import { LANGUAGE_TEXTS, type LanguageTexts } from '#language';

export class StartFailure extends Error {
  readonly inWords: (words: LanguageTexts) => string;
  constructor(says: string | ((words: LanguageTexts) => string)) {
    super(typeof says === 'string' ? says : says(LANGUAGE_TEXTS.en));
    this.inWords = typeof says === 'string' ? () => says : says;
  }
}

/** `of` is the file to correct; the environment and `.env` count as one. */
export class ConfigError extends StartFailure {
  readonly of: 'env' | 'config';
  constructor(says: string | ((words: LanguageTexts) => string), of: 'env' | 'config' = 'env') {
    super(says);
    this.of = of;
  }
}
