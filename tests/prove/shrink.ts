/** Shrinks a failing history while it fails in the same way. */
import { createCoverage } from './coverage.ts';
import { playHistory, type HistoryOptions, type HistoryResult } from './history.ts';

export type Shrunk = { lines: string[]; tries: number };

/** Maximum number of tries. */
const TRIES = 400;

/** Rule id and text, without names and numbers. */
const kindOf = (violation: string): string =>
  violation
    .split('\n')[0]
    ?.replace(/\b[0-9a-f]{6,}\b|\b[a-z0-9]{6}\b|#?\d+/g, '_')
    .slice(0, 60) ?? '';

export const shrinkHistory = async (
  seed: number,
  failed: HistoryResult,
  { open, moves }: Pick<HistoryOptions, 'open' | 'moves'> = {},
): Promise<Shrunk> => {
  const kinds = new Set(failed.violations.map(kindOf));
  let tries = 0;
  let best = { result: failed, leftOut: new Set<number>(), length: undefined as number | undefined };

  const still = async (leftOut: Set<number>, length: number | undefined): Promise<boolean> => {
    if (tries >= TRIES) return false;
    tries += 1;
    const result = await playHistory(seed, {
      coverage: createCoverage(),
      open,
      leftOut,
      ...(moves === undefined ? {} : { moves }),
      ...(length === undefined ? {} : { length }),
    });
    if (!result.violations.some((v) => kinds.has(kindOf(v)))) return false;
    best = { result, leftOut, length };
    return true;
  };

  // Shorten first, because events that never happen need not be omitted.
  for (const length of [5, 10, 20, 30, 40, 60, 80, 100]) if (await still(best.leftOut, length)) break;
  for (let size = Math.ceil(best.result.happened.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.result.happened.length;) {
      const without = best.result.happened.slice(at, at + size).map((h) => h.no);
      if (!(await still(new Set([...best.leftOut, ...without]), best.length))) at += size;
    }
    if (size === 1) break;
  }
  const { result } = best;
  return {
    tries,
    lines: [
      ...result.trace,
      `What happened by chance: ${result.happened.map((h) => h.what).join('; ') || 'nothing'}`,
      `It ends with: ${result.violations[0]}`,
    ],
  };
};
