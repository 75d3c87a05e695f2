/**
 * The roles in which a code host works for us (F1). A handler takes the roles that it uses; a host
 * without a role leaves it out (`lacking-roles.ts`).
 *
 * Every method throws OutsideFailure: forge_unavailable (5xx, network; with retryAt), rate_limited,
 * forge_refused, repository_missing, and where it says so.
 */
import type { PastPull, CompetingPulls } from '#model/pull';
import type { RepoQuery } from '#model/targets';
import type { ChangeSurvival } from '#model/change';
import type { MergedPull } from '#model/order';
import type { PullSetup, PullSetupRefusal } from '#model/opening';
import type {
  AskedIssue,
  ChecksFacts,
  CommentFacts,
  FailedCheck,
  FoundRepos,
  IssueLookup,
  LabelledIssue,
  MergedHead,
  PollDepth,
  PullFacts,
  RepoFacts,
  ReviewFacts,
} from '#ports/forge';

/** Repositories, their branches and files, and who we are there. */
export type ForgeRepository = {
  login(repo?: string): Promise<string>;
  repo(fullName: string): Promise<RepoFacts>;
  nameOf(id: string): Promise<string | null>;
  /** Current name of a branch that may have been renamed; null when it is gone. */
  branchName(fullName: string, branch: string): Promise<string | null>;
  /** Missing files and repositories are left out. */
  files(fullName: string, paths: readonly string[]): Promise<{ path: string; text: string }[]>;
  /** True when the branch requires verified signatures; false when its rules are not readable. */
  wantsSigned(fullName: string, branch: string): Promise<boolean>;
  /** Number of our own open pull requests. */
  openPulls(fullName: string): Promise<number>;
  /** The newest that are closed, merged or not, without those of bots. */
  pastPulls(fullName: string): Promise<PastPull[]>;
  /** True when we own the repository or it merged a pull request of ours. */
  knowsUs(fullName: string): Promise<boolean>;
  /** Tags of the releases that hold the commit, the oldest first. */
  releasesWith(fullName: string, commit: string): Promise<string[]>;
};

/** Our copies of repositories that we may not push to. */
export type ForgeForks = {
  /** Account that owns our forks; null when our credential cannot own forks. */
  forkOwner(): Promise<string | null>;
  /** Finds or creates our fork; idempotent. Its commits may arrive later. */
  fork(fullName: string, organization: string | null): Promise<RepoFacts>;
  /** Fast-forwards a fork's branch; false when it has its own commits or is not allowed. */
  followParent(fork: string, branch: string): Promise<boolean>;
};

export type ForgePulls = {
  pull(fullName: string, id: string, depth?: PollDepth): Promise<PullFacts>;
  /** `branch`, or `owner:branch` of a fork. */
  pullsByHead(fullName: string, branch: string): Promise<PullFacts[]>;
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
  /** True when anonymous users see it; null when the repository is private or unknown. */
  seenByAll(fullName: string, pull: string): Promise<boolean | null>;
  /** Null when it is not merged; throws forge_refused when its commits cannot be listed. */
  mergedPull(fullName: string, id: string): Promise<MergedPull | null>;
  /** What is left of a merged change on its base branch. */
  survival(fullName: string, merged: MergedHead): Promise<ChangeSurvival | null>;
  /** Absent where the code host has no merge queue; null when it cannot be read. */
  inMergeQueue?(fullName: string, id: string): Promise<boolean | null>;
};

export type ForgeChecks = {
  checks(fullName: string, sha: string, base: string, depth?: PollDepth): Promise<ChecksFacts>;
  /** Includes logs or annotations; `log` is empty when a check has neither. */
  failedChecks(fullName: string, sha: string): Promise<FailedCheck[]>;
  /** `onBase`: red on the base's newest commit. `flaky`: outside reasons, or passed before. */
  findRedOnBaseOrFlaky(
    fullName: string,
    sha: string,
    base: string,
  ): Promise<{ onBase: string[]; flaky: string[] }>;
  /** `running`: nothing was requested, as the workflow has not ended yet. */
  rerun(fullName: string, sha: string): Promise<'asked' | 'running'>;
};

export type ForgeReviews = {
  reviews(fullName: string, pull: string, depth?: PollDepth): Promise<ReviewFacts[]>;
  /** Newest 100, oldest first, without our own. */
  comments(fullName: string, pull: string, depth?: PollDepth): Promise<CommentFacts[]>;
  /** Our replies in review threads and in the conversation, never cached. */
  ourReplies(fullName: string, pull: string): Promise<{ thread: string; body: string; url: string }[]>;
  /** Not idempotent: look up first. */
  reply(fullName: string, pull: string, thread: string, body: string): Promise<{ url: string }>;
  /** Requests reviews again; idempotent. */
  askAgain(fullName: string, pull: string, reviewers: readonly string[]): Promise<void>;
};

/** F13: what is set on a pull request after its opening. */
export type ForgeSetup = {
  /** Looks first, so that it adds nothing twice; gives what was refused, each with its reason. */
  setUpPull(fullName: string, pull: string, setup: PullSetup): Promise<PullSetupRefusal[]>;
  /** Ends a draft; idempotent. Null when it is none any more, else why not. */
  markReady(fullName: string, pull: string): Promise<PullSetupRefusal | null>;
};

export type ForgeIssues = {
  /** `id` as in `#12`; null when the issue is missing or not visible. */
  issue(fullName: string, id: string): Promise<IssueLookup | null>;
  /** Open issues with a label, least recently updated first. */
  labelled(fullName: string, label: string): Promise<LabelledIssue[]>;
  /** The last person who added the label; null when nobody did. */
  askedBy(fullName: string, id: string, label: string): Promise<AskedIssue | null>;
  /** Open pull requests that name the issue, and recently updated ones that change one of the files. */
  competingPulls(
    fullName: string,
    about: { issue: string | null; paths: readonly string[] },
  ): Promise<CompetingPulls>;
};

export type ForgeSearch = {
  /** F5: rejects with rate_limited, repository_missing (no visible owner) or forge_refused (bad search). */
  findRepositories(query: RepoQuery): Promise<FoundRepos>;
};

export type ForgeRoles = {
  repository: ForgeRepository;
  pulls: ForgePulls;
  forks: ForgeForks;
  checks: ForgeChecks;
  reviews: ForgeReviews;
  issues: ForgeIssues;
  search: ForgeSearch;
  setup: ForgeSetup;
};
type ForgeRole = keyof ForgeRoles;

/** Roles without which nothing can be opened anywhere. */
type NeededRole = 'repository' | 'pulls';
export type OptionalForgeRole = Exclude<ForgeRole, NeededRole>;
/** What a host has; it is what its roles say, and nothing else. */
export type GivenForgeRoles = Pick<ForgeRoles, NeededRole> & Partial<Pick<ForgeRoles, OptionalForgeRole>>;

export type ForgePort = ForgeRepository &
  ForgePulls &
  ForgeForks &
  ForgeChecks &
  ForgeReviews &
  ForgeIssues &
  ForgeSearch &
  ForgeSetup;
