/** The code host (F1). */
import type { Standing } from '../core/machine/run.ts';
import type { Trouble } from '../core/machine/sight.ts';
import type { CheckFact } from '../core/machine/verdict.ts';

export type RepoFacts = {
  id: number;
  defaultBranch: string;
  archived: boolean;
  cloneUrl: string;
  mayPush: boolean;
  htmlUrl: string;
};
export type PullFacts = {
  number: number;
  url: string;
  state: 'open' | 'closed';
  merged: boolean;
  mergedBy: string | null;
  author: string;
  baseRepoId: number;
  baseRef: string;
  headRepoId: number | null;
  headRef: string;
  headSha: string;
  title: string;
  body: string;
  draft: boolean;
  maintainerCanModify: boolean;
  /** How the base stands to it; absent while the forge works it out. */
  standing?: Standing;
};
export type ReviewFacts = {
  id: number;
  reviewer: string;
  access: 'write' | 'read' | 'unknown';
  state: 'approved' | 'changes_requested' | 'commented' | 'dismissed';
  commitSha: string;
  body: string;
  submittedAt: number;
};

/** A check that failed. `log` is what the forge has of it, at most the last 2 MB. */
export type FailedCheck = { name: string; url: string | null; log: string };
/** A comment on a line of the diff. */
export type ThreadFacts = {
  author: string;
  access: 'write' | 'read' | 'unknown';
  path: string;
  /** 1-based in the new file; null when the line is gone. */
  line: number | null;
  body: string;
  createdAt: number;
};
/** A comment on the pull request itself; `url` names it. */
export type CommentFacts = {
  author: string;
  access: 'write' | 'read' | 'unknown';
  body: string;
  url: string;
  createdAt: number;
};

/** All methods throw OutsideFailure: forge_unavailable (5xx, network; with retryAt), rate_limited, forge_refused, repository_missing. */
export type Forge = {
  /** The login that our credential acts as. */
  login(): Promise<string>;
  repo(fullName: string): Promise<RepoFacts>;
  /** The present name of the repository with this id; null when there is none that we may see. */
  nameOf(id: number): Promise<string | null>;
  pullsByHead(fullName: string, branch: string): Promise<PullFacts[]>;
  pull(fullName: string, number: number): Promise<PullFacts>;
  /** How many open pull requests of ours the repository has. */
  openPulls(fullName: string): Promise<number>;
  /** Never retried blindly: the caller looks up first. Null when the forge says that there is one for the branch already. */
  createPull(
    fullName: string,
    input: {
      title: string;
      body: string;
      head: string;
      base: string;
      draft: boolean;
      maintainerCanModify: boolean;
    },
  ): Promise<PullFacts | null>;
  /** `held`: some suite of checks waits for a maintainer, and may have no checks yet. `unread`: what our credential may not read of them. */
  checks(
    fullName: string,
    sha: string,
    base: string,
  ): Promise<{ checks: CheckFact[]; required: string[]; held: boolean; unread: Trouble | null }>;
  reviews(fullName: string, number: number): Promise<ReviewFacts[]>;
  /** With their logs: of Actions the job's, of others the report; checks without one have an empty log. */
  failedChecks(fullName: string, sha: string): Promise<FailedCheck[]>;
  /** Newest 100, oldest first. */
  threads(fullName: string, number: number): Promise<ThreadFacts[]>;
  /** Newest 100, oldest first; without our own. */
  comments(fullName: string, number: number): Promise<CommentFacts[]>;
  rerun(fullName: string, sha: string): Promise<void>;
};
