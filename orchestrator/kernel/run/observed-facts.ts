/** Last known facts of the code host about a run, folded in any order. */
import type { BaseBranchGuards, PullShown } from '#model/pull';
import type { PollOutage, PullVisibility } from '#model/failure';
import type { CiFacts } from '#model/ci';

export type ObservedReview = {
  state: 'approved' | 'wants_changes' | 'remarked' | 'withdrawn';
  access: 'write' | 'read' | 'unknown';
  commitSha: string;
  body: string;
  at: number;
  /** The requested change was given to the agent or to a user. */
  handled: boolean;
};

/** `level`: includes the base; `behind`: the base moved on; `conflicts`: and conflicts. */
export type BaseStanding = 'level' | 'behind' | 'conflicts';

/** F6: whose failures the red `checks` of a head were found to be. */
export type CheckComparison = {
  sha: string;
  ref: string;
  checks: string[];
  /** Start of the latest of those tries, by the code host's clock. */
  latestTry: number;
  failingOnBase: string[];
  flaky: string[];
};

export type ObservedFacts = {
  pull: {
    id: string;
    state: 'open' | 'closed';
    merged: boolean;
    headSha: string;
    by: string | null;
    baseStatus?: BaseStanding;
    metadata?: PullShown;
    /** Last change when it was seen open again, by the code host's clock (epoch ms). */
    reopenedAt?: number;
  } | null;
  /** Known from the repository while no pull request shows it. */
  repository?: { archived: boolean };
  branchProtection?: BaseBranchGuards;
  /** Head of our branch on the code host; null when never seen or deleted. */
  branchHead: string | null;
  ci: Record<string, CiFacts>;
  reviews: Record<string, ObservedReview>;
  /** Newest remarks of each reviewer that were shown: time by the code host's clock, and ids. */
  reportedReviews: Record<string, { at: number; ids: string[] }>;
  reportedComments: string[];
  reportedBotTexts?: string[];
  triagedRemarks: string[];
  outage: PollOutage | null;
  visibility?: PullVisibility;
};
