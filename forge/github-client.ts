/** The HTTP client for GitHub: authenticated, cached by ETag, validated by zod. Never retries. */
import type { z } from 'zod';
import type { FailureClass } from '#model/failure';
import { type ResponseCache, type WriteLimiter, OutsideFailure } from '#ports/forge';
import type { SystemClock } from '#ports/processes';
import { createResponseCache, type CachedAnswer } from './etag-cache.ts';
import { createOctokit, withoutSlash } from './octokit.ts';
import { downloadLogTail } from './download-log.ts';
import {
  toGitHubFailure,
  headersOf,
  repositoryMovedFailure,
  findHttpStatus,
  unreadableAnswerFailure,
} from './github-failures.ts';
import {
  isIdentityWideLimit,
  findQuotaResetTime,
  remainingRequests,
  findPauseEnd,
  type ResponseHeaders,
} from './rate-limits.ts';

export type ClientParts = {
  apiUrl: string;
  /** `repo`: full name, or null. `refused`: a token that GitHub rejected. */
  token: (repo: string | null, refused?: string) => Promise<string>;
  userAgent: string;
  clock: SystemClock;
  timeoutMs?: number;
  answers?: ResponseCache;
  onTrouble?: () => void;
  writer?: { identity: (repo: string | null) => Promise<string>; limiter: WriteLimiter };
};
type Params = Record<string, unknown>;
type Method = 'GET' | 'POST' | 'PATCH';
const repoOf = ({ owner, repo }: Params): string | null =>
  typeof owner === 'string' && typeof repo === 'string' ? `${owner}/${repo}` : null;
export type RepositoryParams = { owner: string; repo: string };

type Question<T> = { route: string; params: Params; schema: z.ZodType<T> };
/** Maximum age of an answer (ms), and a callback for its age. */
type Age = { ms: number; told: (at: number) => void };

export type GitHubClient = {
  /** An unchanged answer is free (GitHub, "Best practices for using the REST API"). */
  get<T>(route: string, params: Params, schema: z.ZodType<T>): Promise<T>;
  /** A longer list calls `cut`, or rejects (forge_refused) without it. */
  pages<T, I>(
    route: string,
    params: Params,
    schema: z.ZodType<T>,
    pick: (page: T) => I[],
    cut?: () => void,
    from?: number,
  ): Promise<I[]>;
  post<T>(route: string, params: Params, schema: z.ZodType<T>): Promise<T>;
  patch<T>(route: string, params: Params, schema: z.ZodType<T>): Promise<T>;
  /** A mutation; `at` chooses the credential. Errors of the query are in the answer. */
  graphql<T>(at: RepositoryParams, query: string, variables: Params, schema: z.ZodType<T>): Promise<T>;
  /** The end of a log, at most 2 MB, never cached. */
  text(route: string, params: Params): Promise<string>;
  /** A client that reuses answers younger than `ms`; `told` gets the request's time (epoch ms). */
  aged(ms: number, told?: (at: number) => void): GitHubClient;
};

const GITHUB_API_VERSION = '2022-11-28';
export const GITHUB_TIMEOUT_MS = 15_000;
export const ITEMS_PER_PAGE = 100;
/** GitHub shows at most 1,000 of most things, but more checks of a commit. */
const MOST_PAGES = 10;
const MOST_PAGES_CUT = 50;
const LOG_PATIENCE = 4;
const OUTAGE_CLASSES: readonly FailureClass[] = ['auth_missing', 'forge_unavailable', 'account_suspended'];
const GRAPHQL = '/graphql';
/** The place chooses the credential, and is no part of the question. */
const pickQuery = ({ owner: _, repo: __, ...asked }: Params): Params => asked;
/** GitHub Enterprise Server, "Forming calls with GraphQL": `/api/graphql` beside `/api/v3`. */
const graphqlUrl = (apiUrl: string): string => `${withoutSlash(apiUrl).replace(/\/v3$/, '')}${GRAPHQL}`;
function doNothing(): void {}

export const createGitHubClient = ({
  apiUrl,
  token,
  userAgent,
  clock,
  timeoutMs = GITHUB_TIMEOUT_MS,
  onTrouble,
  answers,
  writer,
}: ClientParts): GitHubClient => {
  const octokit = createOctokit(apiUrl, userAgent);
  const cache = createResponseCache(answers);

  /** Stops before the quota is used up. */
  const noteLimit = async (headers: ResponseHeaders, params: Params): Promise<void> => {
    if (!writer) return;
    const [until, left] = [findQuotaResetTime(headers, clock.now()), remainingRequests(headers, clock.now())];
    if (until === null && left === null) return;
    const identity = await writer.identity(repoOf(params)).catch(() => null);
    if (identity === null) return;
    if (left !== null) writer.limiter.left(identity, left);
    // guard: F5-last-one
    if (until !== null) await writer.limiter.refused(identity, until);
  };

  /** GitHub may ban clients that ignore a rate limit ("Rate limits for the REST API"). */
  const mayAsk = async (params: Params): Promise<void> => {
    if (!writer) return;
    const identity = await writer.identity(repoOf(params)).catch(() => null);
    const until = identity === null ? 0 : await writer.limiter.holdUntil(identity);
    // guard: F5-nobody-asks
    if (until > clock.now()) {
      throw new OutsideFailure('rate_limited', 'GitHub asks us to wait.', {
        retryAt: until,
        status: 403,
        detail: { kind: 'limit_in_force' },
      });
    }
  };

  const askWithToken = async (method: Method, route: string, params: Params, kept?: CachedAnswer) => {
    const first = await token(repoOf(params));
    try {
      return await askWith(first, method, route, params, kept);
    } catch (error) {
      // A rejected token had no effect, so a retry with a new token is safe.
      const next = findHttpStatus(error) === 401 ? await token(repoOf(params), first) : first;
      if (next === first) throw error;
      return askWith(next, method, route, params, kept);
    }
  };
  const askWith = async (
    given: string,
    method: Method,
    route: string,
    params: Params,
    kept?: CachedAnswer,
  ) => {
    const headers = {
      authorization: `Bearer ${given}`,
      'x-github-api-version': GITHUB_API_VERSION,
      ...(kept ? { 'if-none-match': kept.etag } : {}),
    };
    // A redirected POST would become a GET.
    const redirect = method === 'GET' ? ('follow' as const) : ('manual' as const);
    const request = { signal: AbortSignal.timeout(timeoutMs), redirect };
    const answer = await (route === GRAPHQL
      ? octokit.request(`POST ${graphqlUrl(apiUrl)}`, { ...pickQuery(params), headers, request })
      : octokit.request(`${method} ${route}`, { ...params, headers, request }));
    if (answer.status >= 300) throw repositoryMovedFailure();
    await noteLimit(answer.headers, params);
    const data: unknown = answer.data;
    return { headers: answer.headers, data };
  };

  /** F5: writes are serialised by the limiter. */
  // guard: F5-one-limiter
  const sendWrite = async (method: Method, route: string, params: Params) => {
    const sendOnce = () => stoppingAll(params, () => askWithToken(method, route, params));
    return writer ? writer.limiter.write(await writer.identity(repoOf(params)), sendOnce) : sendOnce();
  };

  /** A rate limit stops all writers of this identity. */
  const stoppingAll = async <T>(params: Params, go: () => Promise<T>): Promise<T> => {
    try {
      return await go();
    } catch (error) {
      const failure = toGitHubFailure(error, clock.now());
      const headers = headersOf(error);
      if (writer && failure instanceof OutsideFailure && failure.class === 'account_suspended') {
        const until = await writer.limiter.suspended(await writer.identity(repoOf(params)));
        throw new OutsideFailure(failure.class, failure.message, {
          retryAt: until,
          status: failure.status,
          detail: failure.detail,
        });
      }
      const asked = failure instanceof OutsideFailure && failure.class === 'rate_limited';
      if (!writer || !asked || !isIdentityWideLimit(headers)) {
        await noteLimit(headers, params);
        throw error;
      }
      const identity = await writer.identity(repoOf(params));
      // guard: F5-stops-all
      const until = await writer.limiter.refused(identity, findPauseEnd(headers, clock.now()));
      throw new OutsideFailure('rate_limited', failure.message, {
        retryAt: until,
        status: failure.status,
        detail: failure.detail,
      });
    }
  };

  const classifyErrors = async <T>(go: () => Promise<T>): Promise<T> => {
    try {
      return await go();
    } catch (error) {
      const failure = toGitHubFailure(error, clock.now());
      if (failure instanceof OutsideFailure && OUTAGE_CLASSES.includes(failure.class)) onTrouble?.();
      throw failure;
    }
  };

  const parseAnswer = <T>(schema: z.ZodType<T>, data: unknown): T => {
    const result = schema.safeParse(data);
    if (!result.success) throw unreadableAnswerFailure();
    return result.data;
  };

  const readPage = async <T>(
    { route, params, schema }: Question<T>,
    { ms, told }: Age,
  ): Promise<{ data: T; more: boolean }> => {
    const { url } = octokit.request.endpoint(`GET ${route}`, params);
    const kept = await cache.find(url, schema);
    const at = clock.now();
    if (kept && kept.at <= at && at - kept.at < ms) {
      told(kept.at);
      return { data: kept.data as T, more: kept.more };
    }
    told(at);
    await mayAsk(params);
    try {
      const { headers, data } = await stoppingAll(params, () => askWithToken('GET', route, params, kept));
      if (typeof data === 'string' || data instanceof ArrayBuffer) throw unreadableAnswerFailure();
      const taken = parseAnswer(schema, data);
      const more = /rel="?next\b/i.test(headers.link ?? '');
      const { etag } = headers;
      if (etag) {
        cache.remember(url, schema, { etag, data: taken, more, at });
        await answers?.keep(url, { etag, body: JSON.stringify(data), more, at });
      }
      return { data: taken, more };
    } catch (error) {
      if (!kept || findHttpStatus(error) !== 304) throw error;
      cache.remember(url, schema, { ...kept, at });
      return { data: kept.data as T, more: kept.more };
    }
  };

  const createView = (age: Age): GitHubClient => ({
    get: (route, params, schema) =>
      classifyErrors(async () => (await readPage({ route, params, schema }, age)).data),
    pages: (route, params, schema, pick, cut, from = 1) =>
      classifyErrors(async () => {
        const items = [];
        for (let page = from; page < from + (cut ? MOST_PAGES_CUT : MOST_PAGES); page += 1) {
          const asked = { route, params: { ...params, per_page: ITEMS_PER_PAGE, page }, schema };
          const { data, more } = await readPage(asked, age);
          const some = pick(data);
          items.push(...some);
          // guard: F3-whole-list
          if (some.length < ITEMS_PER_PAGE && !more) return items;
        }
        if (cut) {
          cut();
          return items;
        }
        // A partial list could lack the failed check.
        throw new OutsideFailure(
          'forge_refused',
          `GitHub lists ${MOST_PAGES * ITEMS_PER_PAGE} entries or more, and AgentPR reads no further. Look there: ${route}`,
        );
      }),
    post: (route, params, schema) =>
      classifyErrors(async () => parseAnswer(schema, (await sendWrite('POST', route, params)).data)),
    patch: (route, params, schema) =>
      classifyErrors(async () => parseAnswer(schema, (await sendWrite('PATCH', route, params)).data)),
    graphql: (at, query, variables, schema) =>
      classifyErrors(async () =>
        parseAnswer(schema, (await sendWrite('POST', GRAPHQL, { ...at, query, variables })).data),
      ),
    text: (route, params) =>
      classifyErrors(async () =>
        downloadLogTail({
          url: octokit.request.endpoint(`GET ${route}`, params).url,
          home: `${withoutSlash(apiUrl)}/`,
          credentials: { authorization: `Bearer ${await token(repoOf(params))}` },
          headers: { 'user-agent': userAgent, 'x-github-api-version': GITHUB_API_VERSION },
          signal: AbortSignal.timeout(timeoutMs * LOG_PATIENCE),
          now: () => clock.now(),
        }),
      ),
    aged: (ms, told = doNothing) => createView({ ms, told }),
  });
  return createView({ ms: 0, told: doNothing });
};

const REFUSED_CLASSES: readonly FailureClass[] = [
  'repository_missing',
  'repository_archived',
  'forge_refused',
];

/** Missing or forbidden part; not a rate limit, an outage or a bad request. */
export const isWithheldPart = (error: unknown): error is OutsideFailure =>
  error instanceof OutsideFailure &&
  REFUSED_CLASSES.includes(error.class) &&
  [403, 404, 410, 451].includes(error.status ?? 0);

/** Hidden or unknown resources give `fallback`; other failures are rethrown. */
export const fallBackWhenHidden = async <T>(go: Promise<T>, fallback: T): Promise<T> => {
  try {
    return await go;
  } catch (error) {
    const hidden = error instanceof OutsideFailure && REFUSED_CLASSES.includes(error.class);
    if (!hidden) throw error;
    return fallback;
  }
};
