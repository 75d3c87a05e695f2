/** Normalises line ends and trims texts. */

/** Old programs, and some spreadsheets, write CR alone. */
export const withLines = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Trims in linear time; a regular expression would be quadratic on long rows. */
export const withoutLast = (text: string, signs: string): string => {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};
