/** Webhook payloads as GitHub sends them. */
import * as github from '../../support/github-payloads.ts';
import type { PullFacts, ReviewFacts } from '#ports/forge';
import { pullNumber } from '../../../forge/github-facts.ts';
import { REPO, type HostCheck, type Repo } from './state.ts';

const ZERO = '0'.repeat(40);
const about = (repoId: number) => ({
  repository: { ...github.ping().repository, id: repoId, full_name: REPO, name: 'api' },
});
const aboutRepo = ({ id, name }: Repo) => ({
  repository: { ...github.ping().repository, id, full_name: name, name: name.split('/')[1] ?? '' },
});
export const repositoryPayload = (repo: Repo, action: string): object => ({
  action,
  ...aboutRepo(repo),
  sender: github.ping().sender,
});
const iso = (at: number): string => new Date(at).toISOString();

export const checkPayload = (repoId: number, { sha, startedAt, ...check }: HostCheck): object =>
  github.checkRun(
    { ...check, head_sha: sha, started_at: iso(startedAt) },
    { ...about(repoId), action: check.status === 'completed' ? 'completed' : 'created' },
  );

export const suitePayload = (repoId: number, sha: string): object => ({
  ...github.checkSuite({ head_sha: sha }),
  ...about(repoId),
});

export const pullPayload = (repo: Repo, action: string, pull: PullFacts): object => {
  const number = pullNumber(pull.id);
  const { state, merged, mergedBy, headSha, headRef, title, body, draft } = pull;
  const made = github.pullRequest(action, { number, state, merged, title, body, draft });
  const { name: full_name, archived, headGone } = repo;
  const shown = { ...made.pull_request.base.repo, id: repo.id, full_name, archived, private: false };
  const head = {
    ...made.pull_request.head,
    ref: headRef,
    sha: headSha,
    repo: headGone ? null : shown,
  };
  const base = { ...made.pull_request.base, ref: pull.baseRef, repo: shown };
  const updated_at = iso(repo.changed[pull.id] ?? 0);
  return {
    ...made,
    ...aboutRepo(repo),
    number,
    // GitHub names the person who closes it as the sender.
    sender: { ...made.sender, login: mergedBy ?? 'maintainer' },
    pull_request: {
      ...made.pull_request,
      merged_by: mergedBy === null ? null : { login: mergedBy },
      head,
      base,
      updated_at,
    },
  };
};

export const pushPayload = (repoId: number, branch: string, sha: string | null): object => ({
  ...github.push({ ref: `refs/heads/${branch}`, after: sha ?? ZERO, deleted: sha === null }),
  ...about(repoId),
});

/** Contains false rights of the author; only a poll may tell who can write. */
export const reviewPayload = (repoId: number, pull: string, review: ReviewFacts): object => {
  const { id, reviewer, body, state, commitSha, submittedAt } = review;
  const shown = {
    id: Number(id),
    body,
    state,
    commit_id: commitSha,
    author_association: 'OWNER',
    user: { login: reviewer, id: 9, type: 'User' },
    submitted_at: iso(submittedAt),
  };
  const made = github.review(shown);
  return { ...made, ...about(repoId), pull_request: { ...made.pull_request, number: pullNumber(pull) } };
};

export const commentPayload = (repoId: number, pull: string): object => {
  const made = github.issueComment(true);
  return { ...made, ...about(repoId), issue: { ...made.issue, number: pullNumber(pull) } };
};

export const threadPayload = (repoId: number, pull: string): object => {
  const made = github.reviewComment();
  return { ...made, ...about(repoId), pull_request: { ...made.pull_request, number: pullNumber(pull) } };
};
