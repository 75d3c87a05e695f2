/**
 * E16: a provider counts the requests of all our processes together, so what it asked of one of them
 * holds for all. Only its own answers count: a box cannot make others wait.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { HOUR, SECOND } from '../../orchestrator/core/units.ts';

export type ProviderBudget = {
  /** For how long nobody asks the provider, which is a host (ms); 0 is now. */
  left(provider: string): Promise<number>;
  /** It wants to be left alone for so long (ms); null: it does not say for how long. */
  refused(provider: string, ms: number | null): Promise<void>;
  /** It answered. */
  answered(provider: string): Promise<void>;
};

/** Each process for itself. */
export const NO_BUDGET: ProviderBudget = {
  left: async () => 0,
  refused: async () => {},
  answered: async () => {},
};

/** However long it wants, it is asked again within this (ms). */
const MAX_PROVIDER_WAIT_MS = HOUR;

/** Too many requests, out of service, and what a CDN and Anthropic say of an overload. */
const OVERLOADED_STATUSES = new Set([429, 503, 529]);

/** How long it wants to be left alone (ms); null when it does not say. */
export const askedToWait = (status: number, headers: IncomingHttpHeaders): number | null => {
  if (!OVERLOADED_STATUSES.has(status)) return null;
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  const ms = Number.isFinite(exact) ? exact : Number(headers['retry-after'] ?? Number.NaN) * SECOND;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_PROVIDER_WAIT_MS) : null;
};

const QUOTA = /insufficient_quota|exceeded your current quota|billing_hard_limit|credit balance is too low/i;
/** Nothing is answered before somebody pays: no wait that it names would help. */
export const isOutOfQuota = (status: number | null, said: string): boolean =>
  status !== null && [400, 402, 403, 429].includes(status) && QUOTA.test(said);
