/** The port that checks what approvers signed with keys of their own (G11). */
import type { OwnKeyFault } from '#model/failure';
import type { OwnKeyAction, Proposal } from '#model/seal';
import type { Run, SignedByKey } from '../../run/run.ts';

/** What was signed. `words` went with a refusal. */
export type OwnKeyApproval = {
  run: Run;
  action: OwnKeyAction;
  approvalId: string;
  proposal: Proposal;
  words?: string;
};

/** Null when as many people as are needed signed exactly this, each with a key that is trusted now. */
export type CheckOwnKeys = (
  approval: OwnKeyApproval,
  signatures: readonly SignedByKey[],
  needed: number,
) => Promise<OwnKeyFault | null>;
