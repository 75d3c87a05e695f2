/**
 * F5: how GitHub says that it was asked too much, and for how long it wants to be left alone.
 */
import { z } from 'zod';
import { DAY, MINUTE, SECOND } from '../orchestrator/core/units.ts';

export type ResponseHeaders = Readonly<Record<string, string | number | undefined>>;

/**
 * What it says in words, besides 429 and its headers: GitHub, "Rate limits for the REST API"; "abuse
 * detection" until 2021 and on older servers; content that was "submitted too quickly".
 */
const SAYS = /rate.?limit|abuse.?detection|submitted too quickly/i;

export const isLimit = (
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

/** Which of its limits it is. */
export const limitOf = (headers: ResponseHeaders, words: string): 'hourly_limit' | 'secondary_limit' =>
  isUsedUp(headers) || /API rate limit exceeded/i.test(words) ? 'hourly_limit' : 'secondary_limit';

/** GitHub names the page that explains a refusal. */
const Documented = z.object({ documentation_url: z.string() });
const documentOf = (data: unknown): string => Documented.safeParse(data).data?.documentation_url ?? '';

const Typed = z.object({ errors: z.array(z.object({ type: z.literal('RATE_LIMITED') })).nonempty() });
const hasType = (data: unknown): boolean => Typed.safeParse(data).success;

/** The requests of this hour are used up: those of the API at large, and not those of its search. */
const isUsedUp = (headers: ResponseHeaders): boolean => String(headers['x-ratelimit-remaining']) === '0';
const isOfAll = (headers: ResponseHeaders): boolean =>
  headers['x-ratelimit-resource'] === undefined || headers['x-ratelimit-resource'] === 'core';

export const retryAfter = (headers: ResponseHeaders, now: number): number | null => {
  const given = headers['retry-after'];
  if (given === undefined) return null;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return within(now + seconds * SECOND, now);
  const date = Date.parse(String(given));
  return Number.isFinite(date) ? within(date, now) : null;
};

/**
 * When the hour ends is a time of GitHub's clock, which each answer shows: ours may be minutes away
 * from it. A second more, as GitHub's own client waits.
 */
const resetOf = (headers: ResponseHeaders, now: number): number | null => {
  const left = Number(headers['x-ratelimit-reset']) * SECOND - (timeOf(headers) ?? now);
  return isUsedUp(headers) && left > 0 ? within(now + left + SECOND, now) : null;
};

/** What GitHub's clock showed when it answered (epoch ms); null when it does not say. */
export const timeOf = (headers: ResponseHeaders): number | null => {
  const at = Date.parse(String(headers['date']));
  return Number.isFinite(at) ? at : null;
};

/** Until when it wants to be left alone (epoch ms); null when it does not say. */
export const retryAfterOf = (headers: ResponseHeaders, now: number): number | null =>
  retryAfter(headers, now) ?? resetOf(headers, now);

/**
 * GitHub, "Rate limits for the REST API": without a hint, wait at least a minute. An hour that is over
 * is no hint: whoever says so again and again would be waited for without an end.
 */
export const waitUntil = (headers: ResponseHeaders, now: number): { at: number; isGuess: boolean } => {
  const told = retryAfterOf(headers, now);
  return told === null ? { at: now + MINUTE, isGuess: true } : { at: told, isGuess: false };
};

/** Whether the limit is one of everything that the identity does. */
export const isEverybodys = (headers: ResponseHeaders): boolean => !isUsedUp(headers) || isOfAll(headers);

/** An answer that was the last one of this hour; null while there are more. */
export const lastUntil = (headers: ResponseHeaders, now: number): number | null =>
  isOfAll(headers) ? resetOf(headers, now) : null;

/** What is left of this hour's requests, where it says so. */
export const remainingRequests = (
  headers: ResponseHeaders,
  now: number,
): { requests: number; of: number; until: number } | null => {
  const [requests, of, reset] = ['remaining', 'limit', 'reset'].map((name) =>
    Number(headers[`x-ratelimit-${name}`] ?? NaN),
  );
  if (!isOfAll(headers) || requests === undefined || of === undefined || reset === undefined) return null;
  const left = reset * SECOND - (timeOf(headers) ?? now);
  return Number.isFinite(requests + of + left)
    ? { requests, of, until: within(now + left + SECOND, now) }
    : null;
};

const within = (at: number, now: number): number => Math.min(now + DAY, Math.max(now, at));
