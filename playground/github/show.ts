/** JSON of users, repositories and pull requests, as GitHub's REST API shows it. */
import { nodeId, showLabel, time, timeOrNull } from './format.ts';
import { pullLinks, repoLinks, userLinks } from './links.ts';
import type { Computed } from './pulls.ts';
import { rootOf } from './relatives.ts';
import { createShowChecks } from './show-checks.ts';
import { createShowGit } from './show-git.ts';
import type { Access, Comment, LineComment, Pull, Repo, Review, State, User } from './state.ts';

export type Show = ReturnType<typeof createShow>;

export type Addresses = { origin: () => string; apiUrl: () => string };

export function createShow(state: State, { origin, apiUrl }: Addresses) {
  const user = ({ id, login: name }: User) => showUser(id, name, encodeURIComponent(name));
  const showUser = (id: number, name: string, login: string) => ({
    login: name,
    id,
    node_id: nodeId('User', id),
    site_admin: false,
    user_view_type: 'public',
    type: name.endsWith('[bot]') ? 'Bot' : 'User',
    url: `${apiUrl()}/users/${login}`,
    html_url: `${origin()}/${login}`,
    gravatar_id: '',
    avatar_url: `${origin()}/${login}.png`,
    ...userLinks(`${apiUrl()}/users/${login}`),
  });
  const permissions = (access: Access) => ({
    admin: access === 'admin',
    maintain: access === 'admin',
    push: access === 'admin' || access === 'write',
    triage: access === 'admin' || access === 'write',
    pull: access !== 'none',
  });
  const api = (repo: Repo): string => `${apiUrl()}/repos/${repo.fullName}`;
  const page = (repo: Repo): string => `${origin()}/${repo.fullName}`;
  const association = (repo: Repo, who: User): string => {
    if (repo.owner === who) return 'OWNER';
    // GitHub calls everybody who was invited a collaborator, even with read access.
    return (repo.access.get(who.login) ?? 'none') === 'none' ? 'NONE' : 'COLLABORATOR';
  };

  function repository(repo: Repo, login?: string): object {
    return {
      id: repo.id,
      node_id: nodeId('Repository', repo.id),
      name: repo.name,
      full_name: repo.fullName,
      private: repo.private,
      visibility: repo.private ? 'private' : 'public',
      owner: user(repo.owner),
      html_url: page(repo),
      url: api(repo),
      description: repo.refusesPulls.description,
      fork: repo.parent !== null,
      clone_url: `${page(repo)}.git`,
      git_url: `${page(repo)}.git`,
      size: 1,
      ssh_url: `git@${new URL(origin()).hostname}:${repo.fullName}.git`,
      svn_url: page(repo),
      ...repoLinks(api(repo)),
      homepage: repo.refusesPulls.homepage,
      language: null,
      mirror_url: repo.refusesPulls.mirrorUrl,
      license: null,
      topics: [],
      forks: 0,
      forks_count: 0,
      watchers: 0,
      watchers_count: 0,
      stargazers_count: 0,
      network_count: 0,
      subscribers_count: 0,
      has_projects: false,
      has_wiki: false,
      has_pages: false,
      has_discussions: false,
      has_downloads: false,
      open_issues: repo.pulls.filter((pull) => pull.state === 'open').length,
      default_branch: repo.defaultBranch,
      archived: repo.archived,
      disabled: false,
      is_template: false,
      has_issues: true,
      has_pull_requests: !repo.refusesPulls.off,
      pull_request_creation_policy: repo.refusesPulls.policy,
      allow_forking: !repo.forking.off,
      web_commit_signoff_required: false,
      allow_merge_commit: true,
      allow_squash_merge: true,
      allow_rebase_merge: false,
      open_issues_count: repo.pulls.filter((pull) => pull.state === 'open').length,
      created_at: time(repo.createdAt),
      updated_at: time(repo.pushedAt),
      pushed_at: time(repo.pushedAt),
      ...(login !== undefined && {
        // An App's rights are those of its installation, not shown here.
        permissions: permissions(login.endsWith('[bot]') ? 'none' : state.accessOf(repo, login)),
      }),
      ...(repo.parent && { parent: repository(repo.parent), source: repository(rootOf(repo)) }),
    };
  }

  const side = ({ repo, ref, sha, left }: Pull['head']) => ({
    label: `${repo.owner.login}:${ref}`,
    ref,
    sha,
    user: user(repo.owner),
    repo: repo.gone || left === true ? null : repository(repo),
  });
  const pullInList = (pull: Pull) => ({
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    number: pull.number,
    state: pull.state,
    url: `${api(pull.base.repo)}/pulls/${pull.number}`,
    locked: pull.locked,
    title: pull.title,
    body: pull.body,
    html_url: `${page(pull.base.repo)}/pull/${pull.number}`,
    user: user(pull.user),
    draft: pull.draft,
    created_at: time(pull.createdAt),
    updated_at: time(pull.updatedAt),
    closed_at: timeOrNull(pull.closedAt),
    merged_at: timeOrNull(pull.merged?.at ?? null),
    merge_commit_sha: pull.merged?.sha ?? null,
    auto_merge: null,
    active_lock_reason: null,
    assignee: null,
    assignees: pull.assignees.map((login) => user(state.user(login))),
    requested_reviewers: pull.requested.map((login) => user(state.user(login))),
    requested_teams: pull.requestedTeams.map((slug) => ({ slug, name: slug })),
    labels: pull.labels.map((name) => showLabel(api(pull.base.repo), name)),
    milestone: pull.milestone === null ? null : { title: pull.milestone },
    head: side(pull.head),
    base: side(pull.base),
    ...pullLinks(api(pull.base.repo), page(pull.base.repo), pull.number, pull.head.sha),
    author_association: association(pull.base.repo, pull.user),
  });
  const pull = (one: Pull, computed: Computed) => ({
    ...pullInList(one),
    merged: one.merged !== null,
    merged_by: one.merged ? user(one.merged.by) : null,
    mergeable: computed.mergeable,
    rebaseable: computed.mergeable,
    mergeable_state: computed.mergeable === false ? 'dirty' : one.draft ? 'draft' : 'clean',
    maintainer_can_modify: one.maintainerCanModify,
    commits: computed.commits,
    ...computed.size,
    comments: one.base.repo.comments.filter((each) => each.issue === one.number).length,
    review_comments: one.base.repo.lineComments.filter((each) => each.pull === one.number).length,
  });

  return {
    ...createShowChecks({ api, page, user, repository, origin }),
    ...createShowGit({ api, page }),
    user,
    userNamed: (login: string) => user(state.user(login)),
    permissions,
    repository,
    pullInList,
    pull,
    review: (repo: Repo, number: number, one: Review) => ({
      id: one.id,
      node_id: nodeId('Review', one.id),
      user: user(one.user),
      body: one.body,
      state: one.state,
      commit_id: one.commitSha,
      submitted_at: time(one.at),
      pull_request_url: `${api(repo)}/pulls/${number}`,
      html_url: `${page(repo)}/pull/${number}#pullrequestreview-${one.id}`,
      _links: {
        html: { href: `${page(repo)}/pull/${number}#pullrequestreview-${one.id}` },
        pull_request: { href: `${api(repo)}/pulls/${number}` },
      },
      author_association: association(repo, one.user),
    }),
    comment: (repo: Repo, one: Comment) => ({
      id: one.id,
      node_id: nodeId('IssueComment', one.id),
      user: user(one.user),
      body: one.body,
      html_url: `${page(repo)}/pull/${one.issue}#issuecomment-${one.id}`,
      url: `${api(repo)}/issues/comments/${one.id}`,
      issue_url: `${api(repo)}/issues/${one.issue}`,
      created_at: time(one.at),
      updated_at: time(one.at),
      author_association: association(repo, one.user),
    }),
    lineComment: (repo: Repo, one: LineComment) => ({
      id: one.id,
      node_id: nodeId('PullRequestReviewComment', one.id),
      user: user(one.user),
      pull_request_review_id: one.review,
      body: one.body,
      path: one.path,
      diff_hunk: one.hunk ?? '',
      line: one.line,
      original_line: one.originalLine,
      side: 'RIGHT',
      subject_type: 'line',
      start_line: one.startLine,
      original_start_line: one.startLine,
      start_side: one.startLine === null ? null : 'RIGHT',
      position: one.line,
      original_position: one.originalLine,
      commit_id: one.commitSha,
      original_commit_id: one.originalCommitSha,
      ...(one.inReplyTo !== null && { in_reply_to_id: one.inReplyTo }),
      created_at: time(one.at),
      updated_at: time(one.at),
      url: `${api(repo)}/pulls/comments/${one.id}`,
      html_url: `${page(repo)}/pull/${one.pull}#discussion_r${one.id}`,
      pull_request_url: `${api(repo)}/pulls/${one.pull}`,
      _links: {
        self: { href: `${api(repo)}/pulls/comments/${one.id}` },
        html: { href: `${page(repo)}/pull/${one.pull}#discussion_r${one.id}` },
        pull_request: { href: `${api(repo)}/pulls/${one.pull}` },
      },
      author_association: association(repo, one.user),
    }),
    association,
    places: (repo: Repo) => ({ api: api(repo), page: page(repo) }),
    me: (one: User) => ({
      ...user(one),
      name: one.login,
      email: null,
      bio: null,
      blog: '',
      company: null,
      hireable: null,
      location: null,
      followers: 0,
      following: 0,
      public_gists: 0,
      public_repos: 0,
      created_at: time(0),
      updated_at: time(0),
    }),
  };
}
