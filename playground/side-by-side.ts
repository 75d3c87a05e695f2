/** Shows the phone and the code host side by side at one address, with hints. */
import { readAsset } from './pages/assets.ts';
import { html, render } from './pages/html.ts';
import { live } from './pages/live.ts';
import { createLock, isOwnHost } from './pages/lock.ts';
import type { Neighbours } from './pages/framed-pages.ts';
import { json, serve, type Answer, type Asked } from './server.ts';

export type Stage = {
  url: string;
  neighbours: Neighbours;
  shows(pages: { phone: string; forge: string; cookies: readonly string[] }): void;
  /** `forge` is the page of the code host that the hint speaks of. */
  hints(words: string, forge?: string): void;
  stop(): Promise<void>;
};

const ASSETS: Readonly<Record<string, string>> = {
  '/stage.css': 'text/css; charset=utf-8',
  '/stage.js': 'text/javascript; charset=utf-8',
};

const page = (phone: string, forge: string, hint: string): string =>
  render(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>AgentPR demo</title>
          <link rel="stylesheet" href="/stage.css" />
          <script type="module" src="/stage.js"></script>
        </head>
        <body data-shown="phone">
          <header>
            <strong id="brand">AgentPR</strong>
            <p id="hint" role="status">${hint}</p>
            <nav aria-label="Pages">
              <button type="button" data-page="phone" aria-pressed="true">Phone</button>
              <button type="button" data-page="forge" aria-pressed="false">Code host</button>
            </nav>
          </header>
          <main>
            <iframe name="agentpr-phone" title="Ana’s phone" src="${phone}"></iframe>
            <iframe name="agentpr-forge" title="The code host" src="${forge}"></iframe>
          </main>
        </body>
      </html>`,
  );

const LOCKED = 'This page is locked. Open the whole address that was printed, with its key.\n';

export async function startStage({ key }: { key: string }): Promise<Stage> {
  const lock = createLock('stage', key);
  let shown = { phone: 'about:blank', forge: 'about:blank', cookies: [] as readonly string[] };
  let hint = 'Ana has ordered a change. Its card comes to her phone in a few seconds.';

  const headersFor = (asked: Asked): Record<string, string | string[]> => ({
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src ${[shown.phone, shown.forge].map((one) => (one.startsWith('http') ? new URL(one).origin : "'none'")).join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...('set-cookie' in lock.cookieFor(asked) ? { 'set-cookie': [...shown.cookies] } : {}),
  });
  const text = (status: number, type: string, body: string | Buffer, headers = {}): Answer => ({
    status,
    headers: { 'content-type': type, ...headers },
    body,
  });

  const handle = async (asked: Asked): Promise<Answer> => {
    const { pathname } = asked.url;
    if (!isOwnHost(asked.headers.host) || asked.method !== 'GET')
      return text(403, 'text/plain; charset=utf-8', 'Open this page by 127.0.0.1 or localhost.\n');
    const type = ASSETS[pathname];
    if (type !== undefined) return text(200, type, readAsset(pathname.slice(1)));
    const comesIn = 'set-cookie' in lock.cookieFor(asked);
    if (!comesIn && !lock.isOpenTo(asked)) return text(403, 'text/plain; charset=utf-8', LOCKED);
    if (pathname === '/events') return live(served.news, asked.gone);
    if (pathname === '/hint') return json(200, { hint, forge: shown.forge });
    if (pathname !== '/') return text(404, 'text/plain; charset=utf-8', 'There is no such page.\n');
    const { phone, forge } = shown;
    return text(200, 'text/html; charset=utf-8', page(phone, forge, hint), headersFor(asked));
  };

  const served = await serve(
    { describe: (asked) => ({ route: asked.url.pathname, params: {} }), handle },
    { picture: () => `${hint} ${shown.forge}` },
  );
  return {
    url: lock.address(served.url),
    neighbours: { frame: served.url, cookies: () => shown.cookies },
    shows: ({ cookies, ...pages }) => {
      shown = { ...pages, cookies: [...cookies, lock.cookie(served.url)] };
    },
    hints(words, forge = shown.forge) {
      hint = words;
      shown = { ...shown, forge };
      served.news.tell();
    },
    stop: () => served.stop(),
  };
}
