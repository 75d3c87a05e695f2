/** Finds a fine-grained token's permissions by harmless requests; GitHub lists them nowhere (F1). */
import { z } from 'zod';
import { createOctokit } from './octokit.ts';
import { headersOf, statusOf } from './github-failures.ts';
import { APP_PERMISSIONS, type AppPermission } from './required-permissions.ts';

type Probe = { name: string; route: string; params: Record<string, unknown> };
/** Invalid parameters, so that nothing changes. */
const PROBES: readonly Probe[] = [
  { name: 'contents', route: 'POST /repos/{owner}/{repo}/merge-upstream', params: { branch: '' } },
  {
    name: 'pull_requests',
    route: 'POST /repos/{owner}/{repo}/pulls',
    params: { title: 'x', head: '', base: '' },
  },
  { name: 'statuses', route: 'GET /repos/{owner}/{repo}/commits/{ref}/status', params: { ref: 'HEAD' } },
  {
    name: 'actions',
    route: 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs',
    params: { run_id: 0 },
  },
  { name: 'issues', route: 'GET /repos/{owner}/{repo}/issues', params: { per_page: 1 } },
];
const Repos = z.array(z.object({ full_name: z.string() }));

export type TokenRights = {
  repo: string | null;
  has: AppPermission[];
  missing: AppPermission[];
};

export const tokenRights = async ({
  apiUrl,
  token,
}: {
  apiUrl: string;
  token: string;
}): Promise<TokenRights> => {
  const octokit = createOctokit(apiUrl);
  const askGitHub = (route: string, params: object) =>
    octokit.request(route, {
      ...params,
      headers: { authorization: `Bearer ${token}` },
      request: { signal: AbortSignal.timeout(15_000) },
    });
  const answer: { data: unknown } = await askGitHub('GET /user/repos', { per_page: 1, sort: 'pushed' });
  const [first] = Repos.parse(answer.data);
  if (!first) return { repo: null, has: [], missing: [] };
  const [owner, repo] = first.full_name.split('/');
  /** A forbidden request gives 403 with the header; others fail later. */
  const isRefused = async ({ route, params }: Probe): Promise<boolean> => {
    try {
      await askGitHub(route, { owner, repo, ...params });
      return false;
    } catch (error) {
      const status = statusOf(error);
      if (status === null || status === 0 || status >= 500) throw error;
      return status === 403 && headersOf(error)['x-accepted-github-permissions'] !== undefined;
    }
  };
  const rights: TokenRights = { repo: first.full_name, has: [], missing: [] };
  for (const probe of PROBES) {
    const permission = APP_PERMISSIONS.find(({ name }) => name === probe.name);
    if (permission) rights[(await isRefused(probe)) ? 'missing' : 'has'].push(permission);
  }
  return rights;
};
