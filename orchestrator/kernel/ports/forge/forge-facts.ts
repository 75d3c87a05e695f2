/** Facts that a code host tells of repositories, pull requests, checks, reviews and issues (F1). */
import type { PullShown } from '#model/pull';
import type { HostRefusalKind, PollFailure } from '#model/failure';
import type { QueryFound } from '#model/targets';
import type { ReviewRemark } from '#model/review';
import type { IssueFacts } from '#model/requirements';
import type { CheckFact, MergeRequirement } from '#model/ci';
import type { BaseStanding } from '../../run/observed-facts.ts';

export type RepoFacts = {
  id: string;
  name: string;
  /** Id of the root repository of the fork network; its own id when it is no fork. */
  network: string;
  defaultBranch: string;
  archived: boolean;
  cloneUrl: string;
  mayPush: boolean;
  mayFork: boolean;
  htmlUrl: string;
  /** F10: the host's own field against pull requests of ours; absent when there is none. */
  pullsRefused?: PullsRefused;
};
export type PullsRefused = {
  kind: Extract<HostRefusalKind, 'pulls_off' | 'collaborators_only' | 'is_mirror'>;
  /** `field: value`, as the host says it. */
  says: string;
};
export type FoundRepo = {
  id: string;
  name: string;
  archived: boolean | null;
  isFork: boolean;
  mayPush: boolean | null;
  mayFork: boolean;
};
export type FoundRepos = Omit<QueryFound, 'query' | 'repos'> & { repos: FoundRepo[] };

export type PullFacts = {
  /** The code host's notation (`#12`, `group/project!12`), unique in its repository. */
  id: string;
  url: string;
  state: 'open' | 'closed';
  merged: boolean;
  mergedBy: string | null;
  author: string;
  baseRepoId: string;
  baseRef: string;
  headRepoId: string | null;
  headRef: string;
  headSha: string;
  title: string;
  body: string;
  draft: boolean;
  maintainerCanModify: boolean;
  /** Relation to the base; absent while the code host computes it. */
  standing?: BaseStanding;
  shown?: PullShown;
  /** Epoch ms; absent when unknown. */
  openedAt?: number;
  endedAt?: number;
};
export type ReviewFacts = {
  id: string;
  url: string;
  reviewer: string;
  access: 'write' | 'read' | 'unknown';
  state: 'approved' | 'wants_changes' | 'remarked' | 'withdrawn';
  commitSha: string;
  body: string;
  submittedAt: number;
  bot?: true;
  /** Line comments and the review's own text; absent for outsiders and bots. */
  remarks?: ReviewRemark[];
  /** False when `remarks` is incomplete. */
  hasAllRemarks?: boolean;
};

export type ChecksFacts = {
  checks: CheckFact[];
  required: MergeRequirement[];
  /** A check suite waits for a maintainer's approval and may have no checks yet. */
  awaitsMaintainer: boolean;
  usesMergeQueue: boolean;
  /** The base branch is protected or has rules. */
  isProtected?: boolean;
  unread: PollFailure | null;
  /** Age of the oldest part (epoch ms); null when all parts are fresh. */
  seenAt: number | null;
};

/** F4: `whole` polls everything; otherwise two requests at most, by turns, and the rest is cached. */
export type PollDepth = 'whole' | { turn: number };

/** A failed check; `log` holds at most the last 2 MB. */
export type FailedCheck = {
  name: string;
  url: string | null;
  log: string;
  /** Annotations (`path:line: words`). */
  lines?: string[];
};
/** A comment on the pull request itself; `url` identifies it. */
export type CommentFacts = {
  author: string;
  access: 'write' | 'read' | 'unknown';
  body: string;
  url: string;
  createdAt: number;
  bot?: true;
  answered?: true;
};

export type LabelledIssue = { id: string; title: string; body: string; updatedAt: number };
/** The person who added a label to an issue; `event` is stable across requests. */
export type AskedIssue = {
  event: string;
  by: string | null;
  bot: boolean;
  access: 'write' | 'read' | 'unknown';
};
export type IssueLookup = Omit<IssueFacts, 'id' | 'ours' | 'state' | 'pullsUnread'> & {
  state: 'open' | 'closed';
};

/** Where a merged pull request ended: its base branch and the head that was merged. */
export type MergedHead = { pull: string; base: string; head: string };
