/** Seeded random numbers, equal on every machine. */
export type Random = {
  /** Returns a number in [0, 1). */
  next(): number;
  int(below: number): number;
  chance(p: number): boolean;
  pick<T>(items: readonly T[]): T;
  text(length: number): string;
  reseed(seed: number): void;
};

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** mulberry32: small, fast and good enough here. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (p) => next() < p,
    pick: (items) => {
      const item = items[int(items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    reseed: (fresh) => {
      state = fresh >>> 0;
    },
    text: (length) => {
      let text = '';
      for (let i = 0; i < length; i += 1) text += ALPHABET[int(ALPHABET.length)];
      return text;
    },
  };
};

/** Derives a seed for one use. */
export const seedFor = (seed: number, use: string): number => {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  for (let i = 0; i < use.length; i += 1) h = Math.imul(h ^ use.charCodeAt(i), 0x01000193);
  return (h ^ (h >>> 15)) >>> 0;
};
