/** The code host (F1). */
import type { QueryFound, RepoQuery } from '../core/campaign/repository-query.ts';
import type { BaseStanding } from '../core/machine/observed-facts.ts';
import type { ReviewRemark } from '../core/review-threads.ts';
import type { PullShown } from '../core/pull-metadata.ts';
import type { CompetingPull } from '../core/competing-pulls.ts';
import type { PollFailure } from '../core/machine/outage.ts';
import type { CheckFact, MergeRequirement } from '../core/machine/ci-verdict.ts';

export type RepoFacts = {
  /** The same under every name that it is given. */
  id: string;
  /** `owner/name` as it is called today. */
  name: string;
  /** The id of the repository that it and all its relatives are forks of; its own for that one. */
  network: string;
  defaultBranch: string;
  archived: boolean;
  cloneUrl: string;
  mayPush: boolean;
  mayFork: boolean;
  htmlUrl: string;
};
/** A repository as a list of many shows it. */
export type FoundRepo = {
  /** The code host's own. */
  id: string;
  /** `owner/name` as it is called today. */
  name: string;
  /** Null where the list does not say. */
  archived: boolean | null;
  isFork: boolean;
  /** Null where the list does not say. */
  mayPush: boolean | null;
  mayFork: boolean;
};
export type FoundRepos = Omit<QueryFound, 'query' | 'repos'> & { repos: FoundRepo[] };

export type PullFacts = {
  /** As the forge writes it (`#12`, `group/project!12`): unique in its repository. */
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
  /** How the base stands to it; absent while the forge works it out. */
  standing?: BaseStanding;
  /** What it shows besides, and others may change. */
  shown?: PullShown;
  /** When it was opened, and when it ended (epoch ms); absent where nobody says. */
  openedAt?: number;
  endedAt?: number;
};
export type ReviewFacts = {
  id: string;
  /** Where people read it. */
  url: string;
  reviewer: string;
  access: 'write' | 'read' | 'unknown';
  state: 'approved' | 'wants_changes' | 'remarked' | 'withdrawn';
  commitSha: string;
  body: string;
  submittedAt: number;
  /** A program wrote it. */
  bot?: true;
  /** What it says of lines, and its own words where it does; absent of strangers and programs. */
  remarks?: ReviewRemark[];
  /** Whether those are all that it says. */
  whole?: boolean;
};

/** What ran on a commit, and what its base branch requires. */
export type ChecksFacts = {
  checks: CheckFact[];
  required: MergeRequirement[];
  /** Some suite of checks waits for a maintainer, and may have no checks yet. */
  awaitsMaintainer: boolean;
  /** The base branch takes changes through a merge queue. */
  usesMergeQueue: boolean;
  /** The base branch is protected, or has rules. */
  isProtected?: boolean;
  /** What our credential may not read of them. */
  unread: PollFailure | null;
  /** Since when the oldest of it is known to be so (epoch ms); null for now. */
  seenAt: number | null;
};

/**
 * F4: how much a look asks for. `whole`: everything; otherwise two answers at most, others with
 * each turn, and the rest is taken as it was: what people say only when the pull request has
 * changed, rules and rights every few minutes.
 */
export type PollDepth = 'whole' | { turn: number };

/** A check that failed. `log` is what the forge has of it, at most the last 2 MB. */
export type FailedCheck = {
  name: string;
  url: string | null;
  log: string;
  /** What it says of lines besides (`path:line: words`). */
  lines?: string[];
};
/** A comment on the pull request itself; `url` names it. */
export type CommentFacts = {
  author: string;
  access: 'write' | 'read' | 'unknown';
  body: string;
  url: string;
  createdAt: number;
  /** A program wrote it. */
  bot?: true;
};

/** An open issue, as people wrote it. */
export type LabelledIssue = { id: string; title: string; body: string; updatedAt: number };
/** Who gave an issue its label: `event` is the same however often that is asked. */
export type AskedIssue = {
  event: string;
  by: string | null;
  /** A program did. */
  bot: boolean;
  access: 'write' | 'read' | 'unknown';
};
/** An issue as the forge shows it. */
export type IssueLookup = { state: 'open' | 'closed'; assignees: string[]; labels: string[] };

/**
 * All methods throw OutsideFailure: forge_unavailable (5xx, network; with retryAt), rate_limited,
 * forge_refused, repository_missing.
 */
export type ForgePort = {
  /** The login that we act as: in a repository, or in general. */
  login(repo?: string): Promise<string>;
  /** The account that can have forks; null when we are none that can. */
  forkOwner(): Promise<string | null>;
  repo(fullName: string): Promise<RepoFacts>;
  /**
   * The fork of it that our account, or an organisation, owns; made where there is none. Its
   * commits may come later than the answer. The same fork however often it is asked for.
   */
  fork(fullName: string, organization: string | null): Promise<RepoFacts>;
  /**
   * Brings a branch of a fork to where the repository that it comes from has it. False where it has
   * commits of its own, or where that is not allowed.
   */
  followParent(fork: string, branch: string): Promise<boolean>;
  /**
   * F5: the repositories that an organisation or a team has, or that a search finds, as far as the
   * forge shows them. Rejects with rate_limited (and retryAt) when it was asked too often,
   * repository_missing when there is no such owner that we may see, forge_refused for a search that
   * it does not understand.
   */
  found(query: RepoQuery): Promise<FoundRepos>;
  /** The present name of the repository with this id; null when there is none that we may see. */
  nameOf(id: string): Promise<string | null>;
  /** What a branch is called today, by this name or one that it had; null where there is none. */
  branchName(fullName: string, branch: string): Promise<string | null>;
  /**
   * Text files of its default branch, of these paths those that are there; none where there is no
   * such repository.
   */
  files(fullName: string, paths: readonly string[]): Promise<{ path: string; text: string }[]>;
  /** By the forge's own writing (`#12`); null when there is none, or none that we may see. */
  issue(fullName: string, id: string): Promise<IssueLookup | null>;
  /** Open issues with a label, the longest unchanged first. */
  labelled(fullName: string, label: string): Promise<LabelledIssue[]>;
  /** Who gave an issue that label last; null where nobody did. */
  askedBy(fullName: string, id: string, label: string): Promise<AskedIssue | null>;
  /** `branch`, or `owner:branch` of a fork. */
  pullsByHead(fullName: string, branch: string): Promise<PullFacts[]>;
  pull(fullName: string, id: string, care?: PollDepth): Promise<PullFacts>;
  /** How many open pull requests of ours the repository has. */
  openPulls(fullName: string): Promise<number>;
  /** Whether it is ours, or has merged a pull request of ours. */
  knowsUs(fullName: string): Promise<boolean>;
  /**
   * Open pull requests that name the issue, or that change one of the files; the newest ones only.
   */
  rivals(
    fullName: string,
    about: { issue: string | null; paths: readonly string[] },
  ): Promise<CompetingPull[]>;
  /**
   * Never retried blindly: the caller looks up first. Null when the forge says that there is one
   * for the branch already.
   */
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
  /** Puts another description in place of the one that a pull request has. */
  describe(fullName: string, id: string, body: string): Promise<PullFacts>;
  /** Closes it, with another description; once more changes nothing. */
  close(fullName: string, id: string, body: string): Promise<PullFacts>;
  checks(fullName: string, sha: string, base: string, care?: PollDepth): Promise<ChecksFacts>;
  reviews(fullName: string, pull: string, care?: PollDepth): Promise<ReviewFacts[]>;
  /** With their logs, or what they report; checks without either have an empty log. */
  failedChecks(fullName: string, sha: string): Promise<FailedCheck[]>;
  /**
   * Names of checks: red on the newest commit of the base branch; and red on ours for reasons from
   * outside, or after they had passed on the same commit.
   */
  redElsewhere(fullName: string, sha: string, base: string): Promise<{ onBase: string[]; flaky: string[] }>;
  /** Newest 100, oldest first; without our own. */
  comments(fullName: string, pull: string, care?: PollDepth): Promise<CommentFacts[]>;
  /**
   * Has what failed on a commit run again. `running`: nothing was asked for, because code hosts run
   * nothing again of what has not ended.
   */
  rerun(fullName: string, sha: string): Promise<'asked' | 'running'>;
  /**
   * Whether the branch takes only commits whose signatures the forge can verify; false where we may
   * not read its rules.
   */
  wantsSigned(fullName: string, branch: string): Promise<boolean>;
  /** What we said in threads of a pull request, newest first, asked anew. */
  ourReplies(fullName: string, pull: string): Promise<{ thread: string; body: string; url: string }[]>;
  /**
   * Whether those who are not signed in see the pull request; null where they see nothing of its
   * repository, or where nobody says now.
   */
  seenByAll(fullName: string, pull: string): Promise<boolean | null>;
  /** Never retried blindly: the caller looks up first. */
  reply(fullName: string, pull: string, thread: string, body: string): Promise<{ url: string }>;
  /** Asks people to review again; once more changes nothing. */
  askAgain(fullName: string, pull: string, reviewers: readonly string[]): Promise<void>;
};
