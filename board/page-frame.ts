/** The frame around every page, and the headers that go with it. */
import type { LanguageTexts } from '#language';
import type { BoardAnswer, BoardPage, PageContext } from './board-context.ts';
import { ASSET_VERSION } from './assets.ts';
import { html, type Markup } from './markup.ts';

const contentPolicyFor = (ancestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

export const APP_BASE = '/board/app';

export const safetyHeaders = (base: string): Record<string, string> => ({
  'content-security-policy': contentPolicyFor(base === APP_BASE ? 'https://web.telegram.org' : "'none'"),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
  vary: 'cookie, accept-encoding',
});

type Framed = Pick<PageContext, 'words' | 'base'> & { visitor?: PageContext['visitor']; seq?: number };

export const framePage = (frame: Framed, page: BoardPage): BoardAnswer => {
  const { words, base } = frame;
  const watched = page.watches === undefined ? '' : page.watches === 'all' ? '*' : page.watches.run;
  const document = html`<!doctype html>
    <html lang="${words.code}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title} · AgentPR</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/board/assets/board.css?${ASSET_VERSION}" />
        ${
          base === APP_BASE &&
          html`<script
            src="/board/assets/mini-app.js?${ASSET_VERSION}"
            ${page.opensApp ? html`data-opening` : ''}
          ></script>`
        }
        <script type="module" src="/board/assets/board.js?${ASSET_VERSION}"></script>
        ${page.plays && html`<script type="module" src="/board/assets/film.js?${ASSET_VERSION}"></script>`}
        ${
          page.asksKey &&
          html`<script type="module" src="/board/assets/webauthn.js?${ASSET_VERSION}"></script>
            <script type="module" src="/board/assets/keys.js?${ASSET_VERSION}"></script>`
        }
      </head>
      <body
        data-base="${base}"
        data-watch="${watched}"
        data-seq="${frame.seq ?? 0}"
        data-lost="${words.board.live.off}"
        data-out="${words.board.live.out}"
      >
        <a class="skip" href="#main">${words.board.skip}</a>
        <header class="top">
          <div class="bar${page.wide ? ' wide' : ''}">
            <a class="brand" href="${base}/"><i class="mark" aria-hidden="true"></i>AgentPR</a>
            ${frame.visitor ? renderNavigation(frame, page, words) : ''}
            <span class="live" id="live" role="status"></span>
          </div>
        </header>
        <main id="main" class="${page.wide ? 'wide' : ''}">${page.body}</main>
        <footer class="foot">${page.asksKey ? '' : words.board.readOnly}</footer>
      </body>
    </html> `;
  return { status: page.status ?? 200, type: 'text/html; charset=utf-8', body: document.toString() };
};

const renderNavigation = ({ base }: Framed, { here }: BoardPage, { board }: LanguageTexts): Markup => {
  const renderTab = (key: NonNullable<BoardPage['here']>, path: string): Markup =>
    here === key
      ? html`<a href="${base}${path}" aria-current="page">${board.nav[key]}</a>`
      : html`<a href="${base}${path}">${board.nav[key]}</a>`;
  return html`<nav class="tabs" aria-label="${board.name}">
    ${[renderTab('inbox', '/'), renderTab('campaigns', '/campaigns'), renderTab('figures', '/figures')]}
  </nav>`;
};

export const messagePage = (
  frame: Framed,
  {
    says,
    link,
    ...page
  }: Pick<BoardPage, 'title' | 'opensApp'> & { status: number; says: readonly string[]; link?: Markup },
): BoardAnswer =>
  framePage(frame, {
    ...page,
    body: html`<section class="message">
      <h1>${page.title}</h1>
      ${says.map((line) => html`<p>${line}</p>`)} ${link}
    </section>`,
  });
