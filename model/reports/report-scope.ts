/** Parses a report's scope: a period such as `7d`, `12w` or `all`, and a grouping. */
import { z } from 'zod';
import { DAY } from '#model/values';

export type ReportDays = number | null;
const MAX_REPORT_DAYS = 3_650;

export const REPORT_GROUPINGS = ['engine', 'ecosystem', 'repository', 'prompt', 'campaign'] as const;
export type ReportGrouping = (typeof REPORT_GROUPINGS)[number];

export type ReportScope = { days: ReportDays; by: ReportGrouping };
/** `file`: the whole table. */
export const ReportRequest = z.object({
  days: z.number().nullable(),
  by: z.enum(REPORT_GROUPINGS),
  file: z.boolean(),
});
export type ReportRequest = z.infer<typeof ReportRequest>;
export const DEFAULT_REPORT: ReportRequest = { days: 30, by: 'engine', file: false };
/** Attention needs a longer period (days). */
export const DEFAULT_INSIGHT_DAYS = 90;

export const readDays = (text: string): { days: ReportDays } | null => {
  const said = text.toLowerCase();
  if (said === 'all') return { days: null };
  const [, count = '', unit] = /^(\d{1,4})([dw])$/.exec(said) ?? [];
  const days = Number(count) * (unit === 'w' ? 7 : 1);
  return days >= 1 && days <= MAX_REPORT_DAYS ? { days } : null;
};
export const formatReportDays = (days: ReportDays): string => (days === null ? 'all' : `${days}d`);
export const reportStart = (days: ReportDays, now: number): number => (days === null ? 0 : now - days * DAY);

/** Words in any order; returns an unknown one. */
export const readReportRequest = (words: readonly string[]): ReportRequest | { strange: string } => {
  let wish = DEFAULT_REPORT;
  for (const word of words) {
    const by = REPORT_GROUPINGS.find((one) => one === word);
    const more = word === 'file' ? { file: true } : by ? { by } : readDays(word);
    if (!more) return { strange: word };
    wish = { ...wish, ...more };
  }
  return wish;
};
export const REPORT_SPANS = ['7d', '12w', 'all'];
export const REPORT_WORDS = [...REPORT_SPANS, ...REPORT_GROUPINGS, 'file'];
