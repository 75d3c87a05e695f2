/** Converts shown text back to the original bytes, to prove that all of it was shown. */

const lone = (text: string): Buffer => {
  const parts: Buffer[] = [];
  for (const c of text) {
    const code = c.codePointAt(0) ?? 0;
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code & 0xff]) : Buffer.from(c, 'utf8'));
  }
  return Buffer.concat(parts);
};

/** Expects text from `lossless`. */
export const bytesOf = (text: string): Buffer =>
  text.isWellFormed() ? Buffer.from(text, 'utf8') : lone(text);

/** Throws for an undocumented mark. */
export const original = (shown: string): Buffer =>
  Buffer.concat(
    shown.split(/(⟦[^⟧]*⟧)/).map((part) => {
      if (!part.startsWith('⟦')) return Buffer.from(part, 'utf8');
      const [, code] = /^⟦U\+([0-9A-F]{4,6})⟧$/.exec(part) ?? [];
      if (code !== undefined) return Buffer.from(String.fromCodePoint(Number.parseInt(code, 16)), 'utf8');
      if (!/^⟦(?:[0-9a-f]{2})+⟧$/.test(part)) throw new Error(`${part} stands for nothing`);
      return Buffer.from(part.slice(1, -1), 'hex');
    }),
  );
