/** O10: bounds each text of an answer, before it crosses from a reader thread. */
const isLeaf = (value: unknown): value is null | undefined | number | boolean | bigint | symbol =>
  value === null || (typeof value !== 'object' && typeof value !== 'string');

/** Returns whether no text in it, at any depth, is longer. Bytes are no texts. */
export const isWithin = (answer: unknown, maxTextLength: number): boolean => {
  const left: unknown[] = [answer];
  const seen = new Set<unknown>();
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.length > maxTextLength) return false;
    if (typeof value === 'string' || isLeaf(value) || ArrayBuffer.isView(value) || seen.has(value)) continue;
    seen.add(value);
    if (value instanceof Map) for (const [key, of] of value) left.push(key, of);
    else if (value instanceof Set || Array.isArray(value)) for (const one of value) left.push(one);
    else for (const [key, of] of Object.entries(value)) left.push(key, of);
  }
  return true;
};
