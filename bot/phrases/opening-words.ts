/** Reads when pull requests may be opened: `no pull requests on Fridays` (G10). Pure. */
import { weekdaysBetween } from '#model/schedule';
import { wordPatterns } from '#tools/words';
import { findClockSpan, type ClockSpan } from './clock-words.ts';

export type OpeningWish =
  | { kind: 'never'; days: ReadonlySet<number> }
  | { kind: 'only'; days: ReadonlySet<number>; hours: ClockSpan | null }
  | { kind: 'always' };

const WORDS_FOLDER = 'bot/phrases/words';
const OPENING_WORDS = wordPatterns(WORDS_FOLDER, 'openings', ['never', 'only', 'always']);
const LISTS = wordPatterns(WORDS_FOLDER, 'dayLists', ['and', 'to']);
const DAY_NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'weekend', 'workdays'] as const;
const DAYS = wordPatterns(WORDS_FOLDER, 'days', DAY_NAMES);
const withDaysNamed = (said: string): string =>
  DAY_NAMES.reduce((text, day) => text.split(DAYS[day]).join(day), said);

const GROUPS: Readonly<Record<string, readonly [first: string, last: string]>> = {
  weekend: ['sat', 'sun'],
  workdays: ['mon', 'fri'],
};
const readDays = (list: string): ReadonlySet<number> =>
  new Set(
    list.split(LISTS.and).flatMap((part) => {
      const [first = '', last = first] = GROUPS[part] ?? part.split(LISTS.to);
      return [...weekdaysBetween(first, last)];
    }),
  );

const findGroups = (said: string, pattern: RegExp): string[] | null =>
  pattern
    .exec(said)
    ?.slice(1)
    .filter((group) => group !== undefined) ?? null;

/** The whole sentence, or nothing: another word may mean one repository, or one week. */
export const readOpeningWish = (said: string): OpeningWish | null => {
  const named = withDaysNamed(said);
  if (OPENING_WORDS.always.test(named)) return { kind: 'always' };
  const never = findGroups(named, OPENING_WORDS.never);
  if (never) return { kind: 'never', days: readDays(never[0] ?? '') };
  const [days, hours] = findGroups(named, OPENING_WORDS.only) ?? [];
  if (days === undefined) return null;
  const span = hours === undefined ? null : readDayHours(hours);
  return span === 'unread' ? null : { kind: 'only', days: readDays(days), hours: span };
};

/** `9 to 5` of a working day ends in the afternoon. */
const readDayHours = (said: string): ClockSpan | 'unread' => {
  const span = findClockSpan(said);
  if (!span) return 'unread';
  if (span.from < span.to) return span;
  const [hour = '', minutes = ''] = span.to.split(':');
  const to = `${Number(hour) + 12}:${minutes}`;
  return Number(hour) < 12 && span.from < to ? { from: span.from, to } : 'unread';
};
