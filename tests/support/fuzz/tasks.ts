/** O10: times one reader on every shape, in a thread with the readers' limits. */
import { KB, SECOND } from '#model/values';
import { leastMs, slowness } from '../thread-time.ts';
import { PARSERS } from './parsers.ts';
import { SHAPES } from './shapes.ts';

/** Limits on the main thread and in a thread, a fifth of the product's (ms). */
const HERE_MS = 150;
const AWAY_MS = 2 * SECOND;
const limitFor = (away: boolean): number => slowness() * (away ? AWAY_MS : HERE_MS);

const TRIES = 3;
/** A small part is read first; if even quadratic growth would fit, nothing else is measured. */
const PROBE = 8;
/** Large enough to show growth, small enough for half a minute in total. */
const SIZE = 128 * KB;

/** `half`: time for half the size, if long enough to show the growth. */
export type Measured = { shape: string; ms: number; half: number | null; limit: number };
/** Twice the text takes twice the time; three times for what rubbish is collected in between. */
export const isSuspicious = ({ ms, half, limit }: Measured): boolean =>
  ms > limit || (half !== null && ms > 3 * half + 100);
export type Slowest = { bytes: number; limit: number; shape: string; ms: number };

export const readerTasks = {
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
      const quick = leastMs(limit / PROBE ** 2, () => read(probe));
      if (quick <= limit / PROBE ** 2) return [];
      const text = make(size);
      const part = make(size / 2);
      let worst: Measured = { shape, ms: Infinity, half: Infinity, limit };
      // What looks too slow is measured again: other work may have come in between.
      for (let i = 0; i < TRIES; i += 1) {
        const ms = Math.min(
          worst.ms,
          leastMs(limit, () => read(text)),
        );
        if (ms < limit / 3) return [{ shape, ms, half: null, limit }];
        // Both equally often, because repeated reads may be cached.
        const again = Math.min(
          ms,
          leastMs(0, () => read(text)),
        );
        const half = Math.min(
          worst.half ?? Infinity,
          leastMs(0, () => read(part)),
        );
        worst = { shape, ms: again, half, limit: Math.max(worst.limit, limitFor(away)) };
        if (!isSuspicious(worst)) break;
      }
      return [worst];
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
      return { shape, ms: leastMs(limit / 2, () => read(text)) };
    });
    const [first = { shape: '', ms: 0 }] = all.sort((a, b) => b.ms - a.ms);
    return { bytes, limit, ...first };
  },
};
