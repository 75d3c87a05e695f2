/** Parses GitHub's rate-limit answers (F5). */
import { z } from 'zod';
import { DAY, MINUTE, SECOND } from '#model/values';

export type ResponseHeaders = Readonly<Record<string, string | number | undefined>>;

/** Messages besides 429 (GitHub, "Rate limits for the REST API"; "abuse detection" until 2021). */
const SAYS = /rate.?limit|abuse.?detection|submitted too quickly/i;

export const isRateLimit = (
  { status, headers }: { status: number; headers: ResponseHeaders },
  words: string,
  data: unknown,
): boolean => {
  if (status === 422) return /submitted too quickly/i.test(words);
  if (status !== 403 && status !== 429) return false;
  return (
    status === 429 ||
    isUsedUp(headers) ||
    headers['retry-after'] !== undefined ||
    SAYS.test(words) ||
    SAYS.test(documentOf(data)) ||
    hasType(data)
  );
};

export const rateLimitKind = (headers: ResponseHeaders, words: string): 'hourly_limit' | 'secondary_limit' =>
  isUsedUp(headers) || /API rate limit exceeded/i.test(words) ? 'hourly_limit' : 'secondary_limit';

const Documented = z.object({ documentation_url: z.string() });
const documentOf = (data: unknown): string => Documented.safeParse(data).data?.documentation_url ?? '';

const Typed = z.object({ errors: z.array(z.object({ type: z.literal('RATE_LIMITED') })).nonempty() });
const hasType = (data: unknown): boolean => Typed.safeParse(data).success;

/** The hourly quota is used up; searches have a quota of their own. */
const isUsedUp = (headers: ResponseHeaders): boolean => String(headers['x-ratelimit-remaining']) === '0';
const isOfAll = (headers: ResponseHeaders): boolean =>
  headers['x-ratelimit-resource'] === undefined || headers['x-ratelimit-resource'] === 'core';

export const findRetryAfterTime = (headers: ResponseHeaders, now: number): number | null => {
  const given = headers['retry-after'];
  if (given === undefined) return null;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return clampToDay(now + seconds * SECOND, now);
  const date = Date.parse(String(given));
  return Number.isFinite(date) ? clampToDay(date, now) : null;
};

/** Uses GitHub's clock, which may differ from ours; one second more, as in GitHub's client. */
const resetOf = (headers: ResponseHeaders, now: number): number | null => {
  const left = Number(headers['x-ratelimit-reset']) * SECOND - (findServerTime(headers) ?? now);
  return isUsedUp(headers) && left > 0 ? clampToDay(now + left + SECOND, now) : null;
};

/** GitHub's clock (epoch ms), or null. */
export const findServerTime = (headers: ResponseHeaders): number | null => {
  const at = Date.parse(String(headers['date']));
  return Number.isFinite(at) ? at : null;
};

/** End of the pause (epoch ms), or null. */
export const findPauseEnd = (headers: ResponseHeaders, now: number): number | null =>
  findRetryAfterTime(headers, now) ?? resetOf(headers, now);

/** GitHub, "Rate limits for the REST API": wait at least a minute without a hint. */
export const estimatePauseEnd = (headers: ResponseHeaders, now: number): { at: number; isGuess: boolean } => {
  const told = findPauseEnd(headers, now);
  return told === null ? { at: now + MINUTE, isGuess: true } : { at: told, isGuess: false };
};

/** True when the limit covers all requests of the identity. */
export const isIdentityWideLimit = (headers: ResponseHeaders): boolean =>
  !isUsedUp(headers) || isOfAll(headers);

/** Set when this answer used the last request of the hour. */
export const findQuotaResetTime = (headers: ResponseHeaders, now: number): number | null =>
  isOfAll(headers) ? resetOf(headers, now) : null;

export const remainingRequests = (
  headers: ResponseHeaders,
  now: number,
): { requests: number; of: number; until: number } | null => {
  const [requests, of, reset] = ['remaining', 'limit', 'reset'].map((name) =>
    Number(headers[`x-ratelimit-${name}`] ?? NaN),
  );
  if (!isOfAll(headers) || requests === undefined || of === undefined || reset === undefined) return null;
  const left = reset * SECOND - (findServerTime(headers) ?? now);
  return Number.isFinite(requests + of + left)
    ? { requests, of, until: clampToDay(now + left + SECOND, now) }
    : null;
};

const clampToDay = (at: number, now: number): number => Math.min(now + DAY, Math.max(now, at));
