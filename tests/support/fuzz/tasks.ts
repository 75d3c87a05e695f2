/** O10: measures one reader on every shape, in a thread with the limits of readers. */
import { KB, SECOND } from '../../../orchestrator/core/units.ts';
import { PARSERS } from './parsers.ts';
import { SHAPES } from './shapes.ts';

/** Processor time of this thread (ms): what else the machine does costs nothing. */
const timeOf = (go: () => unknown): number => {
  const before = process.threadCpuUsage();
  go();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

const TRIES = 4;
/** The least of a few, as soon as one is below the limit: the thread pays for the rubbish of others. */
const least = (limit: number, go: () => unknown): number => {
  let best = Infinity;
  for (let i = 0; i < TRIES && best > limit; i += 1) best = Math.min(best, timeOf(go));
  return best;
};

const WORDS = 'Please read this, and then that one. '.repeat(7_000);
/** Work of a known length, of the kind that readers do: 30 ms where nobody else works. */
const known = (): number =>
  Array.from({ length: 12 }, () => WORDS.match(/\b\w+(?=[.,])|[^\w\s]/gu)?.length ?? 0).length;
const KNOWN_MS = 30;
/** How slow this machine is now, at least as quick as the one that limits were chosen on. */
const slowness = (): number => Math.max(1, least(0, known) / KNOWN_MS);

/** On the main thread; and elsewhere, where a fifth of what a thread has for one file is enough (ms). */
const HERE_MS = 150;
const AWAY_MS = 2 * SECOND;
const limitFor = (away: boolean): number => slowness() * (away ? AWAY_MS : HERE_MS);

/**
 * So small a part is read first: where that is done so quickly that all of it would be in time although
 * it took the square of it, nothing else is measured.
 */
const PROBE = 8;
/** Long enough that what is not linear shows, and short enough that all readers take half a minute. */
const SIZE = 128 * KB;

/** `half`: of a text of half the size, where it took long enough to tell how it grows. */
export type Measured = { shape: string; ms: number; half: number | null; limit: number };
export type Slowest = { bytes: number; limit: number; shape: string; ms: number };

export const tasks = {
  /** How long each shape takes that may take too long. */
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
      // Both as often: what is read a second time may be remembered.
      const again = Math.min(
        ms,
        least(0, () => read(text)),
      );
      return [{ shape, ms: again, half: least(0, () => read(part)), limit }];
    });
  },

  /** The slowest shape, of as much as is ever read of it, at most `size`. */
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
