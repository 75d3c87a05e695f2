/** Reads an issue of GitHub. */
import { z } from 'zod';
import { type GitHubClient, type RepositoryParams, fallBackWhenHidden } from './github-client.ts';
import type { IssueLookup } from '#ports/forge';

const Issue = z.object({
  state: z.enum(['open', 'closed']),
  locked: z.boolean().nullish(),
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])).default([]),
});

export const readIssue = async (
  client: GitHubClient,
  at: RepositoryParams & { issue_number: number },
): Promise<IssueLookup | null> => {
  const found = await fallBackWhenHidden(
    client.get('/repos/{owner}/{repo}/issues/{issue_number}', at, Issue),
    null,
  );
  if (!found) return null;
  const labels = found.labels.flatMap((l) => (typeof l === 'string' ? [l] : l.name ? [l.name] : []));
  const assignees = (found.assignees ?? []).map((a) => a.login);
  return { state: found.state, assignees, labels, ...(found.locked === true ? { locked: true } : {}) };
};
