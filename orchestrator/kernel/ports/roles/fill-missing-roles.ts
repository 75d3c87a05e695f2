/**
 * What stands in for a role that a code host does not have: what is only read is not there, and
 * what is asked for is refused with the reason.
 */
import type { HostRefusalKind } from '#model/failure';
import type { ForgePort, ForgeRoles, GivenForgeRoles, OptionalForgeRole } from './forge-roles.ts';
import { OutsideFailure } from '#ports/forge';

const LACKS = {
  forks: ['has_no_forks', 'This code host has no forks.'],
  checks: ['has_no_checks', 'This code host has no checks.'],
  reviews: ['has_no_reviews', 'This code host has no reviews.'],
  issues: ['has_no_issues', 'This code host has no issues.'],
  search: ['has_no_search', 'This code host has no search for repositories.'],
  setup: ['has_no_setup', 'This code host has no labels and requests for pull requests.'],
} as const satisfies Record<OptionalForgeRole, readonly [HostRefusalKind, string]>;

const createRefusal = (role: OptionalForgeRole) => async (): Promise<never> => {
  const [kind, message] = LACKS[role];
  throw new OutsideFailure(role === 'forks' ? 'not_allowed' : 'forge_refused', message, {
    detail: { kind },
  });
};

export const isLackOf = (role: OptionalForgeRole, { detail }: OutsideFailure): boolean =>
  detail?.kind === LACKS[role][0];

const LACKING: { [Role in OptionalForgeRole]: ForgeRoles[Role] } = {
  forks: {
    forkOwner: createRefusal('forks'),
    fork: createRefusal('forks'),
    followParent: createRefusal('forks'),
  },
  checks: {
    checks: async () => ({
      checks: [],
      required: [],
      awaitsMaintainer: false,
      usesMergeQueue: false,
      unread: null,
      seenAt: null,
    }),
    failedChecks: async () => [],
    findRedOnBaseOrFlaky: async () => ({ onBase: [], flaky: [] }),
    rerun: createRefusal('checks'),
  },
  reviews: {
    reviews: async () => [],
    comments: async () => [],
    ourReplies: async () => [],
    reply: createRefusal('reviews'),
    askAgain: createRefusal('reviews'),
  },
  issues: {
    issue: createRefusal('issues'),
    labelled: createRefusal('issues'),
    askedBy: createRefusal('issues'),
    competingPulls: createRefusal('issues'),
  },
  search: { findRepositories: createRefusal('search') },
  setup: { setUpPull: createRefusal('setup'), markReady: createRefusal('setup') },
};

export type ForgeCapabilities = Readonly<Record<OptionalForgeRole, boolean>>;

export const capabilitiesOf = ({
  forks,
  checks,
  reviews,
  issues,
  search,
  setup,
}: GivenForgeRoles): ForgeCapabilities => ({
  forks: forks !== undefined,
  checks: checks !== undefined,
  reviews: reviews !== undefined,
  issues: issues !== undefined,
  search: search !== undefined,
  setup: setup !== undefined,
});

/** Joins the roles of a host to what handlers use, whatever it lacks. */
export const fillMissingRoles = ({ repository, pulls, ...given }: GivenForgeRoles): ForgePort => {
  const { forks, checks, reviews, issues, search, setup } = { ...LACKING, ...given };
  return { ...repository, ...pulls, ...forks, ...checks, ...reviews, ...issues, ...search, ...setup };
};
