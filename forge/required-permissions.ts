/** Permissions of a token or an App, needed and present; docs/github.md has the same table (F1). */
import { z } from 'zod';
import type { SystemClock } from '#ports/processes';
import { createOctokit } from './octokit.ts';
import type { ForgeCredentials, AppInstallation } from './credentials.ts';
import { githubFailureOf } from './github-failures.ts';

type Level = 'read' | 'write';
const PERMISSIONS = [
  ['contents', 'Contents', 'write', true],
  ['pull_requests', 'Pull requests', 'write', true],
  ['checks', 'Checks', 'read', false],
  ['statuses', 'Commit statuses', 'read', false],
  ['actions', 'Actions', 'write', false],
  ['issues', 'Issues', 'read', false],
  ['workflows', 'Workflows', 'write', false],
] as const;
/** GitHub's names; `title` is the label in its settings. */
export type AppPermission = {
  name: (typeof PERMISSIONS)[number][0];
  title: string;
  level: Level;
  must: boolean;
};
export const APP_PERMISSIONS: readonly AppPermission[] = PERMISSIONS.map(([name, title, level, must]) => ({
  name,
  title,
  level,
  must,
}));

type TokenScope = { name: 'repo' | 'workflow'; must: boolean };
export const TOKEN_SCOPES: readonly TokenScope[] = [
  { name: 'repo', must: true },
  { name: 'workflow', must: false },
];

const isEnough = (given: string | undefined, level: Level): boolean =>
  given === 'write' || given === 'admin' || (given === 'read' && level === 'read');
export const missingPermissions = ({ permissions }: Pick<AppInstallation, 'permissions'>): AppPermission[] =>
  APP_PERMISSIONS.filter(({ name, level }) => !isEnough(permissions[name], level));
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
