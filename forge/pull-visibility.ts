/** Checks what anonymous users see; a flagged account cannot notice that others see nothing (F5). */
import { createOctokit } from './octokit.ts';
import type { RepositoryParams } from './github-client.ts';
import { findHttpStatus } from './github-failures.ts';

type At = RepositoryParams & { pull_number: number };

/** `null` for a private repository or an unknown answer. Never throws. */
export const isPubliclyVisible = async (
  { apiUrl, userAgent, timeoutMs }: { apiUrl: string; userAgent: string; timeoutMs: number },
  at: At,
): Promise<boolean | null> => {
  const octokit = createOctokit(apiUrl, userAgent);
  const readStatus = async (
    route: string,
    { owner, repo, ...rest }: RepositoryParams & Partial<At>,
  ): Promise<number> => {
    try {
      const request = { signal: AbortSignal.timeout(timeoutMs) };
      return (await octokit.request(`GET ${route}`, { owner, repo, ...rest, request })).status;
    } catch (error) {
      return findHttpStatus(error) ?? 0;
    }
  };
  const { owner, repo } = at;
  if ((await readStatus('/repos/{owner}/{repo}', { owner, repo })) !== 200) return null;
  const pull = await readStatus('/repos/{owner}/{repo}/pulls/{pull_number}', at);
  return pull === 200 ? true : pull === 404 ? false : null;
};
