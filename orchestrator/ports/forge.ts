/** The code host (F1). */
import type { CheckFact } from '../core/verdict.ts';

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

/** All methods throw OutsideFailure: forge_unavailable (5xx, network; with retryAt), rate_limited, forge_refused, repository_missing. */
export type Forge = {
  /** The login that our credential acts as. */
  login(): Promise<string>;
  repo(fullName: string): Promise<RepoFacts>;
  pullsByHead(fullName: string, branch: string): Promise<PullFacts[]>;
  pull(fullName: string, number: number): Promise<PullFacts>;
  /** How many open pull requests of ours the repository has. */
  openPulls(fullName: string): Promise<number>;
  /** Never retried blindly: the caller looks up first. */
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
  ): Promise<PullFacts>;
  checks(fullName: string, sha: string, base: string): Promise<{ checks: CheckFact[]; required: string[] }>;
  reviews(fullName: string, number: number): Promise<ReviewFacts[]>;
  rerun(fullName: string, sha: string): Promise<void>;
};
