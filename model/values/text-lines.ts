/** Normalises line ends and trims texts. */

/** Old programs, and some spreadsheets, write CR alone. */
export const normalizeLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Trims in linear time; a regular expression would be quadratic on long rows. */
export const trimEndCharacters = (text: string, signs: string): string => {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** One by one: an array of all lines may take many times the size of the text. */
export function* iterateLines(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

export const countLines = (text: string): number => {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
};
