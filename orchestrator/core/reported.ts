/** What a report is about: a time, written `7d`, `12w` or `all`, and how its runs are grouped. */
import { z } from 'zod';
import { DAY } from './units.ts';

/** In days; null is everything. */
export type Days = number | null;
const MOST = 3_650;

export const GROUPINGS = ['engine', 'ecosystem', 'repository', 'prompt', 'campaign'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export type ReportScope = { days: Days; by: Grouping };
/** `file`: the whole table. */
export const ReportWish = z.object({ days: z.number().nullable(), by: z.enum(GROUPINGS), file: z.boolean() });
export type ReportWish = z.infer<typeof ReportWish>;
export const USUALLY: ReportWish = { days: 30, by: 'engine', file: false };
/** What costs attention is seen over a longer time. */
export const LOOKS_BACK = 90;

export const readDays = (text: string): { days: Days } | null => {
  const said = text.toLowerCase();
  if (said === 'all') return { days: null };
  const [, count = '', unit] = /^(\d{1,4})([dw])$/.exec(said) ?? [];
  const days = Number(count) * (unit === 'w' ? 7 : 1);
  return days >= 1 && days <= MOST ? { days } : null;
};
export const writeDays = (days: Days): string => (days === null ? 'all' : `${days}d`);
export const sinceDays = (days: Days, now: number): number => (days === null ? 0 : now - days * DAY);

/** Words in any order; one that says nothing comes back. */
export const readWish = (words: readonly string[]): ReportWish | { strange: string } => {
  let wish = USUALLY;
  for (const word of words) {
    const by = GROUPINGS.find((one) => one === word);
    const more = word === 'file' ? { file: true } : by ? { by } : readDays(word);
    if (!more) return { strange: word };
    wish = { ...wish, ...more };
  }
  return wish;
};
export const SPANS = ['7d', '12w', 'all'];
export const SAYABLE = [...SPANS, ...GROUPINGS, 'file'];
