/** GitHub's answers by address and by the schema that took them, for conditional requests. */
import type { z } from 'zod';
import type { ResponseCache } from '../orchestrator/ports.ts';

/**
 * What a schema took of an answer: the rest, which may be megabytes of an outsider's words, is not
 * held. `at` is when it last was so (epoch ms).
 */
export type CachedAnswer = { etag: string; data: unknown; more: boolean; at: number };

/**
 * Seven or eight for each pull request that is watched: one that falls out is asked for as if it
 * were new.
 */
const MAX_CACHED_ANSWERS = 16_000;

const names = new WeakMap<z.ZodType, number>();
let named = 0;
/** Schemas live as long as their modules; one that is made for a call is never met again. */
const nameOf = (schema: z.ZodType): number => {
  const known = names.get(schema) ?? (named += 1);
  names.set(schema, known);
  return known;
};
const keyOf = (url: string, schema: z.ZodType): string => `${nameOf(schema)} ${url}`;

export type AnswerCache = {
  find(url: string, schema: z.ZodType): Promise<CachedAnswer | undefined>;
  remember(url: string, schema: z.ZodType, kept: CachedAnswer): void;
};

/** `stored` has the answers of earlier starts; one that no longer fits its schema is ignored. */
export const createAnswerCache = (stored: ResponseCache | undefined): AnswerCache => {
  // Least recently used first; a Map keeps the order of insertion.
  const cache = new Map<string, CachedAnswer>();
  const recalled = async (url: string, schema: z.ZodType): Promise<CachedAnswer | undefined> => {
    const found = await stored?.recall(url);
    if (!found) return undefined;
    const { data, success } = schema.safeParse(JSON.parse(found.body));
    return success ? { etag: found.etag, data, more: found.more, at: found.at } : undefined;
  };
  return {
    find: async (url, schema) => cache.get(keyOf(url, schema)) ?? recalled(url, schema),
    remember: (url, schema, kept) => {
      const key = keyOf(url, schema);
      cache.delete(key);
      cache.set(key, kept);
      const oldest = cache.keys().next();
      if (cache.size > MAX_CACHED_ANSWERS && !oldest.done) cache.delete(oldest.value);
    },
  };
};
