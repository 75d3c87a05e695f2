/** Cache of GitHub's answers by URL and schema, for conditional requests. */
import type { z } from 'zod';
import type { ResponseCache } from '#ports/forge';

/** Holds only what the schema took, as the rest may be megabytes. `at`: confirmed at (epoch ms). */
export type CachedAnswer = { etag: string; data: unknown; more: boolean; at: number };

/** Eight entries per watched pull request; an evicted one is fetched without an ETag. */
const MAX_CACHED_ANSWERS = 16_000;

const names = new WeakMap<z.ZodType, number>();
let named = 0;
/** Only for schemas that live as long as their modules. */
const nameOf = (schema: z.ZodType): number => {
  const known = names.get(schema) ?? (named += 1);
  names.set(schema, known);
  return known;
};
const keyOf = (url: string, schema: z.ZodType): string => `${nameOf(schema)} ${url}`;

type AnswerCache = {
  find(url: string, schema: z.ZodType): Promise<CachedAnswer | undefined>;
  remember(url: string, schema: z.ZodType, kept: CachedAnswer): void;
};

/** `stored`: answers of earlier starts, ignored when they do not fit the schema. */
export const createResponseCache = (stored: ResponseCache | undefined): AnswerCache => {
  const cache = new Map<string, CachedAnswer>();
  const recallAnswer = async (url: string, schema: z.ZodType): Promise<CachedAnswer | undefined> => {
    const found = await stored?.recall(url);
    if (!found) return undefined;
    const { data, success } = schema.safeParse(JSON.parse(found.body));
    return success ? { etag: found.etag, data, more: found.more, at: found.at } : undefined;
  };
  return {
    find: async (url, schema) => cache.get(keyOf(url, schema)) ?? recallAnswer(url, schema),
    remember: (url, schema, kept) => {
      const key = keyOf(url, schema);
      cache.delete(key);
      cache.set(key, kept);
      const oldest = cache.keys().next();
      if (cache.size > MAX_CACHED_ANSWERS && !oldest.done) cache.delete(oldest.value);
    },
  };
};
