/** A local GitHub: REST and git over HTTP on real repositories, with scripted maintainers. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { isRecord, parseJson, readFields } from './body.ts';
import { answer, type FaultAction, type Faults } from './faults.ts';
import { createApps, type AppOptions, type Apps, type Installed } from './github/apps.ts';
import { gitRequest, serveGit } from './github/git-http.ts';
import { appPing, letterOf } from './github/payloads.ts';
import { createRepoHandle, pullView, type PullView, type RepoHandle } from './github/repo.ts';
import { createRest, type RateLimit } from './github/rest.ts';
import { serveLog } from './github/routes-actions.ts';
import { createRoutes } from './github/routes.ts';
import { createShow } from './github/show.ts';
import {
  createState,
  type Delivery,
  type Happening,
  type Hook,
  type KeptState,
  type NewHook,
  type NewRepo,
  type Repo,
  type State,
  type Weather,
} from './github/state.ts';
import { createNews, type Look, type WaitOptions } from './news.ts';
import { createForge } from './pages/forge.ts';
import { createLock } from './pages/lock.ts';
import { amongNeighbours, type Neighbours } from './pages/framed-pages.ts';
import { serve, type Answer, type Asked, type Call, type Served } from './server.ts';

export type GitHubOptions = {
  port?: number;
  /** Public base URL if a proxy stands in front; may end with a path. */
  origin?: string;
  apiUrl?: string;
  login: string;
  token: string;
  /** Scopes of a classic token; absent for a fine-grained one. */
  scopes?: string[];
  /** Locks the pages: programs that share the loopback cannot merge on them. */
  forgeKey?: string;
  neighbours?: Neighbours;
  app?: AppOptions;
  now?: () => number;
  /** A folder that another one wrote with `keep`: goes on from there. */
  kept?: string;
};
export type GitHub = Pick<Served, 'calls' | 'onRequest' | 'down' | 'up' | 'stop'> & {
  url: string;
  forgeUrl: string;
  /** A `set-cookie` value that opens the pages. */
  forgeCookie: string;
  faults: Faults;
  addUser(login: string, token: string, scopes?: string[]): void;
  addFineToken(login: string, token: string, permissions: Readonly<Record<string, string>>): void;
  addRepo(repo: NewRepo): Promise<RepoHandle>;
  addTeam(name: string, repos: readonly string[]): void;
  renameRepo(fullName: string, to: string): void;
  installApp(owner: string, permissions: Record<string, string>): Installed;
  appTokens(): number;
  removeRepo(fullName: string): void;
  /** Pull requests from the fork stay, but show no repository. */
  detachFork(fullName: string): void;
  attachFork(fullName: string, parent: string): void;
  flag(login: string, on: boolean): void;
  repo(fullName: string): RepoHandle;
  pull(fullName: string, number: number): PullView;
  mergeCalls(): Call[];
  rate: RateLimit;
  onHappening(listener: (happening: Happening) => void): () => void;
  addWebhook(hook: NewHook): Hook;
  removeWebhook(id: number): void;
  /** Newest last, at most 2,000. */
  deliveries(): Delivery[];
  /** Sends it again at once, with the same GUID and bytes. */
  redeliver(id: number): Delivery;
  setWeather(weather: Weather): void;
  weather(weather: Weather): void;
  /** Writes its repositories and what is known of them into a new folder. */
  keep(folder: string): Promise<void>;
  idleDeliveries(): Promise<void>;
  ciIdle(): Promise<void>;
  /** Resolves with the first truthy result, checked after each call or change. */
  waitFor<T>(look: Look<T>, options?: WaitOptions): Promise<T>;
};

/** GitHub's secondary rate limit; `seconds` is its retry-after. */
export const secondaryLimit = (seconds: number): FaultAction =>
  answer(
    403,
    {
      message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
      documentation_url: 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api',
    },
    { 'retry-after': String(seconds) },
  );

const REPOSITORIES = 'repositories';
const KNOWN = 'known';
/** GitHub Enterprise Server, "Getting started with the REST API": it is below this path there. */
const API_PATH = /^\/api\/v3(?=\/)/;
const belowApi = (asked: Asked): Asked => {
  if (!API_PATH.test(asked.url.pathname)) return asked;
  const url = new URL(asked.url);
  url.pathname = url.pathname.replace(API_PATH, '');
  return { ...asked, url };
};

export async function startGitHub(options: GitHubOptions): Promise<GitHub> {
  const root = await mkdtemp(join(tmpdir(), 'playground-github-'));
  const now = options.now ?? Date.now;
  // Pages must not hear of requests, or an open page would reload forever.
  const changes = createNews(() => '');
  const changed = (): void => [served.news, changes].forEach((news) => news.tell());
  const { kept } = options;
  if (kept !== undefined) await cp(join(kept, REPOSITORIES), root, { recursive: true });
  const state: State = createState({
    root,
    now,
    changed,
    ...(kept !== undefined && { kept: deserialize(await readFile(join(kept, KNOWN))) as KeptState }),
  });
  const origin = (): string => options.origin ?? served.url;
  const apiUrl = (): string => options.apiUrl ?? origin();
  const rate: RateLimit = { limit: 5000, used: 0, resetAt: now() + 3_600_000 };
  const show = createShow(state, { origin, apiUrl });
  const apps = createApps(state, show, options.app ?? null, { origin, apiUrl });
  const routes = { ...createRoutes(state, show, { origin, apiUrl }), ...apps.routes };
  const rest = createRest(state, routes, rate, apiUrl);
  const addUser = (login: string, token: string, scopes?: string[]): void => {
    state.identities.set(token, { user: state.user(login), token, scopes: scopes ?? null });
  };
  addUser(options.login, options.token, options.scopes);
  const handleOf = (repo: Repo): RepoHandle => createRepoHandle(state, show, repo);
  const lock = createLock('forge', options.forgeKey ?? null);
  const forge = createForge({ state, news: changes, handleOf, lock });
  state.onHappening((happening) => {
    if (state.hooks.length > 0) state.post.send(letterOf(show, happening));
  });

  const served = await serve(
    {
      describe(given: Asked): Pick<Call, 'route' | 'params'> {
        const asked = belowApi(given);
        const git = gitRequest(asked);
        const search = Object.fromEntries(asked.url.searchParams);
        if (git)
          return { route: git.file === 'info/refs' ? `info/refs ${git.service}` : git.file, params: search };
        const body = parseJson(asked.body.toString());
        const found = rest.find(asked.method, asked.url.pathname);
        const route = found ?? `${asked.method} ${asked.url.pathname}`;
        return { route, params: { ...search, ...(isRecord(body) && body) } };
      },
      handle(given: Asked) {
        const asked = belowApi(given);
        const git = gitRequest(asked);
        if (git) return serveGit(state, git, asked);
        const made = agreeToApp(apps, asked);
        if (made) return Promise.resolve(made);
        const log = serveLog(state, asked.url);
        if (log) return Promise.resolve(log);
        const isApi = rest.find(asked.method, asked.url.pathname) !== null;
        const page = isApi ? null : forge.answer(asked);
        return page ? page.then((one) => amongNeighbours(one, options.neighbours)) : rest.handle(asked);
      },
    },
    { ...(options.port !== undefined && { port: options.port }), picture: () => picture(state) },
  );

  const known = (fullName: string) => {
    const repo = state.repo(fullName);
    if (!repo) throw new Error(`The local GitHub has no repository ${fullName}; add it with addRepo`);
    return repo;
  };
  return {
    ...served,
    forgeUrl: lock.address(served.url),
    forgeCookie: lock.cookie(served.url),
    rate,
    addUser,
    addFineToken: (login, token, permissions) =>
      void state.identities.set(token, { user: state.user(login), token, scopes: null, permissions }),
    onHappening: (listener) => state.onHappening(listener),
    addRepo: async (wish) => createRepoHandle(state, show, await state.addRepo(wish, options.login)),
    addTeam: (name, repos) => void state.teams.set(name.toLowerCase(), [...repos]),
    installApp: (owner, permissions) => apps.install(owner, permissions),
    appTokens: () => apps.tokens(),
    renameRepo: (fullName, to) => state.renameRepo(known(fullName), to),
    removeRepo: (fullName) => state.removeRepo(known(fullName), known(fullName).owner),
    detachFork: (fullName) => state.leaveNetwork(known(fullName)),
    attachFork: (fullName, parent) => state.applyProxySettings(known(fullName), known(parent)),
    flag: (login, on) => void state.flagged[on ? 'add' : 'delete'](state.user(login)),
    repo: (fullName) => createRepoHandle(state, show, known(fullName)),
    pull(fullName, number) {
      const pull = known(fullName).pulls.find((one) => one.number === number);
      if (!pull) throw new Error(`${fullName} has no pull request ${number}`);
      return pullView(pull);
    },
    mergeCalls: () => served.calls.filter((call) => call.method === 'PUT' && call.path.endsWith('/merge')),
    waitFor: (look, wait) => served.news.waitFor(look, wait),
    addWebhook: (hook) => state.post.addHook(hook, null, appPing),
    removeWebhook: (id) => state.post.removeHook(id),
    deliveries: () => [...state.deliveries],
    redeliver: (id) => state.redeliver(id),
    setWeather: (weather) => state.setWeather(weather),
    weather: (weather) => state.setWeather(weather),
    async keep(folder) {
      await state.idle();
      await cp(root, join(folder, REPOSITORIES), { recursive: true });
      await writeFile(join(folder, KNOWN), serialize(state.keep()));
    },
    idleDeliveries: () => state.idleDeliveries(),
    ciIdle: () => state.ci.idle(),
    async stop() {
      await served.stop();
      await state.ci.stop();
      await state.post.stop();
      await state.idle();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** GitHub asks people first; here the request counts as consent. */
function agreeToApp(apps: Apps, { method, url, headers, body }: Asked): Answer | null {
  if (method !== 'POST' || !/^(?:\/organizations\/[\w-]+)?\/settings\/apps\/new$/.test(url.pathname))
    return null;
  const fields = readFields(headers['content-type'] ?? '', body)?.params ?? {};
  const given = fields['manifest'];
  const manifest = typeof given === 'string' ? parseJson(given) : undefined;
  const to = apps.agree(manifest, url.searchParams.get('state'));
  return to === null
    ? { status: 422, headers: {}, body: 'Invalid GitHub App configuration' }
    : { status: 302, headers: { location: to }, body: '' };
}

function picture(state: State): string {
  const lines = [...state.repos.values()].map((repo) => {
    const pulls = repo.pulls.map(
      (pull) => `#${pull.number} ${pull.merged ? 'merged' : pull.state} ${pull.title}`,
    );
    return `  ${repo.fullName}: ${repo.pushes.length} pushes; ${pulls.join('; ') || 'no pull requests'}`;
  });
  return `Repositories:\n${lines.join('\n') || '  none'}`;
}
