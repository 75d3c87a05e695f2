/** Counts the words of a file's bytes, as hashes: identifiers whole and in their parts. Pure. */

const MAX_WORD_BYTES = 64;
const MAX_FILE_WORDS = 4_096;
const MAX_COUNT = 63;
const COUNT_BITS = 6;
const SLOTS = 1 << 14;

const NONE = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const JOINER = 4;
const KINDS = new Uint8Array(256).map((_, byte) => {
  if ((byte >= 97 && byte <= 122) || byte >= 128) return LOWER;
  if (byte >= 65 && byte <= 90) return UPPER;
  if (byte >= 48 && byte <= 57) return DIGIT;
  return byte === 95 || byte === 36 ? JOINER : NONE;
});

/** One entry a word, ascending: 26 bits of its hash, 6 bits of its count. */
export type WordCounts = Uint32Array;

const toLowerByte = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);
const isAt = (bytes: Uint8Array, at: number, letter: string): boolean =>
  toLowerByte(bytes[at] ?? 0) === letter.charCodeAt(0);

/** Cuts the usual endings off, so that `retries`, `retried` and `retrying` meet nearly. */
const stemEnd = (bytes: Uint8Array, from: number, to: number): number => {
  const length = to - from;
  if (length >= 7 && isAt(bytes, to - 3, 'i') && isAt(bytes, to - 2, 'n') && isAt(bytes, to - 1, 'g'))
    return to - 3;
  if (length >= 5 && isAt(bytes, to - 2, 'e') && (isAt(bytes, to - 1, 'd') || isAt(bytes, to - 1, 's')))
    return to - 2;
  if (length >= 4 && isAt(bytes, to - 1, 's') && !isAt(bytes, to - 2, 's')) return to - 1;
  return length >= 5 && isAt(bytes, to - 1, 'e') ? to - 1 : to;
};

const hashOf = (bytes: Uint8Array, from: number, to: number): number => {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i] ?? 0;
    // A joiner tells nothing: `retry_later` and `retryLater` are one word.
    if (KINDS[byte] !== JOINER) hash = Math.imul(hash ^ toLowerByte(byte), 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) & ((1 << (32 - COUNT_BITS)) - 1);
};

const eachWord = (bytes: Uint8Array, take: (hash: number, whole: boolean) => void): void => {
  const { length } = bytes;
  for (let at = 0; at < length;) {
    if (KINDS[bytes[at] ?? 0] === NONE) {
      at += 1;
      continue;
    }
    const from = at;
    while (at < length && KINDS[bytes[at] ?? 0] !== NONE) at += 1;
    if (at - from > MAX_WORD_BYTES) continue;
    let part = from;
    let parts = 0;
    for (let i = from; i <= at; i += 1) {
      const kind = i < at ? (KINDS[bytes[i] ?? 0] ?? NONE) : NONE;
      const before = i > from ? (KINDS[bytes[i - 1] ?? 0] ?? NONE) : NONE;
      const after = i + 1 < at ? (KINDS[bytes[i + 1] ?? 0] ?? NONE) : NONE;
      const hump = kind === UPPER && (before === LOWER || before === DIGIT || after === LOWER);
      if (i < at && kind !== JOINER && !(i > part && hump)) continue;
      if (i - part >= 2) {
        take(hashOf(bytes, part, stemEnd(bytes, part, i)), false);
        parts += 1;
      }
      part = kind === JOINER ? i + 1 : i;
    }
    if (parts > 1) take(hashOf(bytes, from, at), true);
  }
};

const keys = new Int32Array(SLOTS);
const counts = new Uint8Array(SLOTS);

export const countFileWords = (bytes: Uint8Array): WordCounts => {
  keys.fill(-1);
  let size = 0;
  eachWord(bytes, (hash) => {
    let slot = (hash ^ (hash >>> 13)) & (SLOTS - 1);
    while (keys[slot] !== -1 && keys[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
    if (keys[slot] === -1) {
      if (size >= MAX_FILE_WORDS) return;
      size += 1;
      keys[slot] = hash;
      counts[slot] = 0;
    }
    if ((counts[slot] ?? 0) < MAX_COUNT) counts[slot] = (counts[slot] ?? 0) + 1;
  });
  const found = new Uint32Array(size);
  let at = 0;
  for (let slot = 0; slot < SLOTS && at < size; slot += 1) {
    const key = keys[slot] ?? -1;
    if (key !== -1) found[at++] = ((key << COUNT_BITS) | (counts[slot] ?? 0)) >>> 0;
  }
  return found.sort();
};

/** Hashes of a text's words in the order of their first place; `whole` are identifiers of several parts. */
export const wordsOf = (text: string): ReadonlyMap<number, { whole: boolean; count: number }> => {
  const found = new Map<number, { whole: boolean; count: number }>();
  eachWord(new TextEncoder().encode(text), (hash, whole) => {
    const known = found.get(hash);
    if (known) known.count += 1;
    else found.set(hash, { whole, count: 1 });
  });
  return found;
};

export const wordsOfPath = (path: string): WordCounts => {
  const found: number[] = [];
  eachWord(Buffer.from(path), (hash) => found.push(((hash << COUNT_BITS) | 1) >>> 0));
  return Uint32Array.from(found).sort();
};

export const countIn = (words: WordCounts, hash: number): number => {
  let [low, high] = [0, words.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const entry = words[middle] ?? 0;
    const key = entry >>> COUNT_BITS;
    if (key === hash) return entry & MAX_COUNT;
    if (key < hash) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
};
