/** Answers a request: finds the route, asks for a session, makes the page, adds the headers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LANGUAGE_TEXTS, type LanguageTexts } from '#language';
import type { OpenedSession } from '#notices';
import { SECOND } from '#model/values';
import { ASSETS } from './assets.ts';
import type { BoardAnswer, BoardPage, BoardParts, PageContext } from './board-context.ts';
import { verifyInitData } from './init-data.ts';
import { createLiveEvents } from './live-events.ts';
import { APP_BASE, framePage, messagePage, safetyHeaders } from './page-frame.ts';
import { BOARD_ACTS } from './post-actions.ts';
import { BOARD_ROUTES } from './routes.ts';
import { appPage, enterPage, signInPage, linkAlreadyUsedPage } from './pages/sign-in.ts';

export type { BoardParts };
export type Board = {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Answers a POST with this body. */
  act(request: IncomingMessage, response: ServerResponse, body: string): Promise<void>;
  /** A run was written: open pages are told. */
  onRunChanged(runId: string): void;
  close(): void;
};

const COOKIE = 'agentpr_board';
const compress = promisify(gzip);
const MIN_COMPRESSED_BYTES = 1_000;
const MADE_PAGE_MS = SECOND;
const MAX_MADE_PAGES = 10;

type Page = (typeof BOARD_ROUTES)[number];
type Found<Row = Page> = { route: Row; params: Record<string, string> };
const findRoute = <Row extends { path: string }>(rows: readonly Row[], path: string): Found<Row> | null => {
  const parts = path.split('/');
  for (const route of rows) {
    const names = route.path.split('/');
    if (names.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = names.every((name, i) => {
      const part = parts[i] ?? '';
      if (!name.startsWith(':')) return name === part;
      params[name.slice(1)] = part;
      return part !== '';
    });
    if (fits) return { route, params };
  }
  return null;
};

const decodeParams = (params: Record<string, string>): Record<string, string> | null => {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, part]) => [name, decodeURIComponent(part)]));
  } catch {
    return null;
  }
};

const readSessionCookie = ({ headers }: IncomingMessage): string => {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === COOKIE && value !== undefined) return value;
  }
  return '';
};

const isSecure = (host: string | undefined): boolean =>
  !/^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host ?? '');

const isOwnOrigin = ({ origin, host }: IncomingMessage['headers']): boolean =>
  origin === `https://${host}` || (origin === `http://${host}` && !isSecure(host));

/** Security: other sites may open a page in a tab, but read nothing. */
const isForeign = ({ headers }: IncomingMessage): boolean => {
  // guard: O5-foreign-origin
  if (headers.origin !== undefined && !isOwnOrigin(headers)) return true;
  return headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate';
};

const formatCookie = (
  { cookie, until }: OpenedSession,
  base: string,
  now: number,
  { secure }: { secure: boolean },
): string =>
  [
    `${COOKIE}=${cookie}`,
    `Path=${base}`,
    `Max-Age=${Math.floor((until - now) / 1000)}`,
    'HttpOnly',
    // Telegram Web shows the Mini App in a frame of another site.
    base === APP_BASE ? 'SameSite=None; Partitioned; Secure' : 'SameSite=Strict',
    ...(secure && base !== APP_BASE ? ['Secure'] : []),
  ].join('; ');

const textsForBrowser = ({ headers }: IncomingMessage): LanguageTexts =>
  /^\s*zh\b/i.test(headers['accept-language'] ?? '') ? LANGUAGE_TEXTS.zh : LANGUAGE_TEXTS.en;

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const isPage = (answer: BoardPage | BoardAnswer): answer is BoardPage => 'title' in answer;

export const createBoard = (parts: BoardParts): Board => {
  const { access, clock, log, wordsFor } = parts;
  const live = createLiveEvents(parts);

  const sendAnswer = async (
    request: IncomingMessage,
    response: ServerResponse,
    base: string,
    answer: BoardAnswer,
  ): Promise<void> => {
    const whole = typeof answer.body === 'string' ? Buffer.from(answer.body) : Buffer.from(answer.body);
    const zips =
      whole.length >= MIN_COMPRESSED_BYTES &&
      /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const body = zips ? await compress(whole) : whole;
    response.writeHead(answer.status ?? 200, {
      ...safetyHeaders(base),
      ...(base === '/board' && isSecure(request.headers.host)
        ? { 'strict-transport-security': 'max-age=31536000' }
        : {}),
      'content-type': answer.type,
      'content-length': body.length,
      ...(zips ? { 'content-encoding': 'gzip' } : {}),
      ...answer.headers,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };

  const enterByLink = async (
    request: IncomingMessage,
    token: string,
    { confirmed }: { confirmed: boolean },
  ): Promise<BoardAnswer> => {
    const words = textsForBrowser(request);
    // Previews of links and prefetching must not use the link up.
    const comes =
      request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-purpose'] === undefined;
    if (request.method === 'HEAD' || (!comes && !confirmed))
      return enterPage({ words, base: '/board' }, token);
    const session = await access.redeemLink(token);
    const opened = enterPage({ words, base: '/board' }, null, session?.registers ? '/passkeys' : '/');
    if (!session)
      return (await access.visitor(readSessionCookie(request)))
        ? opened
        : linkAlreadyUsedPage({ words, base: '/board' });
    const secure = isSecure(request.headers.host);
    return {
      ...opened,
      headers: { ...opened.headers, 'set-cookie': formatCookie(session, '/board', clock.now(), { secure }) },
    };
  };

  const exchangeInitData = async (request: IncomingMessage): Promise<BoardAnswer> => {
    const refused: BoardAnswer = { status: 403, type: 'application/json', body: '{"ok":false}' };
    const [, given] = /^tma (.{1,8000})$/.exec(request.headers.authorization ?? '') ?? [];
    if (parts.appToken === null || given === undefined) return refused;
    const proven = verifyInitData(given, parts.appToken, clock.now());
    if (proven === 'expired') return { ...refused, body: '{"ok":false,"why":"expired"}' };
    if (!proven) return refused;
    const opened: BoardAnswer = { type: 'application/json', body: '{"ok":true}' };
    const session = await access.openAppSession(proven.user, proven.proof, proven.until);
    if (session)
      return {
        ...opened,
        headers: { 'set-cookie': formatCookie(session, APP_BASE, clock.now(), { secure: true }) },
      };
    // A reload brings the same data again; it goes on with the session of the same person.
    const visitor = await access.visitor(readSessionCookie(request));
    // guard: O5-reload-same-person
    if (visitor?.id !== proven.user) return refused;
    return opened;
  };

  const openPublic = async (request: IncomingMessage, path: string): Promise<BoardAnswer | null> => {
    const asset = ASSETS.get(/^\/assets\/([\w.-]+)$/.exec(path)?.[1] ?? '');
    if (asset) return { ...asset, headers: { 'cache-control': 'public, max-age=31536000, immutable' } };
    const [, token, confirmed] = /^\/enter\/([^/]{1,400})(\/confirmed)?$/.exec(path) ?? [];
    if (token !== undefined) return enterByLink(request, token, { confirmed: confirmed !== undefined });
    if (path === '/app/session') return exchangeInitData(request);
    if (path === '/app/open') return appPage({ words: textsForBrowser(request), base: APP_BASE });
    return null;
  };

  const makePage = async (context: PageContext, { route }: Found, seq: number): Promise<BoardAnswer> => {
    const answer = await route.answer(context);
    if (answer === null) {
      const { title, says } = context.words.board.missing;
      return messagePage(context, { status: 404, title, says: [says] });
    }
    return isPage(answer) ? framePage({ ...context, seq }, answer) : answer;
  };

  const made = new Map<string, { at: number; answer: Promise<BoardAnswer> }>();
  /** Many tabs ask for the same page at once when a run was written; it is made once. */
  const answerPage = async (context: PageContext, found: Found): Promise<BoardAnswer> => {
    const seq = await live.newest();
    if (context.knownTag !== null || found.route.fresh) return makePage(context, found, seq);
    // guard: G11-page-of-one-person
    const whose = found.route.personal
      ? `${context.visitor.id} ${context.visitor.registers?.challenge ?? ''}`
      : '';
    const key = `${seq} ${context.words.code} ${context.base} ${context.url.pathname}${context.url.search} ${whose}`;
    const before = made.get(key);
    if (before && Math.abs(context.now - before.at) < MADE_PAGE_MS) return before.answer;
    if (made.size >= MAX_MADE_PAGES) made.clear();
    const answer = makePage(context, found, seq);
    made.set(key, { at: context.now, answer });
    answer.catch(() => made.delete(key));
    return answer;
  };

  /** Security: a request of another site is none of a person, even where the browser adds the cookie. */
  const isSent = ({ headers }: IncomingMessage): boolean =>
    headers.origin !== undefined &&
    // A proxy may name another host; an address without a name has no keys.
    // guard: G11-own-origin
    (headers.origin === parts.keys?.origin()?.origin || isOwnOrigin(headers)) &&
    (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin' &&
    /^application\/json\b/.test(headers['content-type'] ?? '');

  const act = async (request: IncomingMessage, response: ServerResponse, text: string): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://board.invalid');
    const refuseAct = (status: number, body: string): Promise<void> =>
      sendAnswer(request, response, '/board', { status, type: 'text/plain', body });
    const found = findRoute(BOARD_ACTS, url.pathname.replace(/^\/board(?=\/)/, ''));
    const params = found && decodeParams(found.params);
    if (!found || !params) return refuseAct(404, 'There is nothing here.');
    if (!isSent(request)) return refuseAct(403, 'Ask from this site alone.');
    const cookie = readSessionCookie(request);
    const visitor = await access.visitor(cookie);
    if (!visitor) return refuseAct(401, 'Sign in from the chat.');
    const words = await wordsFor(visitor.id);
    const body = jsonIn(text);
    const now = clock.now();
    const c = { parts, visitor, words, now, url, params, base: '/board', knownTag: null, cookie };
    const answer = await found.route.act(c, body).catch((error: unknown): BoardAnswer => {
      log.error({ err: error }, 'a decision of the board could not be taken');
      const says = words.board.broken.title;
      return { status: 500, type: 'application/json', body: JSON.stringify({ ok: false, says }) };
    });
    return sendAnswer(request, response, '/board', answer);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://board.invalid');
    const below = url.pathname.replace(/^\/board(?=\/|$)/, '') || '/';
    const inApp = below === '/app' || below.startsWith('/app/');
    const base = inApp ? APP_BASE : '/board';
    if (isForeign(request))
      return sendAnswer(request, response, base, {
        status: 403,
        type: 'text/plain',
        body: 'Ask from this site alone.',
      });
    const free = await openPublic(request, below);
    if (free) return sendAnswer(request, response, base, free);
    const visitor = await access.visitor(readSessionCookie(request));
    if (!visitor)
      return sendAnswer(request, response, base, signInPage({ words: textsForBrowser(request), base }, url));
    const words = await wordsFor(visitor.id);
    const path = inApp ? below.slice('/app'.length) || '/' : below;
    if (path === '/live') return live.open(request, response, visitor, url);
    const found = findRoute(BOARD_ROUTES, path);
    const params = found && decodeParams(found.params);
    const knownTag = request.headers['if-none-match'] ?? null;
    const c = { parts, visitor, words, now: clock.now(), url, params: params ?? {}, base, knownTag };
    if (!found || !params) {
      const { title, says } = words.board.missing;
      return sendAnswer(request, response, base, messagePage(c, { status: 404, title, says: [says] }));
    }
    const answer = await answerPage(c, found).catch((error: unknown) => {
      log.error({ err: error }, 'a page of the board could not be made');
      const { title, says } = words.board.broken;
      return messagePage(c, { status: 500, title, says: [says] });
    });
    return sendAnswer(request, response, base, answer);
  };
  return { handle, act, onRunChanged: (runId) => live.onRunChanged(runId), close: () => live.close() };
};
