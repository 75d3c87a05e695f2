/** What else is kept and read: turns, receipts, keys of approvers, runs that move. */
export type { IssuedReceipt, IssueReceipt, ReceiptClaims, ReceiptPublication } from './receipts.ts';
export type { CheckOwnKeys, OwnKeyApproval } from './own-keys.ts';
export type { ObjectBucket, RunTransfer } from './run-transfer.ts';
export type { NewTurn, TurnRecorder, TurnRow } from './turns.ts';
