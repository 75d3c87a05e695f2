/** Parses when pull requests may be opened, such as `mon-thu 09:00-17:00 Europe/Berlin` (G10). Pure. */
import { z } from 'zod';
import { toRuleParams } from '#model/settings';
import { DAY, HOUR, MINUTE } from '#model/values';
import { findNextOpening, WorkingHours, timeZoneOfHours } from './working-hours.ts';

/** `2026-12-24/2027-01-02`, or without years every year: `12-24/01-02`. */
const DAYS_OFF = /^((?:\d{4}-)?\d\d-\d\d)(?:\/((?:\d{4}-)?\d\d-\d\d))?$/;
const LEAP_YEAR = '2024-';

const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

type DaySpan = { first: string; last: string };
const readDaysOff = (text: string): (DaySpan & { isYearly: boolean }) | null => {
  const [, first = '', last = first] = DAYS_OFF.exec(text) ?? [];
  if (first.length !== last.length) return null;
  const isYearly = first.length === 'mm-dd'.length;
  const year = isYearly ? LEAP_YEAR : '';
  if (!isDay(`${year}${first}`) || !isDay(`${year}${last}`)) return null;
  return isYearly || first <= last ? { first, last, isYearly } : null;
};

const daysOffAround = (text: string, today: string): DaySpan[] => {
  const read = readDaysOff(text);
  if (!read?.isYearly) return read ? [read] : [];
  const { first, last } = read;
  const year = Number(today.slice(0, 4));
  return [year - 1, year].map((begins) => ({
    first: `${begins}-${first}`,
    last: `${first <= last ? begins : begins + 1}-${last}`,
  }));
};

const DaysOff = z
  .string()
  .max(30)
  .refine((text) => readDaysOff(text) !== null, toRuleParams('days_off'));

/** Days off are those of the time zone of the hours, else of UTC; the last one is included. */
export const OpeningWindow = z.strictObject({
  hours: WorkingHours.exactOptional(),
  except: z.array(DaysOff).max(200).exactOptional(),
});
export type OpeningWindow = z.infer<typeof OpeningWindow>;

const calendars = new Map<string, Intl.DateTimeFormat>();
const dayIn = (zone: string): ((at: number) => string) => {
  const calendar =
    calendars.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  calendars.set(zone, calendar);
  return (at) => calendar.format(at);
};

/** The farthest that a zone's midnight is from that of UTC. */
const MAX_ZONE_OFFSET_MS = 14 * HOUR;
const STEP_MS = 15 * MINUTE;

const endOfDaysOff = ({ hours, except = [] }: OpeningWindow, at: number): number | null => {
  if (except.length === 0) return null;
  const dayOf = dayIn(hours === undefined ? 'UTC' : timeZoneOfHours(hours));
  const today = dayOf(at);
  const off = except
    .flatMap((one) => daysOffAround(one, today))
    .find(({ first, last }) => first <= today && today <= last);
  if (!off) return null;
  // February 29 of a year without one is March 1 here, a day late.
  const [year = 0, month = 1, day = 1] = off.last.split('-').map(Number);
  const near = Date.UTC(year, month - 1, day) - MAX_ZONE_OFFSET_MS;
  const first = Math.max(near, Math.floor(at / STEP_MS) * STEP_MS + STEP_MS);
  for (let then = first; then <= first + 2 * MAX_ZONE_OFFSET_MS + DAY + HOUR; then += STEP_MS)
    if (dayOf(then) > off.last) return then;
  return first + DAY;
};

const findReopening = (window: OpeningWindow, at: number): number | null =>
  endOfDaysOff(window, at) ?? (window.hours === undefined ? null : findNextOpening(window.hours, at));

/** Weekly hours meet within weeks, or never will; days off are passed in one look each. */
const MAX_LOOKS = 60;

/** Null while all of them are open, else when they are next (epoch ms); 0 when none is found. */
export const openingsClosedUntil = (windows: readonly OpeningWindow[], now: number): number | null => {
  let at = now;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const from = at;
    const ends = windows.flatMap((window) => findReopening(window, from) ?? []);
    if (ends.length === 0) return at === now ? null : at;
    at = Math.max(...ends);
  }
  return 0;
};

const MAX_HOURS_AHEAD_MS = 8 * DAY;
const MAX_DAYS_AHEAD_MS = 366 * DAY;
const PART_OF_DAY_MS = 6 * HOUR;

/** When open ones close next (epoch ms); null where they do not within a year. */
export const findNextClosing = (windows: readonly OpeningWindow[], now: number): number | null => {
  const isClosed = (at: number): boolean => windows.some((window) => findReopening(window, at) !== null);
  const startsClosed = (at: number): number => (isClosed(at - STEP_MS) ? startsClosed(at - STEP_MS) : at);
  const first = Math.floor(now / STEP_MS) * STEP_MS + STEP_MS;
  for (let at = first; at <= now + MAX_HOURS_AHEAD_MS; at += STEP_MS) if (isClosed(at)) return at;
  for (let at = first + MAX_HOURS_AHEAD_MS; at <= now + MAX_DAYS_AHEAD_MS; at += PART_OF_DAY_MS)
    if (isClosed(at)) return startsClosed(at);
  return null;
};

export const areDaysOffOver = ({ hours, except = [] }: OpeningWindow, now: number): boolean => {
  const today = dayIn(hours === undefined ? 'UTC' : timeZoneOfHours(hours))(now);
  const isOver = (text: string): boolean => {
    const read = readDaysOff(text);
    return read !== null && !read.isYearly && read.last < today;
  };
  return except.length > 0 && except.every(isOver);
};
