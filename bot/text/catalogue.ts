/**
 * S9: how a language says what the machine tells as data: one function for each kind of record, so
 * that a missing sentence does not compile.
 */

/** What a sentence may need besides its record. */
export type RenderContext = {
  /** A moment (epoch ms) as the reader is shown it. */
  time: (at: number) => string;
  /** How long ago that was. */
  age: (at: number) => string;
};

/** Plain text, not escaped. */
export type SentenceCatalogue<T extends { kind: string }> = {
  readonly [K in T['kind']]: (record: T & { kind: K }, setting: RenderContext) => string;
};

/** For those who read without a clock of their own. */
const NO_CLOCK: RenderContext = {
  time: (at) => new Date(at).toISOString(),
  age: (at) => new Date(at).toISOString(),
};

/** The sentence of one record. */
export const sayRecord = <T extends { kind: string }>(
  catalogue: SentenceCatalogue<T>,
  record: T,
  setting: RenderContext = NO_CLOCK,
): string => {
  const sentence = catalogue[record.kind as T['kind']];
  return sentence(record, setting);
};

/** The parts that say something, as one line. */
export const joinParts = (...parts: (string | false | null)[]): string => parts.filter(Boolean).join(' ');

/** A number as people read it. */
export const groupDigits = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
/** A difference, so that its direction is seen. */
export const signedNumber = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '±0');
