/** Serves the health pages, GitHub's webhooks and those of chats; a worker only the pages. */
import type { IncomingMessage, Server } from 'node:http';
import { listPublishedKeys, RECEIPT_PAGE_PATH } from '#receipts';
import {
  sendJson,
  closeServer,
  createBodyReader,
  createCampaignHookRoute,
  createHttpServer,
  createUnrelatedDeliveryCounter,
  REOPENED_EVENT,
  type HookParts,
  type HttpHandler,
  type HttpRefusal,
  type HttpRoute,
  listenOn,
  refuseRequest,
} from '#webhooks';
import { checkpointRoutes } from './checkpoint-routes.ts';
import { StartFailure } from './config-error.ts';
import { createForgeReceiver } from './forges.ts';
import type { ChatWebhook } from '#chat';
import type { ControlConfig, WorkConfig } from './config.ts';
import {
  createHealthParts,
  createHealthRoutes,
  workerHealthOf,
  type ControlHealth,
  type WorkerHealth,
} from './health-pages.ts';
import { mayReopen } from '#kernel';
import { computeMac, type Inbox } from '#runtime';
import { LANGUAGE_TEXTS } from '#language';
import { escapeHtml } from '#chat-text';
import type { Ledger, RepositoryIdentity } from '#ports/ledger';
import type { LogPort } from '#ports/processes';

const KEYS_PATH = '/.well-known/agentpr.json';
const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}dt{font-weight:600}pre{overflow:auto}@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#8cf}}';

const isChinese = (acceptLanguage: string): boolean => /^\s*zh\b/i.test(acceptLanguage);

const receiptPageHtml = (acceptLanguage: string, publicUrl: string | null): string => {
  const code = isChinese(acceptLanguage) ? 'zh' : 'en';
  const { receiptPage: t } = LANGUAGE_TEXTS[code];
  const origin = publicUrl === null ? '' : new URL(publicUrl).origin;
  const command = `agentpr verify https://github.com/OWNER/NAME/pull/NUMBER --keys ${origin || 'KEYS.json'}`;
  const rows = Object.entries(t.says).map(
    ([term, about]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(about)}</dd>`,
  );
  return [
    `<!doctype html><html lang="${code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(t.title)}</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${escapeHtml(t.title)}</h1><p>${escapeHtml(t.lead)}</p>`,
    `<h2>${escapeHtml(t.saysTitle)}</h2><dl>${rows.join('')}</dl>`,
    `<h2>${escapeHtml(t.notTitle)}</h2><p>${escapeHtml(t.not)}</p>`,
    `<h2>${escapeHtml(t.checkTitle)}</h2><p>${escapeHtml(t.check)}</p><pre><code>${escapeHtml(command)}</code></pre>`,
    `<p>${escapeHtml(t.keys)} <a href="${KEYS_PATH}">${escapeHtml(t.theirs)}</a></p>`,
    '</main></body></html>\n',
  ].join('\n');
};

export type OpenPages = { address: string; close(): Promise<void> };
export type HttpListener = OpenPages & {
  /** Tells a chat our address of it; null without a public one. Resolves when it is registered. */
  register: ((webhook: ChatWebhook) => Promise<void>) | null;
};

type ListenerParts = Omit<ControlHealth, 'unrelated'> & {
  log: Pick<LogPort, 'error' | 'info'>;
  config: Pick<ControlConfig, 'http' | 'webhooks' | 'hooks'>;
  key: Uint8Array;
  receiptSeed: Uint8Array;
  chatWebhooks: readonly ChatWebhook[];
  /** G11: fingerprints of approvers' keys that the operator names. */
  approvalKeys: readonly string[];
  ledger: Pick<Ledger, 'setSetting'> & {
    query: Pick<Ledger['query'], 'alive' | 'newestEvent' | 'publishedLeaves' | 'runs' | 'setting'>;
  };
  receive: Inbox['receive'];
  isWatched: (repo: string) => boolean;
  /** Returns true when adopted pull requests of the repository are followed. */
  isFollowed: (repo: string) => boolean;
  /** Returns true when a campaign waits for a release of the repository. */
  awaitsRelease: (repo: string) => boolean;
  readCall: HookParts['read'];
  board: readonly HttpRoute[];
};

/** Newest runs of a repository that a reopened pull request may be of. */
const MAX_ENDED_RUNS = 200;
const MAX_UPDATE_BYTES = 1_000_000;

const serveRoutes = async (
  { host, port }: WorkConfig['http'],
  log: Pick<LogPort, 'error'>,
  routes: readonly HttpRoute[],
): Promise<OpenPages> => {
  const server = createHttpServer(routes, log);
  const address = await listenWithWords(server, host, port);
  return { address, close: () => closeServer(server) };
};

const listenWithWords = async (server: Server, host: string, port: number): Promise<string> => {
  try {
    return await listenOn(server, host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartFailure(({ settingsProblems: p }) => p.foreignAddress(host));
    if (code !== 'EADDRINUSE') throw error;
    throw new StartFailure(({ settingsProblems: p }) => p.portTaken(port, host));
  }
};

/** G9: what others need to check a receipt. */
const receiptKeysPage = ({ ledger, receiptSeed, approvalKeys }: ListenerParts): HttpRoute => ({
  method: 'GET',
  path: '/.well-known/agentpr.json',
  handle: async (_request, response) =>
    sendJson(
      response,
      200,
      JSON.stringify({
        ...(await listPublishedKeys(ledger, receiptSeed)),
        ...(approvalKeys.length > 0 && { approvers: approvalKeys }),
      }),
    ),
});

/** G9: what the receipt of a pull request links to. */
const receiptPage = (publicUrl: string | null): HttpRoute => ({
  method: 'GET',
  path: RECEIPT_PAGE_PATH,
  handle: (request, response) => {
    const html = receiptPageHtml(request.headers['accept-language'] ?? '', publicUrl);
    response.writeHead(200, { ...RECEIPT_PAGE_HEADERS, 'content-length': Buffer.byteLength(html) });
    response.end(html);
  },
});
const RECEIPT_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export const startListener = async (parts: ListenerParts): Promise<HttpListener> => {
  const { config, receive, log } = parts;
  const { http } = config;
  // guard: L10-release-awaited
  const isAwaited = (repo: RepositoryIdentity, event: string): boolean =>
    event === 'release' && parts.awaitsRelease(repo.fullName);
  const hasLiveRun = async (repo: RepositoryIdentity, event: string): Promise<boolean> =>
    event === 'issues'
      ? parts.isWatched(repo.fullName)
      : parts.isFollowed(repo.fullName) ||
        isAwaited(repo, event) ||
        (await parts.ledger.query.alive(repo)) ||
        (event === REOPENED_EVENT && mayAnyReopen(repo));
  const mayAnyReopen = async (repo: RepositoryIdentity): Promise<boolean> =>
    (await parts.ledger.query.runs({ live: false, limit: MAX_ENDED_RUNS, repo })).some((run) =>
      mayReopen(run, parts.clock.now()),
    );
  const { chatWebhooks, key } = parts;
  const { publicUrl } = http;
  const hooks = new Map([...config.hooks].map(([name, { signs }]) => [name, signs]));
  const unrelated = createUnrelatedDeliveryCounter({ clock: parts.clock, log });
  const served = await serveRoutes(http, log, [
    // Not host-checked: deliveries are signed and may come through a proxy or tunnel.
    createForgeReceiver({
      secrets: config.webhooks?.secrets ?? null,
      receive,
      hasLiveRun,
      countUnrelated: unrelated.add,
      log,
    }),
    createCampaignHookRoute({ hooks, read: parts.readCall, receive, clock: parts.clock, log }),
    ...onlyOwnHost(
      [
        ...createHealthRoutes(createHealthParts({ ...parts, unrelated: unrelated.totals })),
        receiptKeysPage(parts),
        receiptPage(publicUrl),
        ...checkpointRoutes(parts),
        ...parts.board,
        ...(publicUrl === null ? [] : chatWebhooks.map((webhook) => chatRoute(webhook, key))),
      ],
      http,
      publicUrl,
    ),
  ]);
  return {
    ...served,
    register:
      publicUrl === null
        ? null
        : (webhook) => webhook.register(`${publicUrl}${chatPath(webhook, key)}`, chatSecret(key)),
  };
};

export const listenForHealth = (http: WorkConfig['http'], parts: WorkerHealth): Promise<OpenPages> =>
  serveRoutes(http, parts.log, onlyOwnHost(createHealthRoutes(workerHealthOf(parts)), http, null));

/** Alive but not ready, while the process waits for its ledger or its turn. */
export const listenWhileWaiting = (
  http: WorkConfig['http'],
  { log, why }: { log: Pick<LogPort, 'error'>; why: () => string },
): Promise<OpenPages> => {
  const pages: HttpRoute[] = [
    {
      method: 'GET',
      path: '/healthz',
      handle: (_request, response) => sendJson(response, 200, '{"ok":true}'),
    },
    {
      method: 'GET',
      path: '/readyz',
      handle: (_request, response) => sendJson(response, 503, JSON.stringify({ ok: false, ledger: why() })),
    },
  ];
  return serveRoutes(http, log, onlyOwnHost(pages, http, null));
};

/** Security: rejects foreign Host headers, so that web pages cannot reach us by DNS rebinding. */
const onlyOwnHost = (
  routes: readonly HttpRoute[],
  { host: named }: WorkConfig['http'],
  publicUrl: string | null,
): HttpRoute[] => {
  const own = new Set(['localhost', '127.0.0.1', '[::1]', named.toLowerCase()]);
  if (publicUrl) own.add(new URL(publicUrl).hostname);
  const guardHost =
    (handle: HttpHandler): HttpHandler =>
    (request, response) => {
      const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
      if (own.has(host)) return handle(request, response);
      refuseRequest(request, response, { status: 421, error: 'This host is not served here.' });
    };
  return routes.map((route) => ({ ...route, handle: guardHost(route.handle) }));
};

/** Security: path and header are secrets known only to the chat. */
const chatPath = ({ folder }: ChatWebhook, key: Uint8Array): string =>
  `/${folder}/${computeMac(key, 'path')}`;
const chatSecret = (key: Uint8Array): string => computeMac(key, 'secret');

const chatRoute = (webhook: ChatWebhook, key: Uint8Array): HttpRoute => {
  const take = webhook.createTake(chatSecret(key));
  const readBody = createBodyReader();
  const handle: HttpHandler = async (request, response) => {
    const update = await readUpdate(request, readBody, webhook);
    if ('error' in update) return refuseRequest(request, response, update);
    const header = request.headers[webhook.secretHeader];
    if (await take(update, typeof header === 'string' ? header : '')) return sendJson(response, 200, '{}');
    refuseRequest(request, response, {
      status: 401,
      error: 'The secret is not the one that the chat was told.',
    });
  };
  return { method: 'POST', path: chatPath(webhook, key), handle };
};

const NO_UPDATE = { status: 400, error: 'The body is not an update.' };

const readUpdate = async (
  request: IncomingMessage,
  readBody: ReturnType<typeof createBodyReader>,
  { isUpdate }: ChatWebhook,
): Promise<{ update_id: number } | HttpRefusal> => {
  const announced = request.headers['content-length'];
  const length = announced === undefined ? null : Number(announced);
  if (length !== null && !(length <= MAX_UPDATE_BYTES))
    return { status: 413, error: 'The body is larger than any update.' };
  const body = await readBody(request, length);
  if ('error' in body) return body;
  const text = Buffer.concat(body.pieces).toString();
  body.free();
  try {
    const update: unknown = JSON.parse(text);
    return isUpdate(update) ? update : NO_UPDATE;
  } catch {
    return NO_UPDATE;
  }
};
