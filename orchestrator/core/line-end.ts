/**
 * The end of a text, looked for from behind: a pattern for it would try every sign of a long row
 * anew, for hours.
 */

/** The text without these signs at its end. */
export const withoutLast = (text: string, signs: string): string => {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};
