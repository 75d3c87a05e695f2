/** The many URLs in GitHub's objects, for compatibility. */

const names = (base: string, paths: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [`${name}_url`, `${base}${path}`]));

export const userLinks = (url: string): Record<string, string> =>
  names(url, {
    events: '/events{/privacy}',
    followers: '/followers',
    following: '/following{/other_user}',
    gists: '/gists{/gist_id}',
    organizations: '/orgs',
    received_events: '/received_events',
    repos: '/repos',
    starred: '/starred{/owner}{/repo}',
    subscriptions: '/subscriptions',
  });

export const repoLinks = (url: string): Record<string, string> =>
  names(url, {
    archive: '/{archive_format}{/ref}',
    assignees: '/assignees{/user}',
    blobs: '/git/blobs{/sha}',
    branches: '/branches{/branch}',
    collaborators: '/collaborators{/collaborator}',
    comments: '/comments{/number}',
    commits: '/commits{/sha}',
    compare: '/compare/{base}...{head}',
    contents: '/contents/{+path}',
    contributors: '/contributors',
    deployments: '/deployments',
    downloads: '/downloads',
    events: '/events',
    forks: '/forks',
    git_commits: '/git/commits{/sha}',
    git_refs: '/git/refs{/sha}',
    git_tags: '/git/tags{/sha}',
    hooks: '/hooks',
    issue_comment: '/issues/comments{/number}',
    issue_events: '/issues/events{/number}',
    issues: '/issues{/number}',
    keys: '/keys{/key_id}',
    labels: '/labels{/name}',
    languages: '/languages',
    merges: '/merges',
    milestones: '/milestones{/number}',
    notifications: '/notifications{?since,all,participating}',
    pulls: '/pulls{/number}',
    releases: '/releases{/id}',
    stargazers: '/stargazers',
    statuses: '/statuses/{sha}',
    subscribers: '/subscribers',
    subscription: '/subscription',
    tags: '/tags',
    teams: '/teams',
    trees: '/git/trees{/sha}',
  });

export const pullLinks = (
  api: string,
  page: string,
  number: number,
  sha: string,
): Record<string, unknown> => {
  const [pull, issue] = [`${api}/pulls/${number}`, `${api}/issues/${number}`];
  const shown = {
    issue_url: issue,
    comments_url: `${issue}/comments`,
    commits_url: `${pull}/commits`,
    review_comments_url: `${pull}/comments`,
    review_comment_url: `${api}/pulls/comments{/number}`,
    statuses_url: `${api}/statuses/${sha}`,
    diff_url: `${page}/pull/${number}.diff`,
    patch_url: `${page}/pull/${number}.patch`,
  };
  const href = (address: string) => ({ href: address });
  return {
    ...shown,
    _links: {
      self: href(pull),
      html: href(`${page}/pull/${number}`),
      issue: href(issue),
      comments: href(shown.comments_url),
      review_comments: href(shown.review_comments_url),
      review_comment: href(shown.review_comment_url),
      commits: href(shown.commits_url),
      statuses: href(shown.statuses_url),
    },
  };
};

export const issueLinks = (api: string, number: number): Record<string, string> => ({
  ...names(`${api}/issues/${number}`, { comments: '/comments', events: '/events', labels: '/labels{/name}' }),
  repository_url: api,
  timeline_url: `${api}/issues/${number}/timeline`,
});
