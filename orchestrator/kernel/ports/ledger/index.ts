/** The ledger: its rows, its questions, and what is spent. */
export type { AuditSnapshot, LedgerAudit, LedgerFault, LedgerRollback, RefoldedStep } from './audit.ts';
export type {
  CampaignOutcome,
  Ledger,
  LedgerQueries,
  QueueDepth,
  RunFilter,
  SettingChange,
} from './ledger.ts';
export type {
  ApprovalRow,
  AttemptRow,
  ChainHead,
  EffectRow,
  EventRow,
  RepositoryIdentity,
  RunQueue,
  SentMessage,
  StoredFigures,
  UserRow,
} from './rows.ts';
export type {
  CreateMeter,
  MeterReading,
  SpendingBook,
  SpendingEntry,
  SpendingGuard,
  SpendingMeter,
  SpendingQueries,
} from './spending.ts';
