/** git's rule: a NUL among the first 8,000 bytes. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8000).includes(0);

export const decodeUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const WIDE: readonly (readonly [number, number, string])[] = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
];
/** Returns null if the bytes are not text, whatever a byte order mark says. */
export const decodeEditorText = (bytes: Uint8Array): string | null => {
  if (!isBinary(bytes)) return decodeUtf8(bytes);
  const wide = WIDE.find(([first, second]) => bytes[0] === first && bytes[1] === second);
  return wide ? new TextDecoder(wide[2]).decode(bytes) : null;
};

export const eachLine = (text: string, take: (line: string, from: number) => void): void => {
  for (let from = 0; ;) {
    const end = text.indexOf('\n', from);
    take(text.slice(from, end < 0 ? text.length : end), from);
    if (end < 0) return;
    from = end + 1;
  }
};
