/** Policies over which files a change touches. Both names of a rename count. */
import { DOCUMENT_LIMIT } from '../../exact.ts';
import type { PathsKind } from '../../judgements.ts';
import { deny, escalate, isChange, type Action, type PolicyContext, type Judge } from '../action.ts';
import { matches } from '../glob.ts';
import { aboutPaths, isAgentConfig, isCi, isTrustRoot, lonelyLockfiles, touched } from '../../paths.ts';
import { losesTest, thinsTest } from '../risk.ts';
import { found } from './content.ts';

const overPaths =
  (
    which: (path: string, context: PolicyContext) => boolean,
    verdict: typeof deny | typeof escalate,
    kind: PathsKind,
  ): Judge =>
  (action: Action, context: PolicyContext) => {
    if (!isChange(action)) return [];
    const paths = touched(action.commit.diff, (p) => which(p, context));
    return aboutPaths(kind, paths).map(verdict);
  };

export const noWorkflowEdit = overPaths(isCi, escalate, 'ci_changed');

export const agentConfig = overPaths(isAgentConfig, escalate, 'agent_config_changed');

export const trustRoots = overPaths(isTrustRoot, escalate, 'trust_root_changed');

export const forbidden = overPaths(
  (path, { settings }) => matches(path, settings.forbiddenPaths),
  deny,
  'forbidden_path',
);

export const protectedPaths = overPaths(
  (path, { settings }) => matches(path, settings.protectedPaths),
  escalate,
  'protected_path',
);

export const lockfile: Judge = (action) =>
  isChange(action) ? aboutPaths('lonely_lockfile', lonelyLockfiles(action.commit.diff)).map(escalate) : [];

export const noTestDeletion: Judge = (action) => {
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
};

/** G8: what cannot be handed to a person whole is not published, whatever the limits say. */
export const maxDiffSize: Judge = (action, _context, risk) => [
  ...(isChange(action) && action.commit.diff.documentBytes > DOCUMENT_LIMIT
    ? [deny({ kind: 'document', bytes: action.commit.diff.documentBytes, limit: DOCUMENT_LIMIT })]
    : []),
  ...risk.factors.filter((f) => f.id === 'size' && f.level === 'high').map((f) => escalate(f.reason)),
];
