/** The forge's pages in a browser: routes and form actions. */
import { randomBytes } from 'node:crypto';
import { readFields } from '../body.ts';
import { RestRefusal } from '../github/refusal.ts';
import type { RepoHandle } from '../github/repo.ts';
import type { Repo, State } from '../github/state.ts';
import type { News } from '../news.ts';
import type { Answer, Asked } from '../server.ts';
import { readAsset } from './assets.ts';
import { act, type ActionDeps, type Fields, type Outcome } from './forge/actions.ts';
import { checkPage } from './forge/check.ts';
import { commitPage } from './forge/commit.ts';
import { deliveriesPage, deliveryPage } from './forge/deliveries.ts';
import { filesPage, rawDiff } from './forge/files.ts';
import { localPath, locked, whyNot } from './forge/guard.ts';
import { issueIn, issuePage } from './forge/issues.ts';
import { pullIn, pullPage } from './forge/pull.ts';
import { repositoriesPage } from './forge/repositories.ts';
import { repositoryPage } from './forge/repository.ts';
import { empty, frame, pathOf, safety, type View } from './forge/view.ts';
import { html } from './html.ts';
import { live } from './live.ts';
import { isOwnHost, type Lock } from './lock.ts';

export type ForgeDeps = {
  state: State;
  /** Reports changes only, or an open page would reload forever. */
  news: News;
  handleOf: (repo: Repo) => RepoHandle;
  lock: Lock;
};
export type Forge = {
  /** Returns null for other paths. REST and git must be handled before. */
  answer(asked: Asked): Promise<Answer> | null;
};

const REPO = String.raw`/([\w.-]+)/([\w.-]+?)`;
/** Top-level paths of REST, which cannot be owners. */
const RESERVED = /^\/(?:repos|users?|orgs|app|apps|installation|search|rate_limit|api)(?:\/|$)/i;
const NOTES = 50;

type Found = Promise<Answer | null> | Answer | null;
type Turn = (view: View, at: string[], repo: Repo) => Found;

const ofRepo: [RegExp, Turn][] = [
  [new RegExp(`^${REPO}(?:\\.git)?/?$`), (view, _, repo) => repositoryPage(view, repo)],
  [
    new RegExp(`^${REPO}/pull/(\\d{1,9})$`),
    (view, [n = ''], repo) => ofPull(repo, n, (pull) => pullPage(view, pull)),
  ],
  [
    new RegExp(`^${REPO}/pull/(\\d{1,9})/files$`),
    (view, [n = ''], repo) => ofPull(repo, n, (pull) => filesPage(view, pull)),
  ],
  [
    new RegExp(`^${REPO}/issues/(\\d{1,9})$`),
    (view, [n = ''], repo) => {
      const issue = issueIn(repo, n);
      return issue && issuePage(view, repo, issue);
    },
  ],
  [new RegExp(`^${REPO}/compare/[^]+\\.\\.\\.([^]+)$`), (_view, [head = ''], repo) => branchAt(repo, head)],
  [new RegExp(`^${REPO}/pull/(\\d{1,9})\\.diff$`), (_view, [n = ''], repo) => ofPull(repo, n, rawDiff)],
  [
    new RegExp(`^${REPO}/(?:checks|runs)/(\\d{1,12})$`),
    (view, [id], repo) => checkPage(view, repo, Number(id)),
  ],
  [new RegExp(`^${REPO}/commit/([0-9a-f]{7,40})$`), (view, [sha = ''], repo) => commitPage(view, repo, sha)],
];

export function createForge(deps: ForgeDeps): Forge {
  const token = randomBytes(24).toString('base64url');
  const notes = new Map<string, Outcome>();
  const { state, lock } = deps;

  const viewOf = (url: URL): View => {
    const note = notes.get(url.searchParams.get('note') ?? '') ?? null;
    return { state, post: state.post, token, url, note };
  };

  async function page(asked: Asked): Promise<Answer> {
    const view = viewOf(asked.url);
    const answer = (await find(view, decoded(asked.url.pathname))) ?? missing(view);
    return { ...answer, headers: { ...answer.headers, ...lock.cookieFor(asked) } };
  }

  async function action(asked: Asked): Promise<Answer> {
    const fields = fieldsOf(asked);
    const refused = whyNot(asked, fields, token);
    if (refused !== null) return plain(403, refused);
    const path = decoded(asked.url.pathname).slice('/forge'.length);
    const outcome = await outcomeOf({ state, handleOf: deps.handleOf }, path, fields);
    if (!outcome) return plain(404, 'There is nothing there to act on.');
    const key = randomBytes(6).toString('hex');
    notes.set(key, outcome);
    for (const old of [...notes.keys()].slice(0, -NOTES)) notes.delete(old);
    const headers = { ...safety, location: `${localPath(fields['back'])}?note=${key}` };
    return { status: 303, headers, body: '' };
  }

  const events = async (asked: Asked): Promise<Answer> => live(deps.news, asked.gone);

  function turnFor({
    method,
    headers,
    url: { pathname },
  }: Asked): ((asked: Asked) => Promise<Answer>) | null {
    if (method === 'POST') return pathname.startsWith('/forge/') ? action : null;
    if (method !== 'GET') return null;
    if (pathname === '/forge/events') return events;
    if (RESERVED.test(pathname)) return null;
    return isPage(decoded(pathname)) || headers.accept?.includes('text/html') ? page : null;
  }

  return {
    answer(asked) {
      if (asked.method === 'GET' && Object.hasOwn(files, asked.url.pathname))
        return Promise.resolve(asset(asked.url.pathname));
      const turn = turnFor(asked);
      if (!turn) return null;
      if (!isOwnHost(asked.headers.host))
        return Promise.resolve(plain(403, 'This address is not this computer.'));
      const comesIn = turn === page && 'set-cookie' in lock.cookieFor(asked);
      return lock.isOpenTo(asked) || comesIn ? turn(asked) : Promise.resolve(locked());
    },
  };
}

const isPage = (path: string): boolean =>
  path === '/' || /^\/deliveries(?:\/\d+)?$/.test(path) || ofRepo.some(([pattern]) => pattern.test(path));

function find(view: View, path: string): Found {
  if (path === '/') return repositoriesPage(view, null);
  if (path === '/deliveries') return deliveriesPage(view);
  const delivery = /^\/deliveries\/(\d{1,12})$/.exec(path)?.[1];
  if (delivery) return deliveryPage(view, Number(delivery));
  const owner = /^\/([\w.-]+)\/?$/.exec(path)?.[1];
  if (owner) return repositoriesPage(view, owner);
  for (const [pattern, turn] of ofRepo) {
    const [, login, name, ...at] = pattern.exec(path) ?? [];
    const repo = login !== undefined && view.state.repo(`${login}/${name}`);
    if (repo) return turn(view, at, repo);
  }
  return null;
}

function branchAt(repo: Repo, head: string): Answer {
  const [branch = '', name = '', owner = ''] = head.split(':').toReversed();
  const page = owner === '' ? pathOf(repo) : `/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const location = `${page}?branch=${encodeURIComponent(branch)}`;
  return { status: 302, headers: { ...safety, location }, body: '' };
}

function ofPull(repo: Repo, number: string, turn: (pull: Repo['pulls'][number]) => Promise<Answer>): Found {
  const pull = pullIn(repo, number);
  return pull && turn(pull);
}

/** A refusal is shown as a message, not as an error page. */
async function outcomeOf(deps: ActionDeps, path: string, fields: Fields): Promise<Outcome | null> {
  try {
    return await act(deps, path, fields);
  } catch (error) {
    if (error instanceof RestRefusal) return { tone: 'bad', words: error.message };
    throw error;
  }
}

function missing(view: View): Answer {
  const body = html`<h1 class="page-title">Nothing here</h1>
    ${empty('file', html`There is no such page. <a href="/">All repositories</a>`)}`;
  return frame(view, { title: 'Nothing here', here: 'repositories', body, status: 404 });
}

function fieldsOf({ headers, body }: Asked): Fields {
  const { params } = readFields(headers['content-type'] ?? '', body) ?? { params: {} };
  return Object.fromEntries(
    Object.entries(params).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch (error) {
    if (error instanceof URIError) return pathname;
    throw error;
  }
}

const plain = (status: number, words: string): Answer => ({
  status,
  headers: { ...safety, 'content-type': 'text/plain; charset=utf-8' },
  body: `${words}\n`,
});

const files: Readonly<Record<string, { name: string; type: string }>> = {
  '/pages/forge.css': { name: 'forge.css', type: 'text/css' },
  '/pages/forge.js': { name: 'forge-browser.js', type: 'text/javascript' },
};

function asset(pathname: string): Answer {
  const { name, type } = files[pathname] ?? { name: '', type: '' };
  return {
    status: 200,
    headers: { ...safety, 'content-type': `${type}; charset=utf-8` },
    body: readAsset(name),
  };
}
