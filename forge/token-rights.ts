/** Reads what an account, an App and a fine-grained token may do (F1). */
import { z } from 'zod';
import type { SystemClock } from '#ports/processes';
import type { ForgeCredentials } from './credentials.ts';
import { createOctokit } from './octokit.ts';
import { toGitHubFailure, headersOf, findHttpStatus } from './github-failures.ts';
import { APP_PERMISSIONS, missingPermissions, type AppPermission } from './required-permissions.ts';

export type AccountRights = { login: string; scopes: string[] | null; id: number | null };

/** `scopes` is null for fine-grained tokens, which GitHub does not describe. */
export const readAccountRights = async (parts: {
  apiUrl: string;
  token: string;
  clock: SystemClock;
}): Promise<AccountRights> => {
  const octokit = createOctokit(parts.apiUrl);
  try {
    const answer = await octokit.request('GET /user', {
      headers: { authorization: `Bearer ${parts.token}` },
      request: { signal: AbortSignal.timeout(15_000) },
    });
    const given = answer.headers['x-oauth-scopes'];
    const scopes = given === undefined ? null : given.split(',').map((one) => one.trim());
    const { login, id } = z.object({ login: z.string(), id: z.number().optional() }).parse(answer.data);
    return { login, scopes, id: id ?? null };
  } catch (error) {
    throw toGitHubFailure(error, parts.clock.now());
  }
};

export const appRights = async (
  credentials: Pick<ForgeCredentials, 'installations'>,
): Promise<{
  login: string;
  on: { owner: string; suspended: boolean; missing: AppPermission[] }[];
} | null> => {
  const all = await credentials.installations();
  return (
    all && {
      login: all.login,
      on: all.on.map((one) => ({
        owner: one.account?.login ?? 'somebody',
        suspended: Boolean(one.suspended_at),
        missing: missingPermissions(one),
      })),
    }
  );
};

const Repos = z.array(z.object({ full_name: z.string() }));

export type TokenRights = {
  repo: string | null;
  has: AppPermission[];
  missing: AppPermission[];
};

/** GitHub lists a fine-grained token's permissions nowhere, so each is tried. */
export const readTokenRights = async ({
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
  const isRefused = async ({ route, params }: NonNullable<AppPermission['probe']>): Promise<boolean> => {
    try {
      await askGitHub(route, { owner, repo, ...params });
      return false;
    } catch (error) {
      const status = findHttpStatus(error);
      if (status === null || status === 0 || status >= 500) throw error;
      return status === 403 && headersOf(error)['x-accepted-github-permissions'] !== undefined;
    }
  };
  const rights: TokenRights = { repo: first.full_name, has: [], missing: [] };
  for (const permission of APP_PERMISSIONS) {
    const { probe } = permission;
    if (probe) rights[(await isRefused(probe)) ? 'missing' : 'has'].push(permission);
  }
  return rights;
};
