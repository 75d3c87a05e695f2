/** Parses when a schedule shows its campaign, such as `monday 09:00 Europe/Berlin` (F5). */
import { z } from 'zod';
import { toRuleParams } from '#model/settings';
import { weekdaysBetween, findUnknownZone, isZone, type UnknownZone } from './working-hours.ts';

const DAY_NAME = '(mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?';
const SHAPE = new RegExp(
  `^(?:(day|month)|${DAY_NAME}(?:-${DAY_NAME})?) (\\d\\d):(\\d\\d)(?: ([A-Za-z][A-Za-z0-9_+/-]{1,60}))?$`,
  'i',
);

/** Cron syntax, for a library that knows clock changes. */
type Cron = { pattern: string; zone: string };

const readRule = (text: string): Cron | null | UnknownZone => {
  const [, span, first, last, h = '', m = '', zone = 'UTC'] = SHAPE.exec(text) ?? [];
  if (h === '' || Number(h) > 23 || Number(m) > 59) return null;
  if (!isZone(zone)) return findUnknownZone(zone);
  const days =
    first === undefined ? [] : [...weekdaysBetween(first, last)].map((day) => (day + 1) % 7).sort();
  const [date, week] = [span?.toLowerCase() === 'month' ? '1' : '*', days.join(',') || '*'];
  return { pattern: `${Number(m)} ${Number(h)} ${date} * ${week}`, zone };
};

export const RepeatRule = z
  .string()
  .max(100)
  .superRefine((text, context) => {
    const read = readRule(text);
    if (read === null) context.addIssue({ code: 'custom', ...toRuleParams('every') });
    else if ('near' in read) context.addIssue({ code: 'custom', params: { rule: 'zone', ...read } });
  });

const parseCron = (every: string): Cron | null => {
  const read = readRule(every);
  return read && 'pattern' in read ? read : null;
};
export const toCron = (every: string): Cron => parseCron(every) ?? { pattern: '0 0 1 1 *', zone: 'UTC' };
