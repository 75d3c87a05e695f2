/**
 * F4: what a code host answered last, so that it can be asked whether that still holds, after a
 * restart as well.
 */

/** `body` is what it sent, as text; `at` is when (epoch ms). `more`: another page follows. */
export type CachedResponse = { etag: string; body: string; more: boolean; at: number };

export type ResponseCache = {
  recall(key: string): Promise<CachedResponse | null>;
  /** Best effort: what is not kept is asked for anew. */
  keep(key: string, answer: CachedResponse): Promise<void>;
};
