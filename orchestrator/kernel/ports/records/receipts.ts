/** The port for receipts, by which a pull request's body says who approved it (G7, G9). */
import type { Receipt, SignedReceipt } from '#pull-text';
import type { ConsumedApproval } from '../../run/run.ts';

export type ReceiptClaims = Pick<Receipt, 'run' | 'digest' | 'policyVersion' | 'approver'> & {
  signers?: ConsumedApproval['signers'] | undefined;
  byKeys?: NonNullable<SignedReceipt['byKeys']> | undefined;
};

/** What becomes public with a signature; `title` is null for a push that changes none. */
export type ReceiptPublication = Pick<SignedReceipt, 'repo' | 'base' | 'commit' | 'tree'> & {
  title: string | null;
  body: string;
};

/** G12: `leaf` is the hash of the decision in the log; null where others cannot check the receipt. */
export type IssuedReceipt = { receipt: Receipt; leaf: string | null };

/** Outsiders can check it too where `at`, the time of the approval, is known. No `page`: that of then. */
export type IssueReceipt = (
  claims: ReceiptClaims & { at: number | undefined; page?: string | null },
  publication: ReceiptPublication,
) => Promise<IssuedReceipt>;
