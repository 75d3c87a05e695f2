/** The three API shapes of model providers: paths, errors and usage (E16). */
import { z } from 'zod';

export type ShapeName = 'openai' | 'anthropic' | 'google';

type Route = { method: 'GET' | 'POST'; path: RegExp; paid: boolean };

/** Clients must not retry after `over`, which is permanent. */
export type RefusalKind = 'token' | 'path' | 'bad' | 'large' | 'over' | 'limited' | 'provider';

type Shape = {
  routes: readonly Route[];
  query: RegExp;
  trouble: Readonly<Record<RefusalKind, { status: number; type: string }>>;
  body: (type: string, message: string, status: number) => object;
};

/** Clients need these paths, which are free. */
const LISTS: readonly Route[] = [
  { method: 'GET', path: /^\/v1\/models$/, paid: false },
  { method: 'GET', path: /^\/v1\/models\/[\w.:@-]{1,100}$/, paid: false },
];
const PLAIN_QUERY = /^(\?[\w=&.,-]{0,200})?$/;

export const API_SHAPES: Readonly<Record<ShapeName, Shape>> = {
  openai: {
    routes: [
      { method: 'POST', path: /^\/v1\/responses$/, paid: true },
      { method: 'POST', path: /^\/v1\/responses\/compact$/, paid: true },
      { method: 'POST', path: /^\/v1\/chat\/completions$/, paid: true },
      ...LISTS,
    ],
    query: PLAIN_QUERY,
    trouble: {
      token: { status: 401, type: 'invalid_api_key' },
      path: { status: 404, type: 'not_found' },
      bad: { status: 400, type: 'invalid_request_error' },
      large: { status: 413, type: 'invalid_request_error' },
      over: { status: 400, type: 'insufficient_quota' },
      limited: { status: 429, type: 'rate_limit_exceeded' },
      provider: { status: 502, type: 'server_error' },
    },
    body: (type, message) => ({ error: { message, type, param: null, code: type } }),
  },
  anthropic: {
    routes: [
      { method: 'POST', path: /^\/v1\/messages$/, paid: true },
      { method: 'POST', path: /^\/v1\/messages\/count_tokens$/, paid: false },
      ...LISTS,
    ],
    query: PLAIN_QUERY,
    trouble: {
      token: { status: 401, type: 'authentication_error' },
      path: { status: 404, type: 'not_found_error' },
      bad: { status: 400, type: 'invalid_request_error' },
      large: { status: 413, type: 'request_too_large' },
      over: { status: 400, type: 'invalid_request_error' },
      limited: { status: 429, type: 'rate_limit_error' },
      provider: { status: 502, type: 'api_error' },
    },
    body: (type, message) => ({ type: 'error', error: { type, message } }),
  },
  google: {
    routes: [
      { method: 'POST', path: /^\/v1beta\/models\/[\w.-]{1,100}:(?:streamG|g)enerateContent$/, paid: true },
      { method: 'POST', path: /^\/v1beta\/models\/[\w.-]{1,100}:countTokens$/, paid: false },
      { method: 'GET', path: /^\/v1beta\/models(?:\/[\w.-]{1,100})?$/, paid: false },
    ],
    // Google takes a key from the query, so that anybody's could be put there.
    // guard: E16-google-query
    query: /^(?:\?alt=sse)?$/,
    trouble: {
      token: { status: 401, type: 'UNAUTHENTICATED' },
      path: { status: 404, type: 'NOT_FOUND' },
      bad: { status: 400, type: 'INVALID_ARGUMENT' },
      large: { status: 413, type: 'INVALID_ARGUMENT' },
      over: { status: 400, type: 'FAILED_PRECONDITION' },
      limited: { status: 429, type: 'RESOURCE_EXHAUSTED' },
      provider: { status: 502, type: 'UNAVAILABLE' },
    },
    body: (type, message, status) => ({ error: { code: status, message, status: type } }),
  },
};

export const findModelInPath = (path: string): string | null =>
  /\/models\/([\w.-]+):\w+$/.exec(path)?.[1] ?? null;

type ModelRoute = { shape: ShapeName; paid: boolean };
export const findModelRoute = (
  shapes: readonly ShapeName[],
  method: string,
  path: string,
): ModelRoute | null => {
  for (const shape of shapes) {
    const route = API_SHAPES[shape].routes.find((one) => one.method === method && one.path.test(path));
    if (route !== undefined) return { shape, paid: route.paid };
  }
  return null;
};

/** The provider's cache: `cached` is read, `stored` written, `storedLong` for an hour. */
export type TokenCounts = {
  fresh: number;
  cached: number;
  stored: number;
  storedLong: number;
  output: number;
};
export const NO_TOKENS: TokenCounts = { fresh: 0, cached: 0, stored: 0, storedLong: 0, output: 0 };
export type ReportedUsage = TokenCounts & { costUsd: number; tier: string | null };

const count = z.number().int().min(0).max(1e9).optional().catch(undefined);
const details = z
  .object({ cached_tokens: count, cache_write_tokens: count, cache_creation_tokens: count })
  .optional()
  .catch(undefined);
const Wire = z.object({
  input_tokens: count,
  prompt_tokens: count,
  output_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: z.object({ ephemeral_1h_input_tokens: count }).optional().catch(undefined),
  input_tokens_details: details,
  prompt_tokens_details: details,
  cost: z.number().min(0).max(1e6).optional().catch(undefined),
});
const tier = z.string().max(40).nullish().catch(undefined);
const holder = z.object({ usage: z.unknown().optional(), service_tier: tier }).optional().catch(undefined);
/** Some providers put the usage of a stream into its last choice. */
const choices = z
  .array(z.object({ usage: z.unknown().optional() }))
  .optional()
  .catch(undefined);
const GoogleUsage = z.object({
  promptTokenCount: count,
  toolUsePromptTokenCount: count,
  cachedContentTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  totalTokenCount: count,
});
const Holder = z.object({
  choices,
  usageMetadata: GoogleUsage.optional().catch(undefined),
  usage: z.unknown().optional(),
  service_tier: tier,
  response: holder,
  message: holder,
});

const isGiven = (usage: unknown): boolean => usage !== undefined && usage !== null;

/** Its prompt counts what was cached, its answer leaves the thoughts out. */
const googleUsage = (told: z.infer<typeof GoogleUsage>): ReportedUsage | null => {
  if (Object.values(told).every((value) => value === undefined)) return null;
  const input = (told.promptTokenCount ?? 0) + (told.toolUsePromptTokenCount ?? 0);
  const made = (told.candidatesTokenCount ?? 0) + (told.thoughtsTokenCount ?? 0);
  const output = Math.max(made, (told.totalTokenCount ?? 0) - input);
  const cached = Math.min(told.cachedContentTokenCount ?? 0, input);
  return { ...NO_TOKENS, fresh: input - cached, cached, output, costUsd: 0, tier: null };
};

export const findReportedUsage = (shape: ShapeName, said: unknown): ReportedUsage | null => {
  const held = Holder.safeParse(said).data;
  if (shape === 'google') return googleUsage(held?.usageMetadata ?? {});
  const inChoice = held?.choices?.find(({ usage }) => isGiven(usage))?.usage;
  const read = Wire.safeParse(held?.usage ?? held?.response?.usage ?? held?.message?.usage ?? inChoice).data;
  if (read === undefined || Object.values(read).every((value) => value === undefined)) return null;
  const output = read.output_tokens ?? read.completion_tokens ?? 0;
  const costUsd = read.cost ?? 0;
  if (shape === 'anthropic') {
    const written = read.cache_creation_input_tokens ?? 0;
    const storedLong = Math.min(written, read.cache_creation?.ephemeral_1h_input_tokens ?? 0);
    const cached = read.cache_read_input_tokens ?? 0;
    const stored = written - storedLong;
    return { fresh: read.input_tokens ?? 0, cached, stored, storedLong, output, costUsd, tier: null };
  }
  const input = read.input_tokens ?? read.prompt_tokens ?? 0;
  // Some providers bill reasoning beside the completion, and count it in the total alone.
  // guard: E18-reasoning-beside
  const made = Math.max(output, (read.total_tokens ?? 0) - input);
  const of = read.input_tokens_details ?? read.prompt_tokens_details;
  const cached = Math.min(of?.cached_tokens ?? 0, input);
  // Input that is not itemised may all have been cached.
  const written = of?.cache_write_tokens ?? of?.cache_creation_tokens ?? input;
  const stored = Math.min(written, input - cached);
  const used = held?.service_tier ?? held?.response?.service_tier ?? null;
  const fresh = input - cached - stored;
  return { fresh, cached, stored, storedLong: 0, output: made, costUsd, tier: used };
};
