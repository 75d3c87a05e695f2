/** Deliveries as GitHub sends them: `check_run` and `push`, about 10 KB each. */
import { createHash } from 'node:crypto';

export type Payload = { event: 'check_run' | 'push'; body: string };

/** Real deliveries are half identifiers, which do not compress. */
const sha = (seed: string): string => createHash('sha1').update(seed).digest('hex');

const API = 'https://api.github.com/repos';
const LINKS = [
  'forks', 'keys', 'collaborators', 'teams', 'hooks', 'issue_events', 'events', 'assignees', 'branches', 'tags',
  'blobs', 'git_tags', 'git_refs', 'trees', 'statuses', 'languages', 'stargazers', 'contributors', 'subscribers',
  'subscription', 'commits', 'git_commits', 'comments', 'issue_comment', 'contents', 'compare', 'merges', 'archive',
  'downloads', 'issues', 'pulls', 'milestones', 'notifications', 'labels', 'releases', 'deployments',
]; // oxfmt-ignore

const account = (login: string, id: number) => ({
  login,
  id,
  node_id: `U_${sha(login).slice(0, 14)}`,
  type: 'User',
  site_admin: false,
  url: `https://api.github.com/users/${login}`,
  html_url: `https://github.com/${login}`,
  avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
});

const repository = (owner: string, name: string, id: number) => ({
  id,
  node_id: `R_${sha(name).slice(0, 12)}`,
  name,
  full_name: `${owner}/${name}`,
  private: false,
  owner: account(owner, id + 1),
  default_branch: 'main',
  archived: false,
  fork: false,
  html_url: `https://github.com/${owner}/${name}`,
  ...Object.fromEntries(LINKS.map((link) => [`${link}_url`, `${API}/${owner}/${name}/${link}{/id}`])),
});

const time = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

const sized = (event: Payload['event'], payload: object, bytes: number, seed: string): Payload => {
  const bare = Buffer.byteLength(JSON.stringify({ ...payload, fill: '' }));
  let fill = '';
  for (let i = 0; fill.length < bytes - bare; i += 1) fill += `${sha(`${seed}-${i}`)} fixed the retry. `;
  return { event, body: JSON.stringify({ ...payload, fill: fill.slice(0, Math.max(0, bytes - bare)) }) };
};

/** A repository, by its name, and the commit that a check is about. */
export type CheckedRepository = { name: string; repoId: number; sha: string };

/** The repository has no runs without `of`; `startedAt` tells the attempts of a check apart (epoch ms). */
export const checkRun = (
  i: number,
  bytes = 10_240,
  of: CheckedRepository = { name: `app-${i % 20}`, repoId: 70_000 + i, sha: sha(`${i}`) },
  startedAt = Date.parse('2026-09-01T10:00:00Z'),
): Payload => {
  const owner = 'acme';
  const { name, repoId, sha: head_sha } = of;
  const repo = repository(owner, name, repoId);
  const payload = {
    action: 'completed',
    check_run: {
      id: 9_000_000 + i,
      name: `test (${i})`,
      head_sha,
      status: 'completed',
      conclusion: 'success',
      external_id: sha(`ext-${i}`),
      url: `${API}/${owner}/${name}/check-runs/${9_000_000 + i}`,
      started_at: time(startedAt),
      completed_at: time(startedAt + 180_000),
      output: { title: null, summary: null, text: null, annotations_count: 0 },
      check_suite: { id: 800_000 + i, head_branch: 'feature/agentpr-x', head_sha, pull_requests: [] },
      app: { id: 15_368, slug: 'github-actions', name: 'GitHub Actions', owner: account('github', 9_919) },
      pull_requests: [],
    },
    repository: repo,
    sender: account('octo-cat', 583_231),
    installation: { id: 424_242, node_id: 'MDIzOkludGVncmF0aW9u' },
  };
  return sized('check_run', payload, bytes, `check-${i}`);
};

export const push = (i: number, bytes = 10_240): Payload => {
  const repo = repository('acme', `app-${i % 20}`, 70_000 + i);
  const author = { name: 'Octo Cat', email: 'octo@example.com', username: 'octo-cat' };
  const commits = Array.from({ length: 3 }, (_, n) => ({
    id: sha(`c-${i}-${n}`),
    tree_id: sha(`t-${i}-${n}`),
    distinct: true,
    message: `Step ${n}`,
    timestamp: '2026-09-01T10:00:00Z',
    author,
    committer: author,
    added: [`src/${sha(`f-${i}-${n}`).slice(0, 8)}.ts`],
    removed: [],
    modified: ['README.md'],
  }));
  const payload = {
    ref: 'refs/heads/main',
    before: sha(`b-${i}`),
    after: sha(`a-${i}`),
    created: false,
    deleted: false,
    forced: false,
    base_ref: null,
    compare: `https://github.com/acme/app/compare/${i}`,
    repository: repo,
    pusher: author,
    sender: account('octo-cat', 583_231),
    commits,
    head_commit: commits.at(-1),
    installation: { id: 424_242, node_id: 'MDIzOkludGVncmF0aW9u' },
  };
  return sized('push', payload, bytes, `push-${i}`);
};

export const deliveries = (count: number): Payload[] =>
  Array.from({ length: count }, (_, i) => (i % 2 === 0 ? checkRun(i) : push(i)));
