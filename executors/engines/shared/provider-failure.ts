/** Classifies a provider's refusal by status and words, for all programs (E5). */
import { PROVIDER_OUTAGE, type EngineFailure } from './engine-failure.ts';

type Class = EngineFailure['class'];

const ofStatus = (status: number): Class | null => {
  if (status === 401 || status === 403) return 'auth_missing';
  if (status === 402) return 'quota_exhausted';
  if (status === 408 || status >= 500) return 'model_unavailable';
  if (status === 429) return 'rate_limited';
  return status === 400 || status === 404 ? 'bad_config' : null;
};

/** Order matters: an exhausted quota has the status of a rate limit. */
const FAILURE_CLASS_BY_PATTERN: readonly [RegExp, Class][] = [
  [/api key not valid|API_KEY_INVALID|api key expired/i, 'auth_missing'],
  [/exhausted your daily quota/i, 'quota_exhausted'],
  [/retry (?:in|after) \d|"retryDelay"/i, 'rate_limited'],
  [/insufficient_quota|exceeded your current quota|credit balance|out of credits/i, 'quota_exhausted'],
  [
    /context_length_exceeded|context window|prompt is too long|maximum context|maximum number of tokens allowed/i,
    'context_exceeded',
  ],
  [/\bmodels\/\S{1,300} is not found/i, 'bad_config'],
];
const LAST_WORDS: readonly [RegExp, Class][] = [
  [/api key is missing|unauthorized|not logged in/i, 'auth_missing'],
  [/model not found|no such model|model .{0,300}does not exist/i, 'bad_config'],
  [/session not found/i, 'session_lost'],
  [/rate limit|too many requests/i, 'rate_limited'],
  [PROVIDER_OUTAGE, 'model_unavailable'],
];
const findClass = (table: typeof FAILURE_CLASS_BY_PATTERN, said: string): Class | undefined =>
  table.find(([words]) => words.test(said))?.[1];

export const classifyProviderFailure = (said: string, status: number | null): Class | null =>
  findClass(FAILURE_CLASS_BY_PATTERN, said) ??
  (status === null ? null : ofStatus(status)) ??
  findClass(LAST_WORDS, said) ??
  null;
