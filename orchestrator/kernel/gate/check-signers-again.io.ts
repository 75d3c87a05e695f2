/** The last look at who approved: whoever may no longer approve does not count (G10). */
import { demandsOf, signatureProgress } from '#model/assessment';
import { hasRoleAtLeast } from '#model/settings';
import type { Proposal, SealDifference } from '#model/seal';
import type { EffectContext } from '../handlers/effect-context.ts';
import { toStepFailure, type HandlerOutcome } from '../runtime/effect-handler.ts';
import type { Run } from '../run/run.ts';

/** Null where enough people who may approve today signed; else a new card asks. */
export const checkSignersAgain = async (
  { approvals: { roleOf } }: Pick<EffectContext, 'approvals'>,
  run: Run,
  { step, approvalId }: { step: 'push' | 'open_pr'; approvalId: string },
  proposal: Proposal,
): Promise<HandlerOutcome | null> => {
  const { consumedApproval: consumed } = run.gate;
  const demands = demandsOf(proposal.fields.assessment, run.order.bounds.approvals);
  const own = consumed?.id === approvalId ? consumed.signedBy : undefined;
  // Approvals of older versions name nobody, and no policy of theirs asked for somebody.
  const signedBy = own ?? (demands.length > 1 ? [] : null);
  if (signedBy === null) return null;
  const people = new Map(signedBy.map((one) => [one.id, one]));
  const now = await Promise.all(
    [...people.values()].map(async ({ id, name }) => ({ id, name, role: (await roleOf(id)) ?? undefined })),
  );
  // guard: G10-may-still-approve
  const [signers, lapsed] = [
    now.filter(({ role }) => role !== undefined && hasRoleAtLeast(role, 'approver')),
    now.filter(({ role }) => role === undefined || !hasRoleAtLeast(role, 'approver')),
  ];
  const { have, needed, next } = signatureProgress(demands, signers);
  // guard: G10-opening
  if (have >= needed) return null;
  const signatures: SealDifference = {
    kind: 'signatures',
    lapsed: lapsed.map(({ name }) => name),
    have,
    needed,
    next: [...next],
  };
  return toStepFailure(step, 'seal_moved', '', { differences: [signatures], proposal });
};
