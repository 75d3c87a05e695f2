/** Stores the code host's last answers, so that requests stay conditional after a restart (F4). */

/** `body`: response text. `at`: epoch ms. `more`: another page follows. */
export type CachedResponse = { etag: string; body: string; more: boolean; at: number };

export type ResponseCache = {
  recall(key: string): Promise<CachedResponse | null>;
  /** Best effort: a lost answer is fetched again. */
  keep(key: string, answer: CachedResponse): Promise<void>;
};
