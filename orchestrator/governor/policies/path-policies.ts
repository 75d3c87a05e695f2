/** Policies on the files of a change. Both names of a rename count. */
import { matchesGlob } from '#text-safety';
import type { PathsKind } from '../../model/assessment-reasons.ts';
import {
  denyOpinion,
  escalateOpinion,
  type PolicyContext,
  type PolicyEvaluator,
  type PolicyRows,
} from '../policy-types.ts';
import { isChange, type GovernedAction, findingsOfKinds } from '../governed-action.ts';
import { aboutPaths } from '../path-reasons.ts';
import {
  isAgentConfig,
  isCi,
  isTrustRoot,
  lockfilesWithoutManifest,
  touchedPaths,
  losesTest,
  thinsTest,
} from '../../model/path-kinds.ts';

const overPaths =
  (
    which: (path: string, context: PolicyContext) => boolean,
    verdict: typeof denyOpinion | typeof escalateOpinion,
    kind: PathsKind,
  ): PolicyEvaluator =>
  (action: GovernedAction, context: PolicyContext) => {
    if (!isChange(action)) return [];
    const paths = touchedPaths(action.commit.diff, (p) => which(p, context));
    return aboutPaths(kind, paths).map(verdict);
  };

const noWorkflowEdit = overPaths(isCi, escalateOpinion, 'ci_changed');

const agentConfig = overPaths(isAgentConfig, escalateOpinion, 'agent_config_changed');

const trustRoots = overPaths(isTrustRoot, escalateOpinion, 'trust_root_changed');

const forbiddenPathsPolicy = overPaths(
  (path, { settings }) => matchesGlob(path, settings.forbiddenPaths),
  denyOpinion,
  'forbidden_path',
);

const protectedPaths = overPaths(
  (path, { settings }) => matchesGlob(path, settings.protectedPaths),
  escalateOpinion,
  'protected_path',
);

const lockfilePolicy: PolicyEvaluator = (action) =>
  isChange(action)
    ? aboutPaths('lockfile_without_manifest', lockfilesWithoutManifest(action.commit.diff)).map(
        escalateOpinion,
      )
    : [];

const noTestDeletion: PolicyEvaluator = (action) => {
  if (!isChange(action)) return [];
  const lost = action.commit.diff.files.filter(losesTest).map((f) => f.oldPath ?? f.path);
  const removed = findingsOfKinds(action, ['test_removed']).map((f) => f.path);
  const all = [...new Set([...lost, ...removed])];
  const less = findingsOfKinds(action, ['test_skipped', 'test_weakened']).map((f) => f.path);
  const thinner = action.commit.diff.files.filter(thinsTest).map((f) => f.path);
  return [
    ...aboutPaths('tests_removed', all),
    ...aboutPaths('tests_weaker', [...new Set(less)]),
    ...aboutPaths('tests_thinner', thinner),
  ].map(escalateOpinion);
};

export const pathPolicies = {
  'no-workflow-edit-without-human': { evaluate: noWorkflowEdit, version: 1, settings: [], card: 'own' },
  'agent-config-changed': { evaluate: agentConfig, version: 1, settings: [], card: 'own' },
  'trust-roots-changed': { evaluate: trustRoots, version: 1, settings: [], card: 'own' },
  'forbidden-paths': {
    evaluate: forbiddenPathsPolicy,
    version: 1,
    settings: ['forbiddenPaths'],
    card: 'shared',
  },
  'protected-paths': { evaluate: protectedPaths, version: 1, settings: ['protectedPaths'], card: 'shared' },
  'lockfile-needs-manifest': { evaluate: lockfilePolicy, version: 1, settings: [], card: 'shared' },
  'no-test-deletion': { evaluate: noTestDeletion, version: 1, settings: [], card: 'shared' },
} as const satisfies PolicyRows;
