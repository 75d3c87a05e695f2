import { z } from 'zod';
import type { MergedPull } from '#model/order';
import { OutsideFailure } from '#ports/forge';
import { fallBackWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';
import { pullNumber } from './github-facts.ts';

const Merged = z.object({
  merged: z.boolean().nullish(),
  merge_commit_sha: z.string().nullish(),
  commits: z.number(),
  base: z.object({ ref: z.string() }),
});
const Commits = z.array(
  z.object({ commit: z.object({ message: z.string() }), parents: z.array(z.unknown()) }),
);
const MAX_LISTED_COMMITS = 250;

export const readMergedPull = async (
  client: GitHubClient,
  repo: RepositoryParams,
  id: string,
): Promise<MergedPull | null> => {
  const at = { ...repo, pull_number: pullNumber(id) };
  const pull = await client.get('/repos/{owner}/{repo}/pulls/{pull_number}', at, Merged);
  if (pull.merged !== true || typeof pull.merge_commit_sha !== 'string') return null;
  if (pull.commits > MAX_LISTED_COMMITS)
    throw new OutsideFailure('forge_refused', `${id} has more commits than GitHub lists`);
  const route = '/repos/{owner}/{repo}/pulls/{pull_number}/commits';
  const listed = await client.pages(route, at, Commits, (page) => page);
  const own = listed.filter(({ parents }) => parents.length < 2);
  const subjects = own.map(({ commit }) => (commit.message.split('\n', 1)[0] ?? '').slice(0, 500));
  return { pull: id, commit: pull.merge_commit_sha, baseRef: pull.base.ref, subjects };
};

const Releases = z.array(
  z.object({
    tag_name: z.string(),
    draft: z.boolean(),
    prerelease: z.boolean(),
    published_at: z.string().nullish(),
  }),
);
const MAX_OTHER_RELEASES = 3;
const Compared = z.object({ status: z.string() });

/** Tags of the releases that hold the commit, the oldest first. */
export const readReleasesWith = async (
  client: GitHubClient,
  at: RepositoryParams,
  commit: string,
): Promise<string[]> => {
  const listed = await client.get('/repos/{owner}/{repo}/releases', { ...at, per_page: 30 }, Releases);
  const out = listed.filter(({ draft, prerelease }) => !draft && !prerelease);
  const found: string[] = [];
  let misses = 0;
  for (const { tag_name: tag } of out) {
    const route = '/repos/{owner}/{repo}/compare/{basehead}';
    const asked = client.get(route, { ...at, basehead: `${commit}...${tag}`, per_page: 1 }, Compared);
    const status = (await fallBackWhenHidden(asked, null))?.status;
    if (status !== 'ahead' && status !== 'identical') {
      misses += 1;
      if (found.length > 0 || misses >= MAX_OTHER_RELEASES) break;
      continue;
    }
    found.unshift(tag);
  }
  return found;
};
