/** Tells whether a text consists of certain words alone, in a time that grows with its length (L9). */

/** The part of a regular expression that the rules of a language need. */
export type TextTest = { test(text: string): boolean };

const BETWEEN = /[\s,.!~]/;

/** Words may follow one another without a gap, and one may be the beginning of another. */
export const createConsistsOfWordsTest = (...words: readonly string[]): TextTest => ({
  test(text) {
    const reached = new Set(text === '' ? [] : [0]);
    // A set that grows while it is walked: each place is looked at once.
    for (const at of reached) {
      for (const word of words) {
        if (!text.startsWith(word, at)) continue;
        let end = at + word.length;
        while (BETWEEN.test(text[end] ?? '')) end += 1;
        if (end === text.length) return true;
        reached.add(end);
      }
    }
    return false;
  },
});
