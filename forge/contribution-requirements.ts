/** Reads files of the owner's `.github` repository, and issues. */
import { z } from 'zod';
import type { IssueLookup } from '../orchestrator/kernel/ports/index.ts';
import {
  namesIssue,
  MAX_COMPETING_PULLS,
  type CompetingPull,
} from '../orchestrator/model/competing-pulls.ts';
import { orWhenHidden, ITEMS_PER_PAGE, type GitHubClient, type RepositoryParams } from './github-client.ts';
import { pullId } from './github-facts.ts';

/** GitHub, "Get a tree": `HEAD` is the default branch; `sha` is the blob's. */
const Tree = z.object({
  tree: z.array(
    z.object({ path: z.string(), type: z.string(), sha: z.string(), size: z.number().optional() }),
  ),
});
const Blob = z.object({ content: z.string(), encoding: z.string() });
const Issue = z.object({
  state: z.enum(['open', 'closed']),
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).default([]),
});

const LARGEST_FILE = 256 * 1024;
const MAX_OWNER_FILES = 4;

export const readFiles = async (
  client: GitHubClient,
  at: RepositoryParams,
  paths: readonly string[],
): Promise<{ path: string; text: string }[]> => {
  const tree = client.get(
    '/repos/{owner}/{repo}/git/trees/{tree_sha}',
    { ...at, tree_sha: 'HEAD', recursive: '1' },
    Tree,
  );
  const listed = (await orWhenHidden(tree, { tree: [] })).tree;
  const found = paths.flatMap(
    (path) => listed.find((f) => f.path === path && f.type === 'blob' && (f.size ?? 0) <= LARGEST_FILE) ?? [],
  );
  return Promise.all(
    found.slice(0, MAX_OWNER_FILES).map(async ({ path, sha }) => {
      const { content } = await client.get(
        '/repos/{owner}/{repo}/git/blobs/{file_sha}',
        { ...at, file_sha: sha },
        Blob,
      );
      return { path, text: Buffer.from(content, 'base64').toString('utf8') };
    }),
  );
};

export const readIssue = async (
  client: GitHubClient,
  at: RepositoryParams & { issue_number: number },
): Promise<IssueLookup | null> => {
  const found = await orWhenHidden(
    client.get('/repos/{owner}/{repo}/issues/{issue_number}', at, Issue),
    null,
  );
  if (!found) return null;
  const labels = found.labels.flatMap((l) => (typeof l === 'string' ? [l] : l.name ? [l.name] : []));
  return { state: found.state, assignees: (found.assignees ?? []).map((a) => a.login), labels };
};

const Pulls = z.array(
  z.object({
    number: z.number(),
    html_url: z.string(),
    title: z.string(),
    body: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
    head: z.object({ ref: z.string() }),
  }),
);
const Files = z.array(z.object({ filename: z.string() }));
/** One request per pull request, so only the newest are compared. */
const MOST_LISTED = 15;

export const readCompetingPulls = async (
  client: GitHubClient,
  at: RepositoryParams,
  { issue, paths }: { issue: string | null; paths: readonly string[] },
): Promise<CompetingPull[]> => {
  if (issue === null && paths.length === 0) return [];
  const sorted = { state: 'open', sort: 'updated', direction: 'desc', per_page: ITEMS_PER_PAGE };
  const open = await client.get('/repos/{owner}/{repo}/pulls', { ...at, ...sorted }, Pulls);
  // By number: a comment on one of many must not change which ones a signature names.
  const named = open
    .filter((p) => issue !== null && namesIssue(`${p.title}\n${p.body ?? ''}`, issue))
    .toSorted((a, b) => a.number - b.number);
  const others = paths.length === 0 ? [] : open.filter((p) => !named.includes(p)).slice(0, MOST_LISTED);
  const touching = await Promise.all(
    others.map(async (pull) => {
      const where = { ...at, pull_number: pull.number, per_page: ITEMS_PER_PAGE };
      const listed = client.get('/repos/{owner}/{repo}/pulls/{pull_number}/files', where, Files);
      const files = await orWhenHidden(listed, []);
      return files.some((f) => paths.includes(f.filename)) ? [pull] : [];
    }),
  );
  const rival =
    (by: CompetingPull['matchedBy']) =>
    ({ number, html_url: url, title, user }: z.infer<typeof Pulls>[number]): CompetingPull => ({
      id: pullId(number),
      url: url.slice(0, 1_000),
      title: title.slice(0, 300),
      author: user?.login ?? 'ghost',
      matchedBy: by,
    });
  return [...named.map(rival('issue')), ...touching.flat().map(rival('files'))].slice(0, MAX_COMPETING_PULLS);
};
