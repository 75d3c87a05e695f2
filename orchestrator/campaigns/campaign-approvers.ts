/** Decides who may approve the runs of a campaign that names its approvers (G3). */
import type { CampaignOrder } from '#model/campaign';

type Run = Pick<CampaignOrder['run'], 'approvers' | 'bounds' | 'requester'>;

export const signersOf = (
  { approvers, bounds, requester }: Run,
  may: (id: string) => boolean,
): string[] | null =>
  approvers?.filter((id) => may(id) && (bounds.requesterMayApprove || id !== requester.id)) ?? null;

/** Returns the numbers when fewer approvers remain than one card needs. */
export const findApproverShortage = (
  run: Run,
  may: (id: string) => boolean,
): { left: number; needed: number } | null => {
  const signers = signersOf(run, may);
  const needed = run.bounds.approvals;
  return signers && signers.length < needed ? { left: signers.length, needed } : null;
};
