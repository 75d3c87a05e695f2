/** What GitHub would deliver of each happening, with the fields around the few that matter. */
import * as github from '../../support/github-payloads.ts';
import type { PullFacts, ReviewFacts } from '../../../orchestrator/ports.ts';
import { numberOf } from '../../../forge/facts.ts';
import { REPO, type HostCheck } from './state.ts';

const ZERO = '0'.repeat(40);
const about = (repoId: number) => ({
  repository: { ...github.ping().repository, id: repoId, full_name: REPO, name: 'api' },
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

export const pullPayload = (repoId: number, action: string, pull: PullFacts): object => {
  const number = numberOf(pull.id);
  const { state, merged, mergedBy, headSha, headRef, title, body, draft } = pull;
  const made = github.pullRequest(action, { number, state, merged, title, body, draft });
  const head = { ...made.pull_request.head, ref: headRef, sha: headSha };
  return {
    ...made,
    ...about(repoId),
    number,
    // As on GitHub, whoever closes it is the sender.
    sender: { ...made.sender, login: mergedBy ?? 'maintainer' },
    pull_request: { ...made.pull_request, merged_by: mergedBy === null ? null : { login: mergedBy }, head },
  };
};

export const pushPayload = (repoId: number, branch: string, sha: string | null): object => ({
  ...github.push({ ref: `refs/heads/${branch}`, after: sha ?? ZERO, deleted: sha === null }),
  ...about(repoId),
});

/**
 * It claims rights for its author that nobody asked GitHub for: only a look may say who may write.
 */
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
  return { ...made, ...about(repoId), pull_request: { ...made.pull_request, number: numberOf(pull) } };
};

export const commentPayload = (repoId: number, pull: string): object => {
  const made = github.issueComment(true);
  return { ...made, ...about(repoId), issue: { ...made.issue, number: numberOf(pull) } };
};

export const threadPayload = (repoId: number, pull: string): object => {
  const made = github.reviewComment();
  return { ...made, ...about(repoId), pull_request: { ...made.pull_request, number: numberOf(pull) } };
};
