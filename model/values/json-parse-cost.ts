/** Bounds the cost of parsing untrusted JSON (O10). */

const [QUOTE, BACKSLASH, COMMA, LIST, MAP] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Returns the length of all when the string is unterminated. */
const findEndOfString = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at;
    while (before > from && bytes[before - 1] === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return bytes.length;
};

/** Values cost a parser far more than characters, and a bracket is a single byte. */
export const hasMoreJsonValues = (bytes: Uint8Array, maxValues: number): boolean => {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const sign = bytes[at];
    if (sign === QUOTE) at = findEndOfString(bytes, at + 1);
    else if ((sign === COMMA || sign === LIST || sign === MAP) && (count += 1) > maxValues) return true;
  }
  return false;
};
