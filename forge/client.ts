/** One way to ask GitHub: authenticated, timed, cached by ETag, parsed by zod; nothing is ever repeated here. */
import { Octokit } from '@octokit/rest';
import type { z } from 'zod';
import type { FailureClass } from '../orchestrator/core/failures.ts';
import type { Clock } from '../orchestrator/ports.ts';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { download } from './download.ts';
import { failureOf, moved, statusOf, unreadable } from './failures.ts';
import { MB } from '../orchestrator/core/units.ts';

export type ClientParts = {
  apiUrl: string;
  token: () => Promise<string>;
  userAgent: string;
  clock: Clock;
  /** Per request, in ms. */
  timeoutMs?: number;
  /** Called when GitHub could not be reached, or did not take our credential. */
  onTrouble?: () => void;
};
type Params = Record<string, unknown>;
export type Named = { owner: string; repo: string };
/** What a schema took of an answer: the rest, which may be megabytes of a stranger's words, is not held. */
type Kept = { etag: string; data: unknown; more: boolean };

export type Client = {
  /** A conditional GET: an unchanged answer costs no rate limit (GitHub, "Best practices for using the REST API"). */
  get<T>(route: string, params: Params, schema: z.ZodType<T>): Promise<T>;
  /**
   * All pages, or those from `from` on; `pick` takes a page's items out of its answer. When there are more than we read, `cut`
   * is told, or it rejects (forge_refused).
   */
  pages<T, I>(
    route: string,
    params: Params,
    schema: z.ZodType<T>,
    pick: (page: T) => I[],
    cut?: () => void,
    from?: number,
  ): Promise<I[]>;
  post<T>(route: string, params: Params, schema: z.ZodType<T>): Promise<T>;
  /** The end of a log, at most 2 MB; never kept. */
  text(route: string, params: Params): Promise<string>;
};

const VERSION = '2022-11-28';
const TIMEOUT = 15_000;
export const PAGE = 100;
/** GitHub shows at most the newest 1,000 of most things; of the checks of a commit there may be more. */
const MOST_PAGES = 10;
const MOST_PAGES_CUT = 50;
const KEPT = 500;
/** Far more than any answer of the API has (bytes). */
const LARGEST = 32 * MB;
/** A log may have to be read for long before its end comes. */
const LOG_PATIENCE = 4;
const TROUBLE: readonly FailureClass[] = ['auth_missing', 'forge_unavailable'];
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
function nothing(): void {}

export const createClient = ({
  apiUrl,
  token,
  userAgent,
  clock,
  timeoutMs = TIMEOUT,
  onTrouble,
}: ClientParts): Client => {
  const base = new URL(apiUrl).href.replace(/\/+$/, '');
  const octokit = new Octokit({
    ...{ baseUrl: base, userAgent, log: silent },
    request: { fetch: boundedFetch },
  });
  // Least recently used first; a Map keeps the order of insertion.
  const cache = new Map<string, Kept>();
  const remember = (key: string, kept: Kept): void => {
    cache.delete(key);
    cache.set(key, kept);
    const oldest = cache.keys().next();
    if (cache.size > KEPT && !oldest.done) cache.delete(oldest.value);
  };

  const ask = async (method: 'GET' | 'POST', route: string, params: Params, kept?: Kept) => {
    const headers = {
      ...{ authorization: `Bearer ${await token()}`, 'x-github-api-version': VERSION },
      ...(kept ? { 'if-none-match': kept.etag } : {}),
    };
    // A redirected POST would become a GET, and its answer would be taken for what was created.
    const redirect = method === 'POST' ? ('manual' as const) : ('follow' as const);
    const request = { signal: AbortSignal.timeout(timeoutMs), redirect };
    const answer = await octokit.request(`${method} ${route}`, { ...params, headers, request });
    if (answer.status >= 300) throw moved();
    const data: unknown = answer.data;
    return { headers: answer.headers, data };
  };

  const classified = async <T>(go: () => Promise<T>): Promise<T> => {
    try {
      return await go();
    } catch (error) {
      const failure = failureOf(error, clock.now());
      if (failure instanceof OutsideFailure && TROUBLE.includes(failure.class)) onTrouble?.();
      throw failure;
    }
  };

  const parsed = <T>(schema: z.ZodType<T>, data: unknown): T => {
    const result = schema.safeParse(data);
    if (!result.success) throw unreadable();
    return result.data;
  };

  /** `more`: GitHub links to a next page. */
  const read = async <T>(
    route: string,
    params: Params,
    schema: z.ZodType<T>,
  ): Promise<{ data: T; more: boolean }> => {
    const key = `${nameOf(schema)} ${octokit.request.endpoint(`GET ${route}`, params).url}`;
    const kept = cache.get(key);
    try {
      const { headers, data } = await ask('GET', route, params, kept);
      if (typeof data === 'string' || data instanceof ArrayBuffer) throw unreadable();
      const taken = parsed(schema, data);
      const more = /rel="?next\b/i.test(headers.link ?? '');
      if (headers.etag) remember(key, { etag: headers.etag, data: taken, more });
      return { data: taken, more };
    } catch (error) {
      if (!kept || statusOf(error) !== 304) throw error;
      remember(key, kept);
      // The key names the schema that took it.
      return { data: kept.data as T, more: kept.more };
    }
  };

  return {
    get: (route, params, schema) => classified(async () => (await read(route, params, schema)).data),
    pages: (route, params, schema, pick, cut, from = 1) =>
      classified(async () => {
        const items = [];
        for (let page = from; page < from + (cut ? MOST_PAGES_CUT : MOST_PAGES); page += 1) {
          const { data, more } = await read(route, { ...params, per_page: PAGE, page }, schema);
          const some = pick(data);
          items.push(...some);
          // A page may be shorter than we asked for, and not the last all the same.
          // guard: F3-whole-list
          if (some.length < PAGE && !more) return items;
        }
        if (cut) {
          cut();
          return items;
        }
        // Half of a list is no answer: what is left out may be the check that failed.
        throw new OutsideFailure(
          'forge_refused',
          `GitHub lists ${MOST_PAGES * PAGE} entries or more, and AgentPR reads no further. Look there: ${route}`,
        );
      }),
    post: (route, params, schema) =>
      classified(async () => parsed(schema, (await ask('POST', route, params)).data)),
    text: (route, params) =>
      classified(async () =>
        download({
          url: octokit.request.endpoint(`GET ${route}`, params).url,
          home: `${base}/`,
          credentials: { authorization: `Bearer ${await token()}` },
          headers: { 'user-agent': userAgent, 'x-github-api-version': VERSION },
          signal: AbortSignal.timeout(timeoutMs * LOG_PATIENCE),
          now: () => clock.now(),
        }),
      ),
  };
};

const names = new WeakMap<z.ZodType, number>();
let named = 0;
/** Schemas live as long as their modules; one that is made for a call is never met again. */
const nameOf = (schema: z.ZodType): number => {
  const known = names.get(schema) ?? (named += 1);
  names.set(schema, known);
  return known;
};

/** Ends an answer that has no end; Octokit then takes it for one that it cannot read. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  let left = LARGEST;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, rest) {
      left -= chunk.length;
      if (left < 0) rest.error(new Error('The answer is too long'));
      else rest.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(bound), { status, statusText, headers });
};

/** Of a part: the credential was not given it, or it is not there. Not a limit, an outage, or a question that GitHub does not take. */
export const isKept = (error: unknown): error is OutsideFailure =>
  error instanceof OutsideFailure &&
  ['repository_missing', 'forge_refused'].includes(error.class) &&
  [403, 404, 410, 451].includes(error.status ?? 0);

/** Best effort: what GitHub hides from us or does not know counts as `fallback`; everything else still fails. */
export const orWhenHidden = async <T>(go: Promise<T>, fallback: T): Promise<T> => {
  try {
    return await go;
  } catch (error) {
    const hidden =
      error instanceof OutsideFailure && ['repository_missing', 'forge_refused'].includes(error.class);
    if (!hidden) throw error;
    return fallback;
  }
};
