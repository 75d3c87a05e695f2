/** Parses working hours of a campaign, such as `mon-fri 09:00-17:00 Europe/Berlin`. Pure. */
import { z } from 'zod';
import { DAY, MINUTE, nearestWord } from '#model/values';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const DAY_SPANS = /^[a-z]{3}(?:-[a-z]{3})?(?:,[a-z]{3}(?:-[a-z]{3})?)*$/;
const HOURS = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/;
const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]{1,60}$/;

type Hours = { days: ReadonlySet<number>; from: number; to: number; zone: string };

const clocks = new Map<string, Intl.DateTimeFormat>();
const clockOf = (zone: string): Intl.DateTimeFormat | null => {
  const known = clocks.get(zone.toLowerCase());
  if (known) return known;
  try {
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(zone.toLowerCase(), clock);
    return clock;
  } catch {
    return null;
  }
};

export const isZone = (zone: string): boolean => clockOf(zone) !== null;

export type UnknownZone = { zone: string; near: string | null };
export const findUnknownZone = (zone: string): UnknownZone | null => {
  if (!ZONE.test(zone) || isZone(zone)) return null;
  const known = Intl.supportedValuesOf('timeZone');
  const near = nearestWord(
    zone,
    known.map((one) => one.toLowerCase()),
  );
  return { zone, near: known.find((one) => one.toLowerCase() === near) ?? null };
};

const numberOf = (day: string): number => DAYS.findIndex((one) => one === day.toLowerCase());

/** `fri-mon` spans the weekend; no name means every day. */
export const weekdaysBetween = (first: string | undefined, last: string | undefined): ReadonlySet<number> => {
  if (first === undefined) return new Set(DAYS.keys());
  const [from, to] = [numberOf(first), numberOf(last ?? first)];
  const count = ((to - from + DAYS.length) % DAYS.length) + 1;
  return new Set(Array.from({ length: count }, (_, i) => (from + i) % DAYS.length));
};

const parseDays = (text: string): ReadonlySet<number> | null => {
  if (!DAY_SPANS.test(text)) return null;
  const spans = text.split(',').map((span) => span.split('-'));
  if (spans.flat().some((day) => numberOf(day) < 0)) return null;
  return new Set(spans.flatMap(([first, last]) => [...weekdaysBetween(first, last)]));
};

type HoursProblem = { rule: 'hours' | 'days_alone' } | ({ rule: 'zone' } & UnknownZone);
const readHours = (text: string): Hours | HoursProblem => {
  const words = text.split(' ');
  if (words.length === 1 && parseDays(text.toLowerCase())) return { rule: 'days_alone' };
  const [zone = '', times = '', named, ...rest] = words.toReversed();
  const days = named === undefined ? weekdaysBetween(undefined, undefined) : parseDays(named.toLowerCase());
  const [, h = '', m = '', toH = '', toM = ''] = HOURS.exec(times) ?? [];
  const [from, to] = [Number(h) * 60 + Number(m), Number(toH) * 60 + Number(toM)];
  const fits = Number(h) < 24 && Number(m) < 60 && Number(toM) < 60 && to <= 24 * 60 && from < to;
  if (days === null || !fits || rest.length > 0 || !ZONE.test(zone)) return { rule: 'hours' };
  const unknown = findUnknownZone(zone);
  return unknown ? { rule: 'zone', ...unknown } : { days, from, to, zone };
};

const parseHours = (text: string): Hours | null => {
  const read = readHours(text);
  return 'rule' in read ? null : read;
};

/** The time zone of valid hours. */
export const timeZoneOfHours = (text: string): string => parseHours(text)?.zone ?? 'UTC';

export const WorkingHours = z
  .string()
  .max(100)
  .superRefine((text, context) => {
    const read = readHours(text);
    if ('rule' in read) context.addIssue({ code: 'custom', params: read });
  });

/** Hours as a person may type them, with the time zone as clocks spell it; else what is wrong. */
export const normalizeHours = (text: string): string | HoursProblem => {
  const read = readHours(text);
  if ('rule' in read) return read;
  const known = Intl.supportedValuesOf('timeZone');
  const zone = known.find((one) => one.toLowerCase() === read.zone.toLowerCase()) ?? read.zone;
  return [
    ...text
      .split(' ')
      .slice(0, -1)
      .map((word) => word.toLowerCase()),
    zone,
  ].join(' ');
};

const formatDays = (days: ReadonlySet<number>): string => {
  const isIn = (day: number): boolean => days.has((day + DAYS.length) % DAYS.length);
  const firsts = [...DAYS.keys()].filter((day) => isIn(day) && !isIn(day - 1));
  const spans = firsts.map((first) => {
    let last = first;
    while (isIn(last + 1)) last += 1;
    const [from, to] = [DAYS[first], DAYS[last % DAYS.length]];
    return from === to ? from : `${from}-${to}`;
  });
  return spans.join(',');
};

/** Days count from Monday (0); hours are `hh:mm`, up to `24:00`. */
type DayHours = {
  days: ReadonlySet<number>;
  hours: { from: string; to: string } | null;
  zone: string;
};
export const formatHours = ({ days, hours, zone }: DayHours): string | null => {
  const { from, to } = hours ?? { from: '00:00', to: '24:00' };
  const named = days.size === DAYS.length ? '' : `${formatDays(days)} `;
  return days.size === 0 ? null : `${named}${from}-${to} ${zone}`;
};

export const withoutDays = (text: string | null, days: ReadonlySet<number>, zone: string): string | null => {
  const read = text === null ? null : parseHours(text);
  const kept = new Set([...(read?.days ?? DAYS.keys())].filter((day) => !days.has(day)));
  const [from, to] = text === null ? [] : (text.split(' ').at(-2)?.split('-') ?? []);
  const hours = from === undefined || to === undefined ? null : { from, to };
  return formatHours({ days: kept, hours, zone: read?.zone ?? zone });
};

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
