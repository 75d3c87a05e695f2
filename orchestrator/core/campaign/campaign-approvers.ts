/** G3: who may approve the runs of a campaign that names its approvers. Pure. */
import type { CampaignOrder } from './campaign-order.ts';

type Run = Pick<CampaignOrder['run'], 'approvers' | 'bounds' | 'requester'>;

/** Those whom it names and who may sign; null where it names nobody. */
export const signersOf = (
  { approvers, bounds, requester }: Run,
  may: (id: string) => boolean,
): string[] | null =>
  approvers?.filter((id) => may(id) && (bounds.requesterMayApprove || id !== requester.id)) ?? null;

/** Too few are left for one card: so many of how many. */
export const fewIn = (run: Run, may: (id: string) => boolean): { left: number; needed: number } | null => {
  const signers = signersOf(run, may);
  const needed = run.bounds.approvals;
  return signers && signers.length < needed ? { left: signers.length, needed } : null;
};
