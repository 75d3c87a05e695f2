/** What else is kept and read: turns, receipts, campaigns, figures. */
export type { CampaignOutcome, CampaignPort, CampaignQueries } from './campaigns.ts';
export type { FigureQueries, FigureScripts, StoredFigures } from './figures.ts';
export type { IssuedReceipt, IssueReceipt, ReceiptClaims, ReceiptPublication } from './receipts.ts';
export type { CheckOwnKeys, OwnKeyApproval } from './own-keys.ts';
export type { ObjectBucket, RunTransfer } from './run-transfer.ts';
export type { NewTurn, TurnRecorder, TurnRow } from './turns.ts';
export type { EnglishWording } from './wording.ts';
