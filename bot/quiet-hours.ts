/** Implements quiet hours in a user's time zone: no sound, and a digest afterwards. */
import { DAY, MINUTE } from '#model/values';

/** Minutes after midnight; `to` may be before `from`, across midnight. */
type QuietHours = { from: number; to: number; zone: string };

export const quietHoursKey = (user: string): string => `quiet:${user}`;

const SPAN_FORM = /^(\d{1,2})(?::(\d{2}))?\s*(?:-|–|—|to|到|至)\s*(\d{1,2})(?::(\d{2}))?(?:\s+(\S+))?$/i;

const isZone = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** Returns null unless written like `22:00-07:30 Europe/Berlin`; the default zone is UTC. */
export const parseQuietHours = (text: string): QuietHours | null => {
  const [, fromHour, fromMinute = '0', toHour, toMinute = '0', zone = 'UTC'] =
    SPAN_FORM.exec(text.trim()) ?? [];
  if (fromHour === undefined || toHour === undefined || !isZone(zone)) return null;
  const toMinutes = (hour: string, minute: string): number =>
    Number(hour) < 24 && Number(minute) < 60 ? Number(hour) * 60 + Number(minute) : NaN;
  const [from, to] = [toMinutes(fromHour, fromMinute), toMinutes(toHour, toMinute)];
  return Number.isNaN(from + to) || from === to ? null : { from, to, zone };
};

const formatMinutes = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
export const formatQuietHours = ({ from, to, zone }: QuietHours): string =>
  `${formatMinutes(from)}-${formatMinutes(to)} ${zone}`;

const DAY_MINUTES = DAY / MINUTE;
const timeAt = (zone: string, now: number): { day: number; minutes: number } => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const readPart = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return {
    day: Date.UTC(readPart('year'), readPart('month') - 1, readPart('day')),
    minutes: readPart('hour') * 60 + readPart('minute'),
  };
};
const minutesOfDay = (zone: string, now: number): number => timeAt(zone, now).minutes;
const minutesBetween = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES;

export const isQuiet = ({ from, to, zone }: QuietHours, now: number): boolean =>
  minutesBetween(from, minutesOfDay(zone, now)) < minutesBetween(from, to);

export const nextQuietEnd = ({ to, zone }: QuietHours, now: number): number =>
  Math.floor(now / MINUTE) * MINUTE + minutesBetween(minutesOfDay(zone, now), to) * MINUTE;

export const lastQuietEnd = ({ to, zone }: QuietHours, now: number): number =>
  Math.floor(now / MINUTE) * MINUTE - minutesBetween(to, minutesOfDay(zone, now)) * MINUTE;

/** The key follows the local clock, which shows an hour twice when it is set back. */
export const lastQuietEndText = ({ to, zone }: QuietHours, now: number): string => {
  const { day, minutes } = timeAt(zone, now);
  const ended = new Date(minutes < to ? day - DAY : day).toISOString().slice(0, 10);
  return `${ended} ${formatMinutes(to)}`;
};
