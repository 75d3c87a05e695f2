/** The JSON that GitHub's REST API shows of users, repositories, pull requests and what is said of them. */
import { nodeId, time, timeOrNull } from './format.ts';
import type { PushedCommit } from './git-log.ts';
import type { Computed } from './pulls.ts';
import { createShowChecks } from './show-checks.ts';
import type { Access, Comment, LineComment, Pull, Repo, Review, State, User } from './state.ts';

export type Show = ReturnType<typeof createShow>;

export function createShow(state: State, origin: () => string) {
  const user = ({ id, login }: User) => ({
    ...{ login, id, node_id: nodeId('User', id), site_admin: false, user_view_type: 'public' },
    type: login.endsWith('[bot]') ? 'Bot' : 'User',
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
    // Whoever was invited, with whatever rights: a collaborator may be one who only reads.
    return (repo.access.get(who.login) ?? 'none') === 'none' ? 'NONE' : 'COLLABORATOR';
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
  /** A pull request as the issue that it is, too. */
  const issue = (one: Pull) => {
    const { url, html_url, merged_at, number, title, body, state: now, user: author } = pullInList(one);
    return {
      ...{ id: one.id, number, title, body, state: now, user: author, html_url },
      url: `${api(one.base.repo)}/issues/${number}`,
      pull_request: { url, html_url, merged_at },
    };
  };
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
      review_comments: one.base.repo.lineComments.filter((each) => each.pull === one.number).length,
    },
  });

  return {
    ...createShowChecks({ api, page, user, repository }),
    ...{ user, permissions, repository, pullInList, issue, pull },
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
    lineComment: (repo: Repo, one: LineComment) => ({
      ...{ id: one.id, node_id: nodeId('PullRequestReviewComment', one.id), user: user(one.user) },
      ...{ pull_request_review_id: one.review, body: one.body, path: one.path, diff_hunk: '' },
      ...{ line: one.line, original_line: one.originalLine, side: 'RIGHT', subject_type: 'line' },
      ...{ start_line: null, original_start_line: null, start_side: null },
      ...{ position: one.line, original_position: one.originalLine },
      ...{ commit_id: one.commitSha, original_commit_id: one.originalCommitSha },
      ...(one.inReplyTo !== null && { in_reply_to_id: one.inReplyTo }),
      ...{ created_at: time(one.at), updated_at: time(one.at) },
      url: `${api(repo)}/pulls/comments/${one.id}`,
      html_url: `${page(repo)}/pull/${one.pull}#discussion_r${one.id}`,
      pull_request_url: `${api(repo)}/pulls/${one.pull}`,
      author_association: association(repo, one.user),
    }),
    /** A pull request as the issue that it also is. */
    issue: (pull: Pull) => {
      const {
        id,
        number,
        title,
        body,
        state: open,
        user: author,
        html_url,
        comments,
      } = {
        ...pullInList(pull),
        comments: pull.base.repo.comments.filter((each) => each.issue === pull.number).length,
      };
      const { repo } = pull.base;
      return {
        ...{
          id,
          node_id: nodeId('Issue', id),
          number,
          title,
          body,
          state: open,
          user: author,
          html_url,
          comments,
        },
        ...{ url: `${api(repo)}/issues/${number}`, labels: [], locked: false, draft: pull.draft },
        pull_request: {
          url: `${api(repo)}/pulls/${number}`,
          html_url,
          merged_at: timeOrNull(pull.merged?.at ?? null),
        },
        ...{ created_at: time(pull.createdAt), updated_at: time(pull.updatedAt) },
        author_association: association(repo, pull.user),
      };
    },
    compare: (repo: Repo, before: string, after: string): string =>
      `${page(repo)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    pushedCommit: (repo: Repo, one: PushedCommit) => ({
      ...{ id: one.sha, tree_id: one.tree, distinct: true, message: one.message, timestamp: one.at },
      ...{ url: `${page(repo)}/commit/${one.sha}`, author: one.author, committer: one.committer },
      ...{ added: one.added, removed: one.removed, modified: one.modified },
    }),
    commit: (repo: Repo, sha: string) => ({
      ...{ sha, node_id: Buffer.from(sha).toString('base64'), url: `${api(repo)}/commits/${sha}` },
    }),
  };
}
