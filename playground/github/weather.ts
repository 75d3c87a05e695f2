/**
 * How deliveries travel: which are lost, how late the others leave, how often and in which order;
 * the same for the same seed.
 */
import type { Delivery } from './delivery.ts';

export type Weather = {
  /** Lost on the way: a probability from 0 to 1, or whichever it says yes to. */
  drop?: number | ((delivery: Delivery) => boolean);
  /** How often each is sent, with the same GUID; 1 by default. */
  copies?: number;
  /** The chance that one is sent twice. */
  twice?: number;
  /** How long each is held before it leaves, in ms: at least and at most. */
  delayMs?: readonly [number, number];
  /** Those that are held together leave in a random order. */
  shuffle?: boolean;
  /** 1 by default. */
  seed?: number;
};

/** How often the delivery `n` is sent; as deterministic as its fate. */
export const copiesOf = ({ copies = 1, twice = 0, seed = 1 }: Weather, n: number): number =>
  Math.max(copies, 1) + (randomFrom(seed * 7_000_003 + n)() < twice ? 1 : 0);

export type Fate = { dropped: boolean; delayMs: number; rank: number };

/** `n` counts deliveries since the weather was set; nothing but the seed and `n` decides. */
export function fateOf(weather: Weather, n: number, delivery: Delivery): Fate {
  const random = randomFrom((weather.seed ?? 1) * 1_000_003 + n);
  const [least, most] = weather.delayMs ?? [0, 0];
  const chance = random();
  const { drop = 0 } = weather;
  const delayMs = Math.round(least + random() * (most - least));
  const dropped = typeof drop === 'function' ? drop(delivery) : chance < drop;
  return { dropped, delayMs, rank: weather.shuffle ? random() : n };
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
