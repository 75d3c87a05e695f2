/** Parses a duration of a configuration, such as `90m`, `2h` or `3d`. */
import { DAY, HOUR, MINUTE } from './units.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };
const MAX_DURATION_MS = 90 * DAY;

/** Milliseconds; null when it is none, nothing at all, or longer than 90 days. */
export const readDuration = (text: string): number | null => {
  const [, digits = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(digits) * (UNIT_MS[unit] ?? 0);
  return ms > 0 && ms <= MAX_DURATION_MS ? ms : null;
};

type Span = { n: number; unit: 'minutes' | 'hours' | 'days' };
/** In the largest unit that gives a whole number. */
export const toWholeUnits = (ms: number): Span => {
  if (ms % DAY === 0) return { n: ms / DAY, unit: 'days' };
  if (ms % HOUR === 0) return { n: ms / HOUR, unit: 'hours' };
  return { n: Math.ceil(ms / MINUTE), unit: 'minutes' };
};
