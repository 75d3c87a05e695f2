/** Renders records, one function per kind, so that a missing sentence does not compile (S9). */

export type RenderContext = {
  time: (at: number) => string;
  age: (at: number) => string;
};

/** Plain text, not escaped. */
export type SentenceCatalogue<T extends { kind: string }> = {
  readonly [K in T['kind']]: (record: T & { kind: K }, setting: RenderContext) => string;
};

/** Used where no current time is known. */
const NO_CLOCK: RenderContext = {
  time: (at) => new Date(at).toISOString(),
  age: (at) => new Date(at).toISOString(),
};

export const sayRecord = <T extends { kind: string }>(
  catalogue: SentenceCatalogue<T>,
  record: T,
  setting: RenderContext = NO_CLOCK,
): string => {
  const sentence = catalogue[record.kind as T['kind']];
  return sentence(record, setting);
};

/** Full-width punctuation brings its own space. */
const WIDE_END = /[\u3001-\u303f\uff01-\uff5e]$/;
export const joinParts = (...parts: (string | false | null)[]): string =>
  parts
    .filter((part) => typeof part === 'string' && part !== '')
    .reduce((text: string, part) => `${text}${text === '' || WIDE_END.test(text) ? '' : ' '}${part}`, '');

export const formatSignedNumber = (value: number): string =>
  value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '±0';
