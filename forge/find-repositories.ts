/** Lists repositories of an owner or a search (30 searches a minute, 10 of code) (F5). */
import { z } from 'zod';
import type { RepoQuery } from '#model/targets';
import type { FoundRepo, FoundRepos } from '#ports/forge';
import { ITEMS_PER_PAGE, type GitHubClient } from './github-client.ts';

const Listed = z.object({
  id: z.number(),
  full_name: z.string(),
  fork: z.boolean().default(false),
  archived: z.boolean().nullish(),
  allow_forking: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean().default(false) }).nullish(),
});
const List = z.array(Listed);
const searchResults = <T>(item: z.ZodType<T>) =>
  z.object({ total_count: z.number(), incomplete_results: z.boolean().default(false), items: z.array(item) });
const Repos = searchResults(Listed);
const Code = searchResults(z.object({ repository: Listed }));

/** GitHub, "Search": "up to 1,000 results for each search". */
const MOST_PAGES = 10;

const toFoundRepo = (one: z.infer<typeof Listed>): FoundRepo => ({
  id: String(one.id),
  name: one.full_name,
  archived: one.archived ?? null,
  isFork: one.fork,
  mayPush: one.permissions?.push ?? null,
  mayFork: one.allow_forking ?? true,
});

/** A code search returns a repository once per file. */
const uniqueRepos = (repos: readonly z.infer<typeof Listed>[]): FoundRepo[] => [
  ...new Map(repos.map((one) => [one.full_name.toLowerCase(), toFoundRepo(one)])).values(),
];

const listOf = async (
  client: GitHubClient,
  route: string,
  params: Record<string, string>,
): Promise<FoundRepos> => {
  let whole = true;
  const all = await client.pages(
    route,
    params,
    List,
    (page) => page,
    () => {
      whole = false;
    },
  );
  const repos = uniqueRepos(all);
  return { repos, given: repos.length, of: repos.length, whole };
};

const searchRepos = async <T>(
  client: GitHubClient,
  route: string,
  q: string,
  schema: z.ZodType<{ total_count: number; incomplete_results: boolean; items: T[] }>,
  repoOf: (item: T) => z.infer<typeof Listed>,
): Promise<FoundRepos> => {
  const items: T[] = [];
  let [of, whole] = [0, true];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const data = await client.get(route, { q, per_page: ITEMS_PER_PAGE, page }, schema);
    items.push(...data.items);
    of = Math.max(of, data.total_count);
    whole &&= !data.incomplete_results;
    if (data.items.length === 0 || items.length >= data.total_count) break;
  }
  return {
    repos: uniqueRepos(items.map(repoOf)),
    given: items.length,
    of: Math.max(of, items.length),
    whole,
  };
};

export const findRepos = ({ by, text }: RepoQuery, client: GitHubClient): Promise<FoundRepos> => {
  switch (by) {
    case 'org':
      return listOf(client, '/orgs/{org}/repos', { org: text });
    case 'team': {
      const [org = '', team_slug = ''] = text.split('/');
      return listOf(client, '/orgs/{org}/teams/{team_slug}/repos', { org, team_slug });
    }
    case 'repos':
      return searchRepos(client, '/search/repositories', text, Repos, (one) => one);
    case 'code':
      return searchRepos(client, '/search/code', text, Code, ({ repository }) => repository);
  }
};
