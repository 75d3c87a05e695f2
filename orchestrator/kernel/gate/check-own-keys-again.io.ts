/** The last look at the keys of approvers, over the proposal that was just recomputed (G11). */
import { demandsOf, needsOwnKey, signatureProgress } from '#model/assessment';
import { failureDetail } from '#model/failure';
import type { Proposal } from '#model/seal';
import type { EffectContext } from '../handlers/effect-context.ts';
import { toStepFailure, type HandlerOutcome } from '../runtime/effect-handler.ts';
import type { Run } from '../run/run.ts';

/** Null where no policy asks for keys, or enough approvers signed exactly this with theirs. */
export const checkOwnKeysAgain = async (
  { approvals: { checkOwnKeys } }: Pick<EffectContext, 'approvals'>,
  run: Run,
  { step, ...approval }: { step: 'push' | 'open_pr'; action: 'push' | 'open_pr'; approvalId: string },
  proposal: Proposal,
): Promise<HandlerOutcome | null> => {
  // guard: G11-asked-again
  if (!needsOwnKey(proposal.fields.assessment)) return null;
  const { consumedApproval: consumed } = run.gate;
  const signatures = consumed?.id === approval.approvalId ? (consumed.ownKeys ?? []) : [];
  const { approvals } = run.order.bounds;
  // guard: G10-as-many-keys
  const { needed } = signatureProgress(demandsOf(proposal.fields.assessment, approvals), []);
  const why = await checkOwnKeys({ run, proposal, ...approval }, signatures, needed);
  // guard: G11-signed-by-keys
  if (why === null) return null;
  const says = `a policy asks for the approvers' own keys: ${why}`;
  return toStepFailure(step, 'permission_denied', says, { detail: failureDetail({ kind: 'own_key', why }) });
};
