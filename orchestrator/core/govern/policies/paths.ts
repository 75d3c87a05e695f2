/** Policies over which files a change touches. Both names of a rename count. */
import { DOCUMENT_LIMIT } from '../../exact.ts';
import type { PathsKind } from '../../judgements.ts';
import { deny, escalate, isChange, type Action, type PolicyContext, type Policy } from '../action.ts';
import type { PolicyId } from '../catalogue.ts';
import { matches } from '../glob.ts';
import { aboutPaths, isAgentConfig, isCi, isTrustRoot, lonelyLockfiles, touched } from '../paths.ts';
import { losesTest, thinsTest } from '../risk.ts';
import { found } from './content.ts';

const overPaths = (
  id: PolicyId,
  which: (path: string, context: PolicyContext) => boolean,
  verdict: typeof deny | typeof escalate,
  kind: PathsKind,
): Policy => ({
  id,
  judge: (action: Action, context: PolicyContext) => {
    if (!isChange(action)) return [];
    const paths = touched(action.commit.diff, (p) => which(p, context));
    return aboutPaths(kind, paths).map(verdict);
  },
});

const noWorkflowEdit = overPaths('no-workflow-edit-without-human', isCi, escalate, 'ci_changed');

const agentConfig = overPaths('agent-config-changed', isAgentConfig, escalate, 'agent_config_changed');

const trustRoots = overPaths('trust-roots-changed', isTrustRoot, escalate, 'trust_root_changed');

const forbidden = overPaths(
  'forbidden-paths',
  (path, { settings }) => matches(path, settings.forbiddenPaths),
  deny,
  'forbidden_path',
);

const protectedPaths = overPaths(
  'protected-paths',
  (path, { settings }) => matches(path, settings.protectedPaths),
  escalate,
  'protected_path',
);

const lockfile: Policy = {
  id: 'lockfile-needs-manifest',
  judge: (action) =>
    isChange(action) ? aboutPaths('lonely_lockfile', lonelyLockfiles(action.commit.diff)).map(escalate) : [],
};

const noTestDeletion: Policy = {
  id: 'no-test-deletion',
  judge: (action) => {
    if (!isChange(action)) return [];
    const lost = action.commit.diff.files.filter(losesTest).map((f) => f.oldPath ?? f.path);
    const removed = found(action, ['test_removed']).map((f) => f.path);
    const all = [...new Set([...lost, ...removed])];
    const less = found(action, ['test_skipped', 'test_weakened']).map((f) => f.path);
    const thinner = action.commit.diff.files.filter(thinsTest).map((f) => f.path);
    return [
      ...aboutPaths('tests_gone', all),
      ...aboutPaths('tests_weaker', [...new Set(less)]),
      ...aboutPaths('tests_thinner', thinner),
    ].map(escalate);
  },
};

/** G8: what cannot be handed to a person whole is not published, whatever the limits say. */
const maxDiffSize: Policy = {
  id: 'max-diff-size',
  judge: (action, _context, risk) => [
    ...(isChange(action) && action.commit.diff.document > DOCUMENT_LIMIT
      ? [deny({ kind: 'document', bytes: action.commit.diff.document, limit: DOCUMENT_LIMIT })]
      : []),
    ...risk.factors.filter((f) => f.id === 'size' && f.level === 'high').map((f) => escalate(f.reason)),
  ],
};

export const pathPolicies: readonly Policy[] = [
  noWorkflowEdit,
  agentConfig,
  trustRoots,
  forbidden,
  protectedPaths,
  lockfile,
  noTestDeletion,
  maxDiffSize,
];
