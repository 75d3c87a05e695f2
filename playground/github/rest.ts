/** The REST API's common behaviour: routing, credentials, rate limits, ETags, paging, errors. */
import { createHash } from 'node:crypto';
import { isRecord, parseJson } from '../body.ts';
import { json, type Answer, type Asked } from '../server.ts';
import { RestRefusal } from './refusal.ts';
import type { Route } from './route.ts';
import type { Identity, State } from './state.ts';

/** `resetAt` is epoch ms. */
const MINUTE = 60_000;
const HOUR = 3_600_000;
export type RateLimit = { limit: number; used: number; resetAt: number };
export type Rest = {
  find(method: string, pathname: string): string | null;
  handle(asked: Asked): Promise<Answer>;
};

const docs = 'https://docs.github.com/rest';
const long = new Set(['branch', 'ref']);

export function createRest(
  state: State,
  routes: Record<string, Route>,
  rate: RateLimit,
  apiUrl: () => string,
): Rest {
  /** GitHub, "Rate limits for the REST API": searches are limited per minute. */
  const searches: Record<string, RateLimit> = Object.fromEntries(
    Object.entries(SEARCHES).map(([template, { limit }]) => [template, { limit, used: 0, resetAt: 0 }]),
  );
  const rateOf = (template: string | undefined): RateLimit => {
    const search = template === undefined ? undefined : searches[template];
    const [of, ms] = search ? [search, MINUTE] : [rate, HOUR];
    if (of.resetAt <= state.now()) Object.assign(of, { used: 0, resetAt: state.now() + ms });
    return of;
  };
  const compiled = Object.entries(routes).map(([template, route]) => {
    const [method, path = ''] = template.split(' ');
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    const source = path.replace(/\{(\w+)\}/g, (_, name: string) => (long.has(name) ? '(.+)' : '([^/]+)'));
    return { template, route, method, names, pattern: new RegExp(`^${source}$`) };
  });
  const byName = (pathname: string): string => {
    const [, id, rest = ''] = /^\/repositories\/(\d+)(\/.+)$/.exec(pathname) ?? [];
    const repo = [...state.repos.values()].find((one) => one.id === Number(id));
    return repo ? `/repos/${repo.fullName}${rest}` : pathname;
  };
  const match = (method: string, given: string) => {
    const pathname = byName(given);
    for (const one of compiled) {
      const found = one.method === method && one.pattern.exec(pathname);
      if (found) {
        const values = one.names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')] as const);
        return { ...one, at: Object.fromEntries(values) };
      }
    }
    return null;
  };

  /** Null without credentials; undefined for invalid ones. */
  function identityOf(asked: Asked): Identity | null | undefined {
    const header = asked.headers.authorization;
    if (!header) return null;
    const token = /^(?:token|bearer)\s+(\S+)$/i.exec(header)?.[1] ?? passwordOf(header);
    if (token?.split('.').length === 3) return null;
    const found = token ? state.identities.get(token) : undefined;
    return (found?.expiresAt ?? Infinity) > state.now() ? found : undefined;
  }

  /** GitHub, "Redirects": a former name redirects to the number. */
  function redirectOf(asked: Asked, identity: Identity | null): Answer | null {
    const [, owner = '', name = '', rest = ''] =
      /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(asked.url.pathname) ?? [];
    const repo = state.formerly(`${owner}/${name}`);
    if (!repo || state.accessOf(repo, identity?.user.login) === 'none') return null;
    const url = `${apiUrl()}/repositories/${repo.id}${rest}${asked.url.search}`;
    const status = asked.method === 'GET' ? 301 : 307;
    const message = status === 301 ? 'Moved Permanently' : 'Temporary Redirect';
    return json(status, { message, url, documentation_url: docs }, { location: url });
  }

  async function answer(asked: Asked, identity: Identity | null): Promise<Answer> {
    const elsewhere = redirectOf(asked, identity);
    if (elsewhere) return elsewhere;
    const found = match(asked.method, asked.url.pathname);
    if (!found) throw new RestRefusal(404, 'Not Found');
    const lacking = NEEDS[found.template]?.find((need) => !mayDo(identity, need));
    if (lacking !== undefined)
      return refused(new RestRefusal(403, 'Resource not accessible by personal access token'), {
        'x-accepted-github-permissions': lacking,
      });
    const body = asked.body.length > 0 ? parseJson(asked.body.toString()) : {};
    if (!isRecord(body)) throw new RestRefusal(400, 'Problems parsing JSON');
    const { status, value, headers } = await found.route({
      at: found.at,
      query: asked.url.searchParams,
      body,
      identity,
      authorization: asked.headers.authorization,
    });
    const paged = asked.method === 'GET' ? pageOf(value, asked.url, apiUrl()) : { value, link: null };
    return json(status, paged.value, { ...headers, ...(paged.link && { link: paged.link }) });
  }

  async function handle(asked: Asked): Promise<Answer> {
    const identity = identityOf(asked);
    const template = match(asked.method, asked.url.pathname)?.template;
    const left = rateOf(template);
    const answered = await (identity === undefined
      ? Promise.resolve(refused(new RestRefusal(401, 'Bad credentials')))
      : left.used >= left.limit
        ? Promise.resolve(
            refused(new RestRefusal(403, `API rate limit exceeded for ${identity?.user.login ?? 'you'}.`)),
          )
        : answer(asked, identity).catch((error: unknown) => {
            if (error instanceof RestRefusal) return refused(error);
            throw error;
          }));
    const etag = `W/"${createHash('sha256').update(JSON.stringify(answered.value)).digest('hex')}"`;
    const cached = asked.method === 'GET' && answered.status === 200;
    const same = cached && asked.headers['if-none-match'] === etag;
    // GitHub does not count requests answered with 304.
    if (!same && left.used < left.limit) left.used += 1;
    const headers = {
      ...answered.headers,
      ...(cached && { etag, 'cache-control': 'private, max-age=60, s-maxage=60' }),
      ...rateHeaders(left, SEARCHES[template ?? '']?.resource ?? 'core'),
      date: new Date(state.now()).toUTCString(),
      ...(identity?.scopes && { 'x-oauth-scopes': identity.scopes.join(', ') }),
      'x-github-media-type': 'github.v3; format=json',
    };
    return same ? { status: 304, headers, body: '' } : { ...answered, headers };
  }

  return { find: (method, pathname) => match(method, pathname)?.template ?? null, handle };
}

export function passwordOf(header: string): string | null {
  const encoded = /^basic\s+(\S+)$/i.exec(header)?.[1];
  const [, password] = /^[^:]*:(.*)$/.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return password ?? null;
}

const SEARCHES: Readonly<Record<string, { limit: number; resource: string }>> = {
  'GET /search/code': { limit: 10, resource: 'code_search' },
  'GET /search/repositories': { limit: 30, resource: 'search' },
};

const rateHeaders = ({ limit, used, resetAt }: RateLimit, resource: string): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(limit - used),
  'x-ratelimit-used': String(used),
  'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  'x-ratelimit-resource': resource,
});

const refused = ({ status, message, errors }: RestRefusal, headers: Record<string, string> = {}): Answer =>
  json(
    status,
    { message, ...(errors && { errors }), documentation_url: docs, status: String(status) },
    headers,
  );

/** GitHub, "Permissions required for fine-grained personal access tokens": the exceptions. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'POST /repos/{owner}/{repo}/merge-upstream': ['contents=write'],
  'POST /repos/{owner}/{repo}/pulls': ['pull_requests=write'],
  'GET /repos/{owner}/{repo}/commits/{ref}/status': ['statuses=read'],
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs': ['actions=write'],
  'GET /repos/{owner}/{repo}/issues': ['issues=read'],
};
const mayDo = (identity: Identity | null, need: string): boolean => {
  const [name = '', level] = need.split('=');
  const given = identity?.permissions?.[name];
  return !identity?.permissions || given === 'write' || given === level;
};

function pageOf(value: unknown, url: URL, apiUrl: string): { value: unknown; link: string | null } {
  const inner =
    isRecord(value) && 'total_count' in value
      ? Object.entries(value).find(([, one]) => Array.isArray(one))
      : null;
  const list = Array.isArray(value) ? (value as unknown[]) : (inner?.[1] as unknown[] | undefined);
  if (!list) return { value, link: null };
  const size = Math.min(Math.max(Number(url.searchParams.get('per_page') ?? 30) || 30, 1), 100);
  const page = Math.max(Number(url.searchParams.get('page') ?? 1) || 1, 1);
  const last = Math.max(Math.ceil(list.length / size), 1);
  const part = list.slice((page - 1) * size, page * size);
  const to = (target: number, rel: string): string => {
    const there = new URL(apiUrl + url.pathname + url.search);
    there.searchParams.set('page', String(target));
    return `<${there.href}>; rel="${rel}"`;
  };
  const link = page < last ? `${to(page + 1, 'next')}, ${to(last, 'last')}` : null;
  return { value: inner ? { ...(value as object), [inner[0]]: part } : part, link };
}
