/** F1: permissions of a token or an App, needed and present; docs/github.md has the same table. */
import { z } from 'zod';
import type { SystemClock } from '../orchestrator/kernel/ports/index.ts';
import { createOctokit } from './octokit.ts';
import type { ForgeCredentials, AppInstallation } from './credentials.ts';
import { githubFailureOf } from './github-failures.ts';

type Level = 'read' | 'write';
/** GitHub's names; `title` is the label in its settings. */
export type AppPermission = { name: string; title: string; level: Level; why: string; must: boolean };

export const APP_PERMISSIONS: readonly AppPermission[] = [
  ...[
    ['contents', 'Contents', 'write', 'clone it, and push the branch of a change', true] as const,
    [
      ...(['pull_requests', 'Pull requests', 'write'] as const),
      ...(['open the pull request, refresh its description, read reviews', true] as const),
    ] as const,
    [
      'checks',
      'Checks',
      'read',
      'see what checks say; write to have those of other apps run again',
      false,
    ] as const,
    ['statuses', 'Commit statuses', 'read', 'see what older CI says', false] as const,
    ['actions', 'Actions', 'write', 'read logs of failed jobs, and have them run again', false] as const,
    ['issues', 'Issues', 'read', 'read the issue that an order names, and comments', false] as const,
    [
      ...(['workflows', 'Workflows', 'write'] as const),
      ...(['push changes that touch .github/workflows, also those that the base brought', false] as const),
    ] as const,
  ].map(([name, title, level, why, must]) => ({ name, title, level, why, must })),
];

export type TokenScope = { name: string; why: string; must: boolean };
export const TOKEN_SCOPES: readonly TokenScope[] = [
  {
    name: 'repo',
    why: 'fork, push and open pull requests; public_repo is enough for public repositories',
    must: true,
  },
  {
    name: 'workflow',
    why: 'push changes that touch .github/workflows, also those that the base brought',
    must: false,
  },
];

const enough = (given: string | undefined, level: Level): boolean =>
  given === 'write' || given === 'admin' || (given === 'read' && level === 'read');
export const missingPermissions = ({ permissions }: Pick<AppInstallation, 'permissions'>): AppPermission[] =>
  APP_PERMISSIONS.filter(({ name, level }) => !enough(permissions[name], level));
export const missingScopes = (scopes: readonly string[]): TokenScope[] =>
  TOKEN_SCOPES.filter(
    ({ name }) => !scopes.includes(name) && !(name === 'repo' && scopes.includes('public_repo')),
  );

export type AccountRights = { login: string; scopes: string[] | null; id: number | null };

/** `scopes` is null for fine-grained tokens, which GitHub does not describe. */
export const accountRights = async (parts: {
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
    throw githubFailureOf(error, parts.clock.now());
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
