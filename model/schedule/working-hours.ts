/** Parses working hours of a campaign, such as `mon-fri 09:00-17:00 Europe/Berlin`. Pure. */
import { z } from 'zod';
import { ruleOf } from '#model/settings';
import { DAY, MINUTE } from '#model/values';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const SHAPE =
  /^(?:(mon|tue|wed|thu|fri|sat|sun)(?:-(mon|tue|wed|thu|fri|sat|sun))? )?(\d\d):(\d\d)-(\d\d):(\d\d) ([A-Za-z][A-Za-z0-9_+/-]{1,60})$/i;

type Hours = { days: ReadonlySet<number>; from: number; to: number; zone: string };

const clockOf = (zone: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  } catch {
    return null;
  }
};

export const isZone = (zone: string): boolean => clockOf(zone) !== null;

const numberOf = (day: string): number => DAYS.findIndex((one) => one === day.toLowerCase());

/** `fri-mon` spans the weekend; no name means every day. */
export const daysOf = (first: string | undefined, last: string | undefined): ReadonlySet<number> => {
  if (first === undefined) return new Set(DAYS.keys());
  const [from, to] = [numberOf(first), numberOf(last ?? first)];
  const count = ((to - from + DAYS.length) % DAYS.length) + 1;
  return new Set(Array.from({ length: count }, (_, i) => (from + i) % DAYS.length));
};

const parseHours = (text: string): Hours | null => {
  const [, first, last, h = '', m = '', toH = '', toM = '', zone = ''] = SHAPE.exec(text) ?? [];
  const [from, to] = [Number(h) * 60 + Number(m), Number(toH) * 60 + Number(toM)];
  const fits = Number(h) < 24 && Number(m) < 60 && Number(toM) < 60 && to <= 24 * 60 && from < to;
  return fits && clockOf(zone) ? { days: daysOf(first, last), from, to, zone } : null;
};

/** The time zone of valid hours. */
export const zoneOf = (text: string): string => parseHours(text)?.zone ?? 'UTC';

export const WorkingHours = z
  .string()
  .max(100)
  .refine((text) => parseHours(text) !== null, ruleOf('hours'));

const isWithin = ({ days, from, to }: Hours, clock: Intl.DateTimeFormat, at: number): boolean => {
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const minutes = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  return days.has(numberOf(parts.get('weekday') ?? '')) && minutes >= from && minutes < to;
};

const TIME_ZONE_STEP_MS = 15 * MINUTE;

/** Returns null within the hours, else their next start (epoch ms), to a quarter of an hour. */
export const findNextOpening = (text: string, now: number): number | null => {
  const hours = parseHours(text);
  const clock = hours && clockOf(hours.zone);
  if (!hours || !clock || isWithin(hours, clock, now)) return null;
  const first = Math.floor(now / TIME_ZONE_STEP_MS) * TIME_ZONE_STEP_MS + TIME_ZONE_STEP_MS;
  for (let at = first; at <= now + 8 * DAY; at += TIME_ZONE_STEP_MS)
    if (isWithin(hours, clock, at)) return at;
  return now + DAY;
};
