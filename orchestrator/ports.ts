/**
 * What the shell around the core needs from outside. Each port is small; adapters implement them,
 * tests run one suite on all.
 */
export * from './ports/time.ts';
export * from './ports/log.ts';
export * from './ports/rows.ts';
export * from './ports/steps.ts';
export * from './ports/ledger.ts';
export * from './ports/audit.ts';
export * from './ports/outside-failure.ts';
export * from './ports/network-fault.ts';
export * from './ports/reader.ts';
export * from './ports/workspaces.ts';
export * from './ports/run-notes.ts';
export * from './ports/processes.ts';
export * from './ports/forge-response-cache.ts';
export * from './ports/campaigns.ts';
export * from './ports/figures.ts';
export * from './ports/write-limits.ts';
export * from './ports/forge.ts';
export * from './ports/chat.ts';
export * from './ports/chat-limits.ts';
export * from './ports/jobs.ts';
export * from './ports/run-transfer.ts';
export * from './ports/wording.ts';
