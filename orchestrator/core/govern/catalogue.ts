/** The built-in policies by id, and which settings of the operator change each. What each guards stands with its words. */
import type { LIMIT_NAMES } from '../policy-settings.ts';

type Limit = (typeof LIMIT_NAMES)[number];

/** Policies that no setting changes have none. `explicit-allow` is the rule that what nothing allows is for a person. */
export const POLICIES = {
  'no-secrets': [],
  'hidden-lines': [],
  'no-write-outside-workspace': [],
  'no-symlink-escape': [],
  'no-gitlinks': [],
  'no-binary': [],
  'hidden-text': [],
  'no-odd-files': [],
  'no-workflow-edit-without-human': [],
  'agent-config-changed': [],
  'trust-roots-changed': [],
  'forbidden-paths': ['forbiddenPaths'],
  'protected-paths': ['protectedPaths'],
  'lockfile-needs-manifest': [],
  'no-test-deletion': [],
  'max-diff-size': ['maxFiles', 'maxLines', 'maxBytes'],
  'no-push-to-default-branch': ['protectedBranches'],
  'open-pr-limit': ['maxOpenPrs'],
  'public-text': [],
  'comment-length': ['maxCommentLength'],
  'comment-needs-human': [],
  'contribution-rules': [],
  'checks-must-pass': [],
  'judges-changed': [],
  'no-high-risk-command': [],
  'no-network-without-human': [],
  'known-command': [],
  'high-risk-needs-human': [],
  'small-change': ['smallFiles', 'smallLines'],
  'explicit-allow': [],
} as const satisfies Record<string, readonly Limit[]>;

type BuiltInId = keyof typeof POLICIES;
/** Of the operator's own policies, and of the repository's, the id says whose they are. */
export type PolicyId = BuiltInId | `custom:${string}` | `repository:${string}`;

export const isBuiltIn = (id: string): id is BuiltInId => Object.hasOwn(POLICIES, id);
