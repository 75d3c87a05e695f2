/** Reads a provider's own prices from `GET /models`, if no other price is known (E18). */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { HOUR, MB, MINUTE, SECOND } from '#model/values';
import type { HttpAgents } from '#network';
import { upstreamUrlOf } from './read-incoming-request.ts';
import type { ModelPrice } from './model-price.ts';
import { sendUpstreamRequest } from './upstream-request.ts';

const MAX_LIST_BYTES = 8 * MB;
const MAX_MODELS = 20_000;
const LIST_TIMEOUT_MS = 10 * SECOND;
const LIST_TTL_MS = HOUR;
const EMPTY_TTL_MS = 5 * MINUTE;
const MAX_LISTS = 50;

/** Routers use `-1` for a variable price. */
const PerToken = z
  .union([z.string().regex(/^\d{1,6}(?:\.\d{1,30})?(?:e-\d{1,2})?$/i), z.number().min(0)])
  .transform(Number)
  .refine((usd) => Number.isFinite(usd) && usd <= 1);
const Entry = z.object({
  id: z.string().min(1).max(200),
  pricing: z.object({
    prompt: PerToken,
    completion: PerToken,
    input_cache_read: PerToken.optional(),
    input_cache_write: PerToken.optional(),
    internal_reasoning: PerToken.optional(),
    /** A price per request cannot be expressed in tokens. */
    request: PerToken.refine((usd) => usd === 0).optional(),
  }),
});
const List = z.object({ data: z.array(z.unknown()).max(MAX_MODELS) });

type PriceList = ReadonlyMap<string, ModelPrice>;
const TOKENS_PER_LISTED_PRICE = 1_000_000;

export const readPriceList = (text: string): PriceList => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Map();
  }
  const entries = List.safeParse(body).data?.data ?? [];
  return new Map(
    entries.flatMap((entry): [string, ModelPrice][] => {
      const found = Entry.safeParse(entry).data;
      if (!found) return [];
      const { prompt, completion, input_cache_read: read, input_cache_write: write } = found.pricing;
      const price = {
        input: prompt * TOKENS_PER_LISTED_PRICE,
        // Thinking tokens count as output.
        output: Math.max(completion, found.pricing.internal_reasoning ?? 0) * TOKENS_PER_LISTED_PRICE,
        ...(read === undefined ? {} : { cached: read * TOKENS_PER_LISTED_PRICE }),
        ...(write === undefined ? {} : { stored: write * TOKENS_PER_LISTED_PRICE }),
      };
      return [[found.id, price]];
    }),
  );
};

const readBounded = async (answer: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) {
      answer.destroy();
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

type ListedAt = { base: string; key: string | null };
/** Rejects if the server does not answer; null means that no price is listed. */
export type ListedPriceOf = (at: ListedAt, model: string) => Promise<ModelPrice | null>;

export const createListedPrices = (agents: HttpAgents, now: () => number): ListedPriceOf => {
  const lists = new Map<string, { until: number; list: Promise<PriceList> }>();

  const askForPrices = async ({ base, key }: ListedAt): Promise<PriceList> => {
    const answer = await sendUpstreamRequest(
      agents,
      upstreamUrlOf(base, new URL('http://gateway/v1/models')),
      {
        method: 'GET',
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: null,
        signal: AbortSignal.timeout(LIST_TIMEOUT_MS),
      },
    );
    const status = answer.statusCode ?? 502;
    // guard: E18-listed-prices-here
    if (status !== 200) {
      answer.destroy();
      if (status === 429 || status >= 500) throw new Error(`the list of prices was refused (${status})`);
      return new Map();
    }
    const text = await readBounded(answer);
    return text === null ? new Map() : readPriceList(text);
  };

  const listAt = (at: ListedAt): Promise<PriceList> => {
    const kept = lists.get(at.base);
    if (kept && kept.until > now()) return kept.list;
    const list = askForPrices(at);
    const entry = { until: now() + LIST_TTL_MS, list };
    lists.set(at.base, entry);
    const [oldest] = lists.keys();
    if (lists.size > MAX_LISTS && oldest !== undefined) lists.delete(oldest);
    list.then(
      ({ size }) => {
        if (size === 0) entry.until = now() + EMPTY_TTL_MS;
      },
      () => lists.delete(at.base),
    );
    return list;
  };

  return async (at, model) => (await listAt(at)).get(model) ?? null;
};
