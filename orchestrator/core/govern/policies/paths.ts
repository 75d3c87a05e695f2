/** Policies over which files a change touches. Both names of a rename count. */
import { DOCUMENT_LIMIT } from '../../exact.ts';
import {
  deny,
  escalate,
  isChange,
  type Action,
  type Context,
  type Judgement,
  type Policy,
} from '../action.ts';
import { matches } from '../glob.ts';
import { isAgentConfig, isCi, isTrustRoot, listed, lonelyLockfiles, touched } from '../paths.ts';
import { losesTest, thinsTest } from '../risk.ts';
import { found } from './content.ts';

const overPaths = (
  id: string,
  which: (path: string, context: Context) => boolean,
  say: (paths: string) => Judgement,
): Policy => ({
  id,
  judge: (action: Action, context: Context) => {
    if (!isChange(action)) return [];
    const paths = touched(action.commit.diff, (p) => which(p, context));
    return paths.length === 0 ? [] : [say(listed(paths))];
  },
});

const noWorkflowEdit = overPaths('no-workflow-edit-without-human', isCi, (paths) =>
  escalate(`it changes what CI runs: ${paths}`),
);

const agentConfig = overPaths('agent-config-changed', isAgentConfig, (paths) =>
  escalate(`it changes what steers coding agents: ${paths}`),
);

const trustRoots = overPaths('trust-roots-changed', isTrustRoot, (paths) =>
  escalate(`it changes where packages, hooks or submodules come from: ${paths}`),
);

const forbidden = overPaths(
  'forbidden-paths',
  (path, { settings }) => matches(path, settings.forbiddenPaths),
  (paths) => deny(`these paths may not be changed: ${paths}`),
);

const protectedPaths = overPaths(
  'protected-paths',
  (path, { settings }) => matches(path, settings.protectedPaths),
  (paths) => escalate(`these paths need a signature: ${paths}`),
);

const lockfile: Policy = {
  id: 'lockfile-needs-manifest',
  judge: (action) => {
    const lonely = isChange(action) ? lonelyLockfiles(action.commit.diff) : [];
    return lonely.length === 0
      ? []
      : [escalate(`a lockfile changes without its manifest: ${listed(lonely)}`)];
  },
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
      ...(all.length === 0 ? [] : [escalate(`tests go away: ${listed(all)}`)]),
      ...(less.length === 0
        ? []
        : [escalate(`tests are skipped or check less: ${listed([...new Set(less)])}`)]),
      ...(thinner.length === 0
        ? []
        : [escalate(`tests lose lines, so the checks may say less: ${listed(thinner)}`)]),
    ];
  },
};

/** G8: what cannot be handed to a person whole is not published, whatever the limits say. */
const maxDiffSize: Policy = {
  id: 'max-diff-size',
  judge: (action, _context, risk) => [
    ...(isChange(action) && action.commit.diff.document > DOCUMENT_LIMIT
      ? [
          deny(
            `nobody could read the change in the chat: it takes ${action.commit.diff.document} bytes, a file holds ${DOCUMENT_LIMIT}`,
          ),
        ]
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
