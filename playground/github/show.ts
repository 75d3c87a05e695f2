/** The JSON that GitHub's REST API shows of users, repositories, pull requests, reviews and checks. */
import { combinedStatus } from './checks.ts';
import type { Computed } from './pulls.ts';
import type { Access, CheckRun, Comment, Pull, Repo, Review, State, Suite, User } from './state.ts';

export type Show = ReturnType<typeof createShow>;

export const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const timeOrNull = (ms: number | null): string | null => (ms === null ? null : time(ms));
const nodeId = (kind: string, id: number): string => Buffer.from(`${kind}:${id}`).toString('base64');
const apps = new Map<string, number>([['github-actions', 15368]]);
const appId = (slug: string): number => {
  const id = apps.get(slug) ?? 20_000 + apps.size;
  apps.set(slug, id);
  return id;
};

export function createShow(state: State, origin: () => string) {
  const user = ({ id, login }: User) => ({
    ...{ login, id, node_id: nodeId('User', id), type: 'User', site_admin: false, user_view_type: 'public' },
    ...{ url: `${origin()}/users/${login}`, html_url: `${origin()}/${login}`, avatar_url: '' },
  });
  const permissions = (access: Access) => ({
    ...{ admin: access === 'admin', maintain: access === 'admin' },
    ...{ push: access === 'admin' || access === 'write', triage: access === 'admin' || access === 'write' },
    pull: access !== 'none',
  });
  const api = (repo: Repo): string => `${origin()}/repos/${repo.fullName}`;
  const page = (repo: Repo): string => `${origin()}/${repo.fullName}`;
  const association = (repo: Repo, who: User): string => {
    if (repo.owner === who) return 'OWNER';
    return ['admin', 'write'].includes(state.accessOf(repo, who.login)) ? 'COLLABORATOR' : 'NONE';
  };

  function repository(repo: Repo, login?: string): object {
    return {
      ...{ id: repo.id, node_id: nodeId('Repository', repo.id), name: repo.name, full_name: repo.fullName },
      ...{ private: repo.private, visibility: repo.private ? 'private' : 'public', owner: user(repo.owner) },
      ...{ html_url: page(repo), url: api(repo), description: null, fork: repo.parent !== null },
      ...{ clone_url: `${page(repo)}.git`, git_url: `${page(repo)}.git`, ssh_url: null, size: 1 },
      ...{ default_branch: repo.defaultBranch, archived: repo.archived, disabled: false, is_template: false },
      ...{
        has_issues: true,
        has_pull_requests: true,
        allow_forking: true,
        web_commit_signoff_required: false,
      },
      ...{ allow_merge_commit: true, allow_squash_merge: true, allow_rebase_merge: false },
      open_issues_count: repo.pulls.filter((pull) => pull.state === 'open').length,
      ...{
        created_at: time(repo.createdAt),
        updated_at: time(repo.pushedAt),
        pushed_at: time(repo.pushedAt),
      },
      ...(login !== undefined && { permissions: permissions(state.accessOf(repo, login)) }),
      ...(repo.parent && { parent: repository(repo.parent), source: repository(repo.parent) }),
    };
  }

  const side = ({ repo, ref, sha }: Pull['base']) => ({
    ...{ label: `${repo.owner.login}:${ref}`, ref, sha, user: user(repo.owner), repo: repository(repo) },
  });
  /** As a list shows it: without what GitHub computes for a single one. */
  const pullInList = (pull: Pull) => ({
    ...{ id: pull.id, node_id: nodeId('PullRequest', pull.id), number: pull.number, state: pull.state },
    ...{
      url: `${api(pull.base.repo)}/pulls/${pull.number}`,
      locked: false,
      title: pull.title,
      body: pull.body,
    },
    ...{ html_url: `${page(pull.base.repo)}/pull/${pull.number}`, user: user(pull.user), draft: pull.draft },
    ...{ created_at: time(pull.createdAt), updated_at: time(pull.updatedAt) },
    ...{ closed_at: timeOrNull(pull.closedAt), merged_at: timeOrNull(pull.merged?.at ?? null) },
    ...{ merge_commit_sha: pull.merged?.sha ?? null, auto_merge: null, active_lock_reason: null },
    ...{
      assignee: null,
      assignees: [],
      requested_reviewers: [],
      requested_teams: [],
      labels: [],
      milestone: null,
    },
    ...{ head: side(pull.head), base: side(pull.base) },
    author_association: association(pull.base.repo, pull.user),
  });
  const pull = (one: Pull, computed: Computed) => ({
    ...{
      ...pullInList(one),
      merged: one.merged !== null,
      merged_by: one.merged ? user(one.merged.by) : null,
    },
    ...{ mergeable: computed.mergeable, rebaseable: computed.mergeable },
    mergeable_state: computed.mergeable === false ? 'dirty' : one.draft ? 'draft' : 'clean',
    ...{ maintainer_can_modify: one.maintainerCanModify, commits: computed.commits, ...computed.size },
    ...{
      comments: one.base.repo.comments.filter((each) => each.issue === one.number).length,
      review_comments: 0,
    },
  });

  const suite = (repo: Repo, one: Suite) => {
    const runs = repo.runs.filter((run) => run.suite === one);
    const open = runs.some((run) => run.status !== 'completed');
    return {
      ...{ id: one.id, node_id: nodeId('CheckSuite', one.id), head_sha: one.sha, app: app(one.app) },
      ...{ status: open ? 'in_progress' : 'completed', conclusion: open ? null : runs.at(-1)?.conclusion },
      ...{ latest_check_runs_count: runs.length, pull_requests: [], head_branch: null, rerequestable: true },
    };
  };
  const app = (slug: string) => ({ id: appId(slug), slug, name: slug, owner: null });

  return {
    ...{ user, permissions, repository, pullInList, pull, suite },
    review: (repo: Repo, number: number, one: Review) => ({
      ...{
        id: one.id,
        node_id: nodeId('Review', one.id),
        user: user(one.user),
        body: one.body,
        state: one.state,
      },
      ...{
        commit_id: one.commitSha,
        submitted_at: time(one.at),
        pull_request_url: `${api(repo)}/pulls/${number}`,
      },
      ...{ html_url: `${page(repo)}/pull/${number}#pullrequestreview-${one.id}` },
      author_association: association(repo, one.user),
    }),
    comment: (repo: Repo, one: Comment) => ({
      ...{ id: one.id, node_id: nodeId('IssueComment', one.id), user: user(one.user), body: one.body },
      ...{
        html_url: `${page(repo)}/pull/${one.issue}#issuecomment-${one.id}`,
        url: `${api(repo)}/issues/comments/${one.id}`,
      },
      ...{
        issue_url: `${api(repo)}/issues/${one.issue}`,
        created_at: time(one.at),
        updated_at: time(one.at),
      },
      author_association: association(repo, one.user),
    }),
    checkRun: (repo: Repo, run: CheckRun) => ({
      ...{
        id: run.id,
        node_id: nodeId('CheckRun', run.id),
        name: run.name,
        head_sha: run.suite.sha,
        external_id: '',
      },
      ...{ status: run.status, conclusion: run.conclusion, started_at: time(run.startedAt) },
      ...{ completed_at: timeOrNull(run.completedAt), output: { ...run.output, annotations_count: 0 } },
      ...{ check_suite: { id: run.suite.id }, app: app(run.suite.app), pull_requests: [] },
      ...{ url: `${api(repo)}/check-runs/${run.id}`, html_url: `${page(repo)}/runs/${run.id}` },
    }),
    combined(repo: Repo, sha: string) {
      const { state: summary, statuses } = combinedStatus(repo, sha);
      const shown = statuses.map(({ id, context, state: one, description, at }) => ({
        ...{ id, node_id: nodeId('Status', id), context, state: one, description, target_url: null },
        ...{ created_at: time(at), updated_at: time(at) },
      }));
      return {
        state: summary,
        statuses: shown,
        sha,
        total_count: shown.length,
        repository: repository(repo),
      };
    },
    commit: (repo: Repo, sha: string) => ({
      ...{ sha, node_id: Buffer.from(sha).toString('base64'), url: `${api(repo)}/commits/${sha}` },
    }),
  };
}
