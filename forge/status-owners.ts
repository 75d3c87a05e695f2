/** Finds the app behind a commit status, as anyone with push access can set any name (F3). */
import { z } from 'zod';
import type { MergeRequirement } from '#model/ci';
import { fallBackWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';
import { appId, type CheckSuite, type CommitStatus } from './github-facts.ts';

const Statuses = z.array(
  z.object({ context: z.string(), creator: z.object({ login: z.string() }).nullish() }),
);
const App = z.object({ id: z.number(), slug: z.string().nullish() });

type Known = {
  statuses: readonly CommitStatus[];
  suites: readonly CheckSuite[];
  required: readonly MergeRequirement[];
};

export const readStatusOwners = async (
  client: GitHubClient,
  at: RepositoryParams & { ref: string },
  { statuses, suites, required }: Known,
): Promise<ReadonlyMap<string, string>> => {
  const bound = new Set(required.flatMap(({ app, name }) => (app === null ? [] : [name.toLowerCase()])));
  const doubtful = statuses.filter(({ context }) => bound.has(context.toLowerCase()));
  if (doubtful.length === 0) return new Map();
  const route = '/repos/{owner}/{repo}/commits/{ref}/statuses';
  const listed = await fallBackWhenHidden(
    client.pages(
      route,
      at,
      Statuses,
      (page) => page,
      () => undefined,
    ),
    [],
  );
  const ids = new Map(suites.map(({ app }) => [app?.slug ?? '', appId(app)]));
  const found = await Promise.all(
    doubtful.map(async ({ context }): Promise<[string, string][]> => {
      const login = listed.find((one) => one.context === context)?.creator?.login ?? '';
      const slug = login.endsWith('[bot]') ? login.slice(0, -'[bot]'.length) : null;
      const id = slug && (ids.get(slug) ?? (await idOf(client, slug)));
      return id ? [[context, id]] : [];
    }),
  );
  return new Map(found.flat());
};

const idOf = async (client: GitHubClient, app_slug: string): Promise<string | null> => {
  const app = await fallBackWhenHidden(client.get('/apps/{app_slug}', { app_slug }, App), null);
  return app && String(app.id);
};
