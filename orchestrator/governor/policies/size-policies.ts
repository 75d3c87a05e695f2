/** Policies on the size of a change. */
import { DOCUMENT_LIMIT } from '#text-safety';
import { isChange } from '../governed-action.ts';
import { denyOpinion, escalateOpinion, type PolicyEvaluator, type PolicyRows } from '../policy-types.ts';

/** G8: a change too large to show in full is not published, whatever the limits. */
const maxDiffSize: PolicyEvaluator = (action, _context, risk) => [
  ...(isChange(action) && action.commit.diff.documentBytes > DOCUMENT_LIMIT
    ? [denyOpinion({ kind: 'document', bytes: action.commit.diff.documentBytes, limit: DOCUMENT_LIMIT })]
    : []),
  ...risk.factors.filter((f) => f.id === 'size' && f.level === 'high').map((f) => escalateOpinion(f.reason)),
];

export const sizePolicies = {
  'max-diff-size': {
    evaluate: maxDiffSize,
    version: 1,
    settings: ['maxFiles', 'maxLines', 'maxBytes'],
    card: 'shared',
  },
} as const satisfies PolicyRows;
