/** The time that a report is about, as it is written: `7d`, `12w`, or `all`. */
import { DAY } from '../units.ts';

/** In days; null is everything. */
export type Days = number | null;
const MOST = 3_650;

export const readDays = (text: string): { days: Days } | null => {
  const said = text.toLowerCase();
  if (said === 'all') return { days: null };
  const [, count = '', unit] = /^(\d{1,4})([dw])$/.exec(said) ?? [];
  const days = Number(count) * (unit === 'w' ? 7 : 1);
  return days >= 1 && days <= MOST ? { days } : null;
};
export const writeDays = (days: Days): string => (days === null ? 'all' : `${days}d`);
export const sinceDays = (days: Days, now: number): number => (days === null ? 0 : now - days * DAY);
