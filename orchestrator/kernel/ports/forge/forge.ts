/** F1: the code host port. */
import type { PastPull, PullShown, CompetingPulls } from '#model/pull';
import type { HostRefusalKind, PollFailure } from '#model/failure';
import type { QueryFound, RepoQuery } from '#model/targets';
import type { ReviewRemark } from '#model/review';
import type { ChangeSurvival } from '#model/change';
import type { MergedPull } from '#model/order';
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

/**
 * All methods throw OutsideFailure: forge_unavailable (5xx, network; with retryAt), rate_limited,
 * forge_refused, repository_missing.
 */
export type MergedHead = { pull: string; base: string; head: string };

export type ForgePort = {
  login(repo?: string): Promise<string>;
  /** Account that owns our forks; null when our credential cannot own forks. */
  forkOwner(): Promise<string | null>;
  repo(fullName: string): Promise<RepoFacts>;
  /** Finds or creates our fork; idempotent. Its commits may arrive later. */
  fork(fullName: string, organization: string | null): Promise<RepoFacts>;
  /** Fast-forwards a fork's branch; false when it has its own commits or is not allowed. */
  followParent(fork: string, branch: string): Promise<boolean>;
  /** F5: rejects with rate_limited, repository_missing (no visible owner) or forge_refused (bad search). */
  found(query: RepoQuery): Promise<FoundRepos>;
  nameOf(id: string): Promise<string | null>;
  /** Current name of a branch that may have been renamed; null when it is gone. */
  branchName(fullName: string, branch: string): Promise<string | null>;
  /** Missing files and repositories are left out. */
  files(fullName: string, paths: readonly string[]): Promise<{ path: string; text: string }[]>;
  /** `id` as in `#12`; null when the issue is missing or not visible. */
  issue(fullName: string, id: string): Promise<IssueLookup | null>;
  /** Open issues with a label, least recently updated first. */
  labelled(fullName: string, label: string): Promise<LabelledIssue[]>;
  /** The last person who added the label; null when nobody did. */
  askedBy(fullName: string, id: string, label: string): Promise<AskedIssue | null>;
  /** `branch`, or `owner:branch` of a fork. */
  pullsByHead(fullName: string, branch: string): Promise<PullFacts[]>;
  pull(fullName: string, id: string, depth?: PollDepth): Promise<PullFacts>;
  /** Null when it is not merged; throws forge_refused when its commits cannot be listed. */
  mergedPull(fullName: string, id: string): Promise<MergedPull | null>;
  survival(fullName: string, merged: MergedHead): Promise<ChangeSurvival | null>;
  /** Tags of the releases that hold the commit, the oldest first. */
  releasesWith(fullName: string, commit: string): Promise<string[]>;
  openPulls(fullName: string): Promise<number>;
  /** True when we own the repository or it merged a pull request of ours. */
  knowsUs(fullName: string): Promise<boolean>;
  /** Open pull requests that name the issue, and recently updated ones that change one of the files. */
  competingPulls(
    fullName: string,
    about: { issue: string | null; paths: readonly string[] },
  ): Promise<CompetingPulls>;
  /** Absent where the code host has no merge queue; null when it cannot be read. */
  inMergeQueue?(fullName: string, id: string): Promise<boolean | null>;
  /** The newest that are closed, merged or not, without those of bots. */
  pastPulls(fullName: string): Promise<PastPull[]>;
  /** Not idempotent: look up first. Returns null when the branch already has a pull request. */
  createPull(
    fullName: string,
    input: {
      title: string;
      body: string;
      /** `branch`, or `owner:branch` of a fork. */
      head: string;
      base: string;
      draft: boolean;
      maintainerCanModify: boolean;
    },
  ): Promise<PullFacts | null>;
  describe(fullName: string, id: string, body: string): Promise<PullFacts>;
  /** Closes it with another description; idempotent. */
  close(fullName: string, id: string, body: string): Promise<PullFacts>;
  checks(fullName: string, sha: string, base: string, depth?: PollDepth): Promise<ChecksFacts>;
  reviews(fullName: string, pull: string, depth?: PollDepth): Promise<ReviewFacts[]>;
  /** Includes logs or annotations; `log` is empty when a check has neither. */
  failedChecks(fullName: string, sha: string): Promise<FailedCheck[]>;
  /** `onBase`: red on the base's newest commit. `flaky`: outside reasons, or passed before. */
  redElsewhere(fullName: string, sha: string, base: string): Promise<{ onBase: string[]; flaky: string[] }>;
  /** Newest 100, oldest first, without our own. */
  comments(fullName: string, pull: string, depth?: PollDepth): Promise<CommentFacts[]>;
  /** `running`: nothing was requested, as the workflow has not ended yet. */
  rerun(fullName: string, sha: string): Promise<'asked' | 'running'>;
  /** True when the branch requires verified signatures; false when its rules are not readable. */
  wantsSigned(fullName: string, branch: string): Promise<boolean>;
  /** Our replies in review threads and in the conversation, never cached. */
  ourReplies(fullName: string, pull: string): Promise<{ thread: string; body: string; url: string }[]>;
  /** True when anonymous users see it; null when the repository is private or unknown. */
  seenByAll(fullName: string, pull: string): Promise<boolean | null>;
  /** Not idempotent: look up first. */
  reply(fullName: string, pull: string, thread: string, body: string): Promise<{ url: string }>;
  /** Requests reviews again; idempotent. */
  askAgain(fullName: string, pull: string, reviewers: readonly string[]): Promise<void>;
};
