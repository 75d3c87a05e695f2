/** What drives the kernel: inbox, effects, recovery, ids and hashes. */
export { computeMac, isSameMac, sha256Hex } from './content-hash.ts';
export type { EffectHandler, EffectHandlers, HandlerOutcome } from './effect-handler.ts';
export type { Inbox, InboxHandler, InboxHandlers } from './inbox.ts';
export { createOrchestrator } from './orchestrator.ts';
export { campaignIdOf, randomIds, runIdOf } from './run-ids.ts';
export { recoverAfterCrash } from './recover-after-crash.ts';
export { pruneHandlingStops } from './prune-handling-stops.ts';
export { type SubmitInput, createSubmitInput } from './submit-input.ts';
