/** Building blocks of all forge pages. */
import type { Post } from '../../github/deliveries.ts';
import type { Pull, Repo, State } from '../../github/state.ts';
import type { Answer } from '../../server.ts';
import { html, join, render, type Html, type Part } from '../html.ts';
import { icon, type IconName } from './icons.ts';

export type View = {
  state: State;
  post: Pick<Post, 'deliveries' | 'hooks' | 'weather' | 'setWeather' | 'redeliver'>;
  /** Anti-forgery token of all forms. */
  token: string;
  url: URL;
  note: { tone: 'good' | 'bad'; words: string } | null;
};
export type Page = {
  title: string;
  crumbs?: Part[];
  here: 'repositories' | 'deliveries';
  body: Part;
  status?: number;
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
export const safety: Record<string, string> = {
  'content-security-policy': POLICY,
  // The value `no-referrer` would send forms without origin, which we refuse.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

export function frame(view: View, page: Page): Answer {
  const { deliveries } = view.post;
  const tab = (key: Page['here'], href: string, name: IconName, words: Part) =>
    html`<a href="${href}" ${page.here === key && html`aria-current="page"`}
      >${icon(name)}<span>${words}</span></a
    >`;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · Forge</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/pages/forge.css" />
        <script type="module" src="/pages/forge.js"></script>
      </head>
      <body>
        <header class="top">
          <div class="wrap">
            <a class="brand" href="/"><span class="anvil">${icon('forge')}</span>Forge</a>
            <span class="local" id="live">local</span>
            <nav>
              ${tab('repositories', '/', 'repo', 'Repositories')}
              ${tab('deliveries', '/deliveries', 'send', [
                'Deliveries',
                deliveries.length > 0 && html`<b class="count">${deliveries.length}</b>`,
              ])}
            </nav>
          </div>
        </header>
        <div id="note" role="status">
          ${view.note && html`<p class="note ${view.note.tone}">${view.note.words}</p>`}
        </div>
        <main class="wrap">
          ${
            page.crumbs &&
            html`<nav class="crumbs" aria-label="Where you are">
              ${join(page.crumbs, html`<span aria-hidden="true">/</span>`)}
            </nav>`
          }
          ${page.body}
        </main>
        <footer class="wrap">
          A code host on this computer, for trying things out. Here you are the maintainer.
        </footer>
      </body>
    </html> `;
  const headers = { ...safety, 'content-type': 'text/html; charset=utf-8' };
  return { status: page.status ?? 200, headers, body: render(document) };
}

export const pathOf = (repo: Repo): string => `/${repo.fullName}`;
export const pullPath = ({ base, number }: Pull): string => `/${base.repo.fullName}/pull/${number}`;

export const repoCrumbs = (repo: Repo): Part[] => [
  html`<a href="/${repo.owner.login}">${repo.owner.login}</a>`,
  html`<a href="${pathOf(repo)}">${repo.name}</a>`,
];

const hue = (name: string): number =>
  [...name].reduce((sum, one) => (sum * 85 + one.charCodeAt(0)) % 65_521, 7) % 8;

export const face = (login: string): Html =>
  html`<span class="face hue${hue(login)}" aria-hidden="true">${[...login][0]?.toUpperCase() ?? '?'}</span>`;
export const who = (login: string): Html => html`<bdi class="who">${login}</bdi>`;
export const branch = (name: string): Html => html`<bdi class="branch">${name}</bdi>`;
export const shaLink = (repo: Repo, sha: string): Html =>
  html`<a class="sha" href="${pathOf(repo)}/commit/${sha}">${sha.slice(0, 7)}</a>`;

export const plural = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : one.endsWith('sh') ? 'es' : 's'}`;

export const growth = (added: number, deleted: number): Html =>
  html`<b class="plus">+${added.toLocaleString('en')}</b>
    <b class="minus">−${deleted.toLocaleString('en')}</b>`;

export function lasted(ms: number): string {
  if (ms < 1000) return `${Math.max(Math.round(ms), 0)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

export function when(view: View, at: number): Html {
  const seconds = Math.round((view.state.now() - at) / 1000);
  const exact = new Date(at).toISOString();
  const far = Math.abs(seconds) > 30 * 86_400;
  const words = far ? exact.slice(0, 10) : ago(seconds);
  return html`<time datetime="${exact}" title="${exact}">${words}</time>`;
}

function ago(seconds: number): string {
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86_400
    ? `${Math.floor(seconds / 3600)} h ago`
    : plural(Math.floor(seconds / 86_400), 'day') + ' ago';
}

export type PullLook = { tone: 'open' | 'merged' | 'shut' | 'draft'; name: IconName; words: string };
export function lookOf(pull: Pull): PullLook {
  if (pull.merged) return { tone: 'merged', name: 'merged', words: 'Merged' };
  if (pull.state === 'closed') return { tone: 'shut', name: 'closed', words: 'Closed' };
  return pull.draft
    ? { tone: 'draft', name: 'pull', words: 'Draft' }
    : { tone: 'open', name: 'pull', words: 'Open' };
}

export const form = (view: View, action: string, content: Part, kind = ''): Html =>
  html`<form method="post" action="/forge${action}" class="${kind}">
    <input type="hidden" name="token" value="${view.token}" />
    <input type="hidden" name="back" value="${view.url.pathname}" />
    ${content}
  </form>`;

export const empty = (name: IconName, words: Part): Html =>
  html`<p class="empty">${icon(name)}<span>${words}</span></p>`;
