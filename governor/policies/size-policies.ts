/** Policies on the size of a change. */
import { DOCUMENT_LIMIT } from '#text-safety';
import { denyWhere, createFactorQuestion } from '../policy-questions.ts';
import type { PolicyRows } from '../policy-types.ts';

/** G8: a change too large to show in full is not published, whatever the limits. */
const tooLargeToShow = denyWhere(({ documentBytes: bytes }) =>
  bytes > DOCUMENT_LIMIT ? [{ kind: 'document', bytes, limit: DOCUMENT_LIMIT }] : [],
);

export const sizePolicies = {
  'max-diff-size': {
    asks: [tooLargeToShow, createFactorQuestion(({ id, level }) => id === 'size' && level === 'high')],
    version: 1,
    settings: ['maxFiles', 'maxLines', 'maxBytes'],
    card: 'shared',
  },
} as const satisfies PolicyRows;
