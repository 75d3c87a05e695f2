/** Shares a provider's rate limit between processes, by the provider's answers only (E16). */
import type { IncomingHttpHeaders } from 'node:http';
import { DAY, SECOND } from '#model/values';

export type ProviderBudget = {
  /** Time to wait (ms); 0 means now. A provider is a host. */
  left(provider: string): Promise<number>;
  /** The requested pause (ms); null if unspecified. */
  refused(provider: string, ms: number | null): Promise<void>;
  answered(provider: string): Promise<void>;
};

export const NO_BUDGET: ProviderBudget = {
  left: async () => 0,
  refused: async () => {},
  answered: async () => {},
};

/** Limits of a week are said by providers; timers take no more than 24 days. */
const MAX_PROVIDER_WAIT_MS = 8 * DAY;
/** All runs are held that long at most, because a quota may be raised meanwhile. */
const MAX_SHARED_PAUSE_MS = DAY;
export const capSharedPause = (ms: number): number => Math.min(ms, MAX_SHARED_PAUSE_MS);

/** Seconds, or a date of HTTP. */
const retryAfterMs = (value: string, now: number): number => {
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds * SECOND : Date.parse(value) - now;
};

/** CDNs and Anthropic report overload by 529. */
const OVERLOADED_STATUSES = new Set([429, 503, 529]);

export const findRequestedWaitMs = (
  status: number,
  headers: IncomingHttpHeaders,
  now: number,
): number | null => {
  if (!OVERLOADED_STATUSES.has(status)) return null;
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  const ms = Number.isFinite(exact) ? exact : retryAfterMs(headers['retry-after'] ?? 'unsaid', now);
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_PROVIDER_WAIT_MS) : null;
};

const RETRY_INFO = /"retryDelay"\s*:\s*"(\d{1,7}(?:\.\d{1,9})?)s"/;
/** Google tells it in the body alone, and for a day's quota a time after which nothing changed. */
export const findRetryDelayMs = (status: number, said: string): number | null => {
  const [, seconds] = (OVERLOADED_STATUSES.has(status) && RETRY_INFO.exec(said)) || [];
  if (seconds === undefined || /"quotaId"\s*:\s*"\w*PerDay/.test(said)) return null;
  return Math.min(Number(seconds) * SECOND, MAX_PROVIDER_WAIT_MS);
};

const QUOTA = /insufficient_quota|exceeded your current quota|billing_hard_limit|credit balance is too low/i;
/** Waiting is useless until somebody pays. */
export const isOutOfQuota = (status: number | null, said: string): boolean =>
  status !== null && [400, 402, 403, 429].includes(status) && QUOTA.test(said);
