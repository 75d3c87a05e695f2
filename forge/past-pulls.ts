/** Reads the pull requests that ended last, without those of bots. */
import { z } from 'zod';
import type { PastPull } from '../orchestrator/model/past-pulls.ts';
import { ITEMS_PER_PAGE, type GitHubClient, type RepositoryParams } from './github-client.ts';

/** GitHub, "List pull requests". */
const Closed = z.array(
  z.object({
    title: z.string(),
    user: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
    author_association: z.string().nullish(),
    created_at: z.string(),
    closed_at: z.string().nullish(),
    merged_at: z.string().nullish(),
  }),
);
const OUTSIDERS: readonly string[] = ['CONTRIBUTOR', 'FIRST_TIMER', 'FIRST_TIME_CONTRIBUTOR', 'NONE'];
const HOUR_MS = 3_600_000;

export const readPastPulls = async (client: GitHubClient, at: RepositoryParams): Promise<PastPull[]> => {
  const sorted = { state: 'closed', sort: 'updated', direction: 'desc', per_page: ITEMS_PER_PAGE };
  const closed = await client.get('/repos/{owner}/{repo}/pulls', { ...at, ...sorted }, Closed);
  return closed
    .filter(({ user }) => user?.type !== 'Bot' && user?.login.endsWith('[bot]') !== true)
    .filter(({ created_at: made, closed_at: ended }) =>
      Number.isFinite(Date.parse(ended ?? '') - Date.parse(made)),
    )
    .map(({ title, merged_at: merged, closed_at: ended, created_at: made, author_association: is }) => ({
      title: title.slice(0, 300),
      merged: typeof merged === 'string',
      hours: Math.max(0, Math.round((Date.parse(ended ?? made) - Date.parse(made)) / HOUR_MS)),
      outsider: OUTSIDERS.includes(is ?? ''),
    }));
};
