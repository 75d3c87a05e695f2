/** The ends of lines and of texts. */

/** Lines as every program of today ends them; old ones, and some spreadsheets, write CR alone. */
export const withLines = (text: string): string => text.replace(/\r\n?/g, '\n');

/**
 * The text without these signs at its end, looked for from behind: a pattern for it would try every
 * sign of a long row anew, for hours.
 */
export const withoutLast = (text: string, signs: string): string => {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};
