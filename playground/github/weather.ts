/** Simulates unreliable delivery: loss, delay, copies, order; deterministic for a seed. */
import type { Delivery } from './delivery-record.ts';

export type Weather = {
  /** Probability of loss from 0 to 1, or a predicate. */
  drop?: number | ((delivery: Delivery) => boolean);
  /** Number of copies with the same GUID; default: 1. */
  copies?: number;
  twice?: number;
  /** Minimum and maximum delay (ms). */
  delayMs?: readonly [number, number];
  shuffle?: boolean;
  /** Default: 1. */
  seed?: number;
};

export const copiesOf = ({ copies = 1, twice = 0, seed = 1 }: Weather, n: number): number =>
  Math.max(copies, 1) + (randomFrom(seed * 7_000_003 + n)() < twice ? 1 : 0);

export type Fate = { dropped: boolean; delayMs: number; rank: number };

/** Only the seed and `n`, the delivery's number, decide. */
export function fateOf(weather: Weather, n: number, delivery: Delivery): Fate {
  const random = randomFrom((weather.seed ?? 1) * 1_000_003 + n);
  const [least, most] = weather.delayMs ?? [0, 0];
  const chance = random();
  const { drop = 0 } = weather;
  const delayMs = Math.round(least + random() * (most - least));
  const dropped = typeof drop === 'function' ? drop(delivery) : chance < drop;
  return { dropped, delayMs, rank: weather.shuffle ? random() : n };
}

function randomFrom(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
