/** REST routes that list or search many repositories. */
import { git } from './git.ts';
import { notFound, RestRefusal } from './refusal.ts';
import { ok, type Route, type RouteCall } from './route.ts';
import type { Addresses, Show } from './show.ts';
import type { Repo, State } from './state.ts';

/** GitHub, "Search": "up to 1,000 results for each search". */
const MOST = 1_000;

type Query = { words: string[]; of: Map<string, string> };
const KNOWN = ['org', 'user', 'repo', 'archived', 'fork', 'filename', 'in'];

function readQuery(call: RouteCall, resource: string): Query {
  if (!call.identity) throw new RestRefusal(401, 'Requires authentication');
  const words: string[] = [];
  const of = new Map<string, string>();
  for (const part of (call.query.get('q') ?? '').split(/\s+/).filter(Boolean)) {
    const [, name = '', value = ''] = /^([a-z]+):(\S+)$/.exec(part) ?? [];
    if (KNOWN.includes(name)) of.set(name, value);
    else words.push(part.replaceAll('"', ''));
  }
  const bad = (message: string): RestRefusal =>
    new RestRefusal(422, 'Validation Failed', [{ resource: 'Search', field: 'q', code: 'invalid', message }]);
  if (words.length === 0 && of.size === 0)
    throw new RestRefusal(422, 'Validation Failed', [{ resource: 'Search', field: 'q', code: 'missing' }]);
  if (words.some((word) => /^(?:AND|OR|NOT)$/.test(word)) && words.length === 1)
    throw bad(`The search contains only logical operators (AND / OR / NOT) without any ${resource} terms.`);
  return { words, of };
}

export function createSearchRoutes(
  state: State,
  show: Show,
  { origin, apiUrl }: Addresses,
): Record<string, Route> {
  const seen = (call: RouteCall): Repo[] =>
    [...state.repos.values()].filter(
      (repo) => !repo.gone && state.accessOf(repo, call.identity?.user.login) !== 'none',
    );
  const owned = (repo: Repo, owner: string): boolean =>
    repo.owner.login.toLowerCase() === owner.toLowerCase();
  const shown = (call: RouteCall, repos: readonly Repo[]): object[] =>
    repos.map((repo) => show.repository(repo, call.identity?.user.login));
  const inScope = (repo: Repo, { of }: Query): boolean => {
    const owner = of.get('org') ?? of.get('user');
    const name = of.get('repo');
    const archived = of.get('archived');
    return (
      (owner === undefined || owned(repo, owner)) &&
      (name === undefined || repo.fullName.toLowerCase() === name.toLowerCase()) &&
      (archived === undefined || String(repo.archived) === archived) &&
      // Forks are found only on request.
      (repo.parent === null || of.has('fork'))
    );
  };
  const answer = ({ query }: RouteCall, items: object[]) => {
    const of = (name: string, usual: number): number => Number(query.get(name) ?? usual) || usual;
    if ((of('page', 1) - 1) * of('per_page', 30) >= MOST)
      throw new RestRefusal(422, 'Only the first 1000 search results are available');
    return ok({ total_count: items.length, incomplete_results: false, items });
  };

  return {
    'GET /orgs/{org}/repos'(call) {
      const own = seen(call).filter((repo) => owned(repo, call.at['org'] ?? ''));
      if (own.length === 0) throw notFound();
      return ok(shown(call, own));
    },
    'GET /orgs/{org}/teams/{team_slug}/repos'(call) {
      const team = state.teams.get(`${call.at['org']}/${call.at['team_slug']}`.toLowerCase());
      if (!team || !call.identity) throw notFound();
      return ok(
        shown(
          call,
          seen(call).filter(({ fullName }) => team.includes(fullName)),
        ),
      );
    },
    'GET /search/repositories'(call) {
      const query = readQuery(call, 'repository');
      const found = seen(call).filter(
        (repo) => inScope(repo, query) && query.words.every((word) => repo.name.includes(word)),
      );
      return answer(
        call,
        shown(call, found).map((one) => ({ ...one, score: 1 })),
      );
    },
    async 'GET /search/code'(call) {
      const query = readQuery(call, 'code');
      const items: object[] = [];
      for (const repo of seen(call).filter((one) => inScope(one, query))) {
        for (const { path, sha } of await filesIn(repo, query)) {
          const [at, page] = [
            `${apiUrl()}/repos/${repo.fullName}/contents/${path}`,
            `${origin()}/${repo.fullName}/blob/HEAD/${path}`,
          ];
          items.push({
            name: path.split('/').at(-1),
            path,
            sha,
            url: at,
            html_url: page,
            score: 1,
            git_url: `${apiUrl()}/repos/${repo.fullName}/git/blobs/${sha}`,
            repository: show.repository(repo),
          });
        }
      }
      return answer(call, items);
    },
  };
}

async function filesIn(repo: Repo, { words, of }: Query): Promise<{ path: string; sha: string }[]> {
  const name = of.get('filename');
  const list = await git(repo.dir, ['ls-tree', '-r', repo.defaultBranch]);
  const files = list.split('\n').flatMap((line) => {
    const [, sha = '', path = ''] = /^\d+ blob (\S+)\t(.*)$/.exec(line) ?? [];
    return path !== '' && (name === undefined || path.split('/').at(-1) === name) ? [{ path, sha }] : [];
  });
  if (words.length === 0) return files;
  const read = await Promise.all(files.map(({ sha }) => git(repo.dir, ['cat-file', 'blob', sha])));
  return files.filter((_, i) => words.every((word) => read[i]?.includes(word)));
}
