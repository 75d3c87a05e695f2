/** O10: times one reader on every shape, in a thread with the readers' limits. */
import { KB, SECOND } from '../../../orchestrator/model/units.ts';
import { PARSERS } from './parsers.ts';
import { SHAPES } from './shapes.ts';

/** CPU time of this thread (ms). */
const timeOf = (go: () => unknown): number => {
  const before = process.threadCpuUsage();
  go();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

const TRIES = 4;
/** Returns the minimum of several tries, or the first below the limit. */
const least = (limit: number, go: () => unknown): number => {
  let best = Infinity;
  for (let i = 0; i < TRIES && best > limit; i += 1) best = Math.min(best, timeOf(go));
  return best;
};

const WORDS = 'Please read this, and then that one. '.repeat(7_000);
/** Reference work: 30 ms on an idle reference machine. */
const known = (): number =>
  Array.from({ length: 12 }, () => WORDS.match(/\b\w+(?=[.,])|[^\w\s]/gu)?.length ?? 0).length;
const KNOWN_MS = 30;
/** Slowness of this machine, at least 1. */
const slowness = (): number => Math.max(1, least(0, known) / KNOWN_MS);

/** Limits on the main thread and in a thread, a fifth of the product's (ms). */
const HERE_MS = 150;
const AWAY_MS = 2 * SECOND;
const limitFor = (away: boolean): number => slowness() * (away ? AWAY_MS : HERE_MS);

/** A small part is read first; if even quadratic growth would fit, nothing else is measured. */
const PROBE = 8;
/** Large enough to show growth, small enough for half a minute in total. */
const SIZE = 128 * KB;

/** `half`: time for half the size, if long enough to show the growth. */
export type Measured = { shape: string; ms: number; half: number | null; limit: number };
export type Slowest = { bytes: number; limit: number; shape: string; ms: number };

export const tasks = {
  measure: (
    { parser, only }: { parser: string; only?: string },
    reading: (file: string) => void,
  ): Measured[] => {
    const { read, most = SIZE, away = false } = PARSERS[parser] ?? { read: () => null };
    read('a: b\n'.repeat(100));
    const size = Math.min(most, SIZE);
    const limit = limitFor(away);
    return Object.entries(SHAPES).flatMap(([shape, make]): Measured[] => {
      if (only !== undefined && only !== shape) return [];
      reading(`${parser}: ${shape}`);
      const probe = make(size / PROBE);
      const quick = least(limit / PROBE ** 2, () => read(probe));
      if (quick <= limit / PROBE ** 2) return [];
      const text = make(size);
      const ms = least(limit, () => read(text));
      if (ms < limit / 3) return [{ shape, ms, half: null, limit }];
      const part = make(size / 2);
      // Both equally often, because repeated reads may be cached.
      const again = Math.min(
        ms,
        least(0, () => read(text)),
      );
      return [{ shape, ms: again, half: least(0, () => read(part)), limit }];
    });
  },

  slowest: ({ parser, size }: { parser: string; size: number }, reading: (file: string) => void): Slowest => {
    const { read, most = size, away = false } = PARSERS[parser] ?? { read: () => null };
    const bytes = Math.min(most, size);
    const limit = limitFor(away);
    read('a: b\n'.repeat(100));
    const all = Object.entries(SHAPES).map(([shape, make]) => {
      reading(shape);
      const text = make(bytes);
      return { shape, ms: least(limit / 2, () => read(text)) };
    });
    const [first = { shape: '', ms: 0 }] = all.sort((a, b) => b.ms - a.ms);
    return { bytes, limit, ...first };
  },
};
