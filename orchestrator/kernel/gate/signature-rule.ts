/** Decides which pushes a person has to sign (G6). */
import type { Assessment } from '#model/assessment';
import type { Run } from '../run/run.ts';

/** G6: others read an open pull request, so only low risk may be pushed to it unsigned. */
// guard: G6-signature-rule
export const needsSignature = (
  { upstream: { pullRequest: pr }, order }: Run,
  { decision, risk }: Assessment,
): boolean =>
  order.bounds.push === 'after_approval' ||
  decision === 'escalate' ||
  risk === 'high' ||
  (pr !== null && !(order.bounds.autoIterate && risk === 'low'));
