/** What the code host was last seen to have of a run, whatever the order in which it was told. */
import type { BaseBranchGuards, PullShown } from '../pull-metadata.ts';
import type { PollOutage, PullVisibility } from './outage.ts';
import type { CiFacts } from './ci-verdict.ts';

export type ObservedReview = {
  state: 'approved' | 'wants_changes' | 'remarked' | 'withdrawn';
  access: 'write' | 'read' | 'unknown';
  commitSha: string;
  body: string;
  at: number;
  /** The change it asks for has been given to the agent or to a person. */
  handled: boolean;
};

/** The base has all that we build upon; it moved on; it moved on and conflicts. */
export type BaseStanding = 'level' | 'behind' | 'conflicts';

/**
 * Names of red checks of one head: those that fail on the base as well, and those that may be
 * flaky.
 */
export type CheckComparison = { sha: string; ref: string; failingOnBase: string[]; flaky: string[] };

/** Forge facts, whatever their order. The state is settled from them. */
export type ObservedFacts = {
  pull: {
    id: string;
    state: 'open' | 'closed';
    merged: boolean;
    headSha: string;
    by: string | null;
    /** How its base stands to it, when the forge last knew. */
    baseStatus?: BaseStanding;
    /** What it shows besides, and others may change. */
    metadata?: PullShown;
  } | null;
  /** Of the repository while no pull request shows it. */
  repository?: { archived: boolean };
  /** What its base branch asked for when a look last read all of it. */
  branchProtection?: BaseBranchGuards;
  /** Head of our branch on the forge; null when never seen or deleted. */
  branchHead: string | null;
  ci: Record<string, CiFacts>;
  /** Newest opinion of each reviewer. */
  reviews: Record<string, ObservedReview>;
  /**
   * The newest remarks of each reviewer that were told: their time by the code host's clock, and
   * their ids.
   */
  reportedReviews: Record<string, { at: number; ids: string[] }>;
  /** Addresses of the newest comments: each is told once. */
  reportedComments: string[];
  /** The newest remarks on lines that were brought to a person, by their ids. */
  triagedRemarks: string[];
  /** Why looks fail now; null when they do not. */
  outage: PollOutage | null;
  /** Whether those who are not signed in see the pull request, as it was last asked. */
  visibility?: PullVisibility;
};
