/** The permissions that a token or an App needs; docs/github.md has the same table (F1). */

type Level = 'read' | 'write';

/** GitHub's names; `title` is the label in its settings. */
export type AppPermission = {
  name: 'contents' | 'pull_requests' | 'checks' | 'statuses' | 'actions' | 'issues' | 'workflows';
  title: string;
  level: Level;
  must: boolean;
  /** A request with invalid parameters, which changes nothing and is refused without the permission. */
  probe?: { route: string; params: Record<string, unknown> };
};

export const APP_PERMISSIONS: readonly AppPermission[] = [
  {
    name: 'contents',
    title: 'Contents',
    level: 'write',
    must: true,
    probe: { route: 'POST /repos/{owner}/{repo}/merge-upstream', params: { branch: '' } },
  },
  {
    name: 'pull_requests',
    title: 'Pull requests',
    level: 'write',
    must: true,
    probe: { route: 'POST /repos/{owner}/{repo}/pulls', params: { title: 'x', head: '', base: '' } },
  },
  { name: 'checks', title: 'Checks', level: 'read', must: false },
  {
    name: 'statuses',
    title: 'Commit statuses',
    level: 'read',
    must: false,
    probe: { route: 'GET /repos/{owner}/{repo}/commits/{ref}/status', params: { ref: 'HEAD' } },
  },
  {
    name: 'actions',
    title: 'Actions',
    level: 'write',
    must: false,
    probe: {
      route: 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs',
      params: { run_id: 0 },
    },
  },
  {
    name: 'issues',
    title: 'Issues',
    level: 'read',
    must: false,
    probe: { route: 'GET /repos/{owner}/{repo}/issues', params: { per_page: 1 } },
  },
  { name: 'workflows', title: 'Workflows', level: 'write', must: false },
];

type TokenScope = { name: 'repo' | 'workflow'; must: boolean };
export const TOKEN_SCOPES: readonly TokenScope[] = [
  { name: 'repo', must: true },
  { name: 'workflow', must: false },
];

const isEnough = (given: string | undefined, level: Level): boolean =>
  given === 'write' || given === 'admin' || (given === 'read' && level === 'read');
export const missingPermissions = ({
  permissions,
}: {
  permissions: Readonly<Record<string, string>>;
}): AppPermission[] => APP_PERMISSIONS.filter(({ name, level }) => !isEnough(permissions[name], level));
export const missingScopes = (scopes: readonly string[]): TokenScope[] =>
  TOKEN_SCOPES.filter(
    ({ name }) => !scopes.includes(name) && !(name === 'repo' && scopes.includes('public_repo')),
  );
