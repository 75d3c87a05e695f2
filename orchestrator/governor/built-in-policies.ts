/** The built-in policies, one row each, with the settings that change them. */
import type { POLICY_LIMIT_NAMES } from '../model/policy-settings.ts';
import type { PolicyJudge, Policy } from './governed-action.ts';
import {
  noSecrets,
  hiddenLinesPolicy,
  noWriteOutside,
  noSymlinkEscape,
  noGitlinks,
  noBinary,
  hiddenText,
  noOddFiles,
} from './policies/content-policies.ts';
import {
  noWorkflowEdit,
  agentConfig,
  trustRoots,
  forbiddenPathsPolicy,
  protectedPaths,
  lockfilePolicy,
  noTestDeletion,
  maxDiffSize,
} from './policies/path-policies.ts';
import {
  noDefaultBranch,
  openPrLimit,
  publicText,
  commentLength,
  commentNeedsHuman,
} from './policies/target-policies.ts';
import { contributionRules } from './policies/contribution-rules-policy.ts';
import {
  checksMustPass,
  changedCheckConfigPolicy,
  noHighRisk,
  noNetwork,
  knownCommand,
  highRisk,
  smallChange,
} from './policies/evidence-policies.ts';

type Row = { judge: PolicyJudge | null; settings: readonly (typeof POLICY_LIMIT_NAMES)[number][] };

/** Order of display. `explicit-allow` sends whatever nothing allows to a person. */
export const BUILT_IN_POLICIES = {
  'no-secrets': { judge: noSecrets, settings: [] },
  'hidden-lines': { judge: hiddenLinesPolicy, settings: [] },
  'no-write-outside-workspace': { judge: noWriteOutside, settings: [] },
  'no-symlink-escape': { judge: noSymlinkEscape, settings: [] },
  'no-gitlinks': { judge: noGitlinks, settings: [] },
  'no-binary': { judge: noBinary, settings: [] },
  'hidden-text': { judge: hiddenText, settings: [] },
  'no-odd-files': { judge: noOddFiles, settings: [] },
  'no-workflow-edit-without-human': { judge: noWorkflowEdit, settings: [] },
  'agent-config-changed': { judge: agentConfig, settings: [] },
  'trust-roots-changed': { judge: trustRoots, settings: [] },
  'forbidden-paths': { judge: forbiddenPathsPolicy, settings: ['forbiddenPaths'] },
  'protected-paths': { judge: protectedPaths, settings: ['protectedPaths'] },
  'lockfile-needs-manifest': { judge: lockfilePolicy, settings: [] },
  'no-test-deletion': { judge: noTestDeletion, settings: [] },
  'max-diff-size': { judge: maxDiffSize, settings: ['maxFiles', 'maxLines', 'maxBytes'] },
  'no-push-to-default-branch': { judge: noDefaultBranch, settings: ['protectedBranches'] },
  'open-pr-limit': { judge: openPrLimit, settings: ['maxOpenPrs', 'maxFirstLines'] },
  'public-text': { judge: publicText, settings: [] },
  'comment-length': { judge: commentLength, settings: ['maxCommentLength'] },
  'comment-needs-human': { judge: commentNeedsHuman, settings: [] },
  'contribution-rules': { judge: contributionRules, settings: [] },
  'checks-must-pass': { judge: checksMustPass, settings: [] },
  'judges-changed': { judge: changedCheckConfigPolicy, settings: [] },
  'no-high-risk-command': { judge: noHighRisk, settings: [] },
  'no-network-without-human': { judge: noNetwork, settings: [] },
  'known-command': { judge: knownCommand, settings: [] },
  'high-risk-needs-human': { judge: highRisk, settings: ['separatePush'] },
  'small-change': { judge: smallChange, settings: ['smallFiles', 'smallLines'] },
  'explicit-allow': { judge: null, settings: [] },
} as const satisfies Record<string, Row>;

export type BuiltInId = keyof typeof BUILT_IN_POLICIES;
export const isBuiltIn = (id: string): id is BuiltInId => Object.hasOwn(BUILT_IN_POLICIES, id);

export const BUILT_IN: readonly Policy[] = Object.entries(BUILT_IN_POLICIES).flatMap(([id, { judge }]) =>
  judge ? [{ id, judge }] : [],
);
