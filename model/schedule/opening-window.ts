/** Parses when pull requests may be opened, such as `mon-thu 09:00-17:00 Europe/Berlin` (G10). Pure. */
import { z } from 'zod';
import { ruleOf } from '#model/settings';
import { DAY, HOUR, MINUTE } from '#model/values';
import { findNextOpening, WorkingHours, zoneOf } from './working-hours.ts';

const DAYS_OFF = /^(\d{4}-\d\d-\d\d)(?:\/(\d{4}-\d\d-\d\d))?$/;

const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

const readDaysOff = (text: string): { first: string; last: string } | null => {
  const [, first = '', last = first] = DAYS_OFF.exec(text) ?? [];
  return isDay(first) && isDay(last) && first <= last ? { first, last } : null;
};

const DaysOff = z
  .string()
  .max(30)
  .refine((text) => readDaysOff(text) !== null, ruleOf('days_off'));

/** Days off are those of the time zone of the hours, else of UTC; the last one is included. */
export const OpeningWindow = z.strictObject({
  hours: WorkingHours.exactOptional(),
  except: z.array(DaysOff).max(200).exactOptional(),
});
export type OpeningWindow = z.infer<typeof OpeningWindow>;

const dayIn = (zone: string): ((at: number) => string) => {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => clock.format(at);
};

/** The farthest that a zone's midnight is from that of UTC. */
const MAX_ZONE_OFFSET_MS = 14 * HOUR;
const STEP_MS = 15 * MINUTE;

const endOfDaysOff = ({ hours, except = [] }: OpeningWindow, at: number): number | null => {
  if (except.length === 0) return null;
  const dayOf = dayIn(hours === undefined ? 'UTC' : zoneOf(hours));
  const today = dayOf(at);
  const off = except.map(readDaysOff).find((one) => one && one.first <= today && today <= one.last);
  if (!off) return null;
  const near = Date.parse(`${off.last}T00:00:00Z`) + DAY - MAX_ZONE_OFFSET_MS;
  const first = Math.max(near, Math.floor(at / STEP_MS) * STEP_MS + STEP_MS);
  for (let then = first; then <= first + 2 * MAX_ZONE_OFFSET_MS + HOUR; then += STEP_MS)
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
