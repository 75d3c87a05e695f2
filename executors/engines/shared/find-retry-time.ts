/** Finds the retry time in a provider's message. */
import { HOUR, MINUTE, DAY, SECOND } from '#model/values';

const IN = /(?:try again|retry|resets?) (?:in|after)\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)/i;
const AT_TIME = /try again at (\d{1,2}):(\d{2})\s*([AP])M/i;
const AT_DATE = /try again at ([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th)?, (\d{4}) (\d{1,2}:\d{2}\s*[AP]M)/i;
const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR };

/** Epoch ms, or null. Engines write times of day in this machine's time zone. */
export const findRetryTime = (message: string, now: number): number | null => {
  const [, amount, unit] = IN.exec(message) ?? [];
  if (amount !== undefined && unit !== undefined)
    return now + Math.ceil(Number(amount) * (DURATION_UNITS[unit.toLowerCase()] ?? SECOND));
  const [, day, year, hour] = AT_DATE.exec(message) ?? [];
  if (day !== undefined) {
    const at = Date.parse(`${day}, ${year} ${hour}`);
    return Number.isNaN(at) ? null : at;
  }
  const [, hours, minutes, half] = AT_TIME.exec(message) ?? [];
  if (hours === undefined) return null;
  const at = new Date(now);
  at.setHours((Number(hours) % 12) + (half?.toUpperCase() === 'P' ? 12 : 0), Number(minutes), 0, 0);
  return at.getTime() <= now ? at.getTime() + DAY : at.getTime();
};
