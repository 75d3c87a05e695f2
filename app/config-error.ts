/** Errors that stop a start, with a message in each language: an unusable configuration, or one that a restart may fix. */
import { LANGUAGE_TEXTS, type LanguageTexts } from '#language';

export class StartFailure extends Error {
  readonly inWords: (words: LanguageTexts) => string;
  constructor(says: string | ((words: LanguageTexts) => string)) {
    super(typeof says === 'string' ? says : says(LANGUAGE_TEXTS.en));
    this.inWords = typeof says === 'string' ? () => says : says;
  }
}

type FaultyFile = 'env' | 'config' | 'both';
/** `of` is the file to correct; the environment and `.env` count as one. */
export class ConfigError extends StartFailure {
  readonly of: FaultyFile;
  constructor(says: string | ((words: LanguageTexts) => string), of: FaultyFile = 'env') {
    super(says);
    this.of = of;
  }
}

const orFault = <T>(read: () => T): T | ConfigError => {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
};
/** O3: tells the faults of both at once, so that nobody corrects one file to meet those of the other. */
export const readTogether = <E, F>(readEnvironment: () => E, readFile: () => F): [E, F] => {
  const [e, file] = [orFault(readEnvironment), orFault(readFile)];
  if (e instanceof ConfigError && file instanceof ConfigError)
    throw new ConfigError((words) => [e, file].map((one) => one.inWords(words)).join('\n'), 'both');
  if (e instanceof ConfigError) throw e;
  if (file instanceof ConfigError) throw file;
  return [e, file];
};
