/** Steps of runs: how they are written, who handles them, and what is set aside. */
export {
  CHANGED_RECORD,
  type HandlingWatch,
  MAX_STOPS,
  NO_HANDLING_WATCH,
  SET_ASIDE,
  WAITS_FOR_THE_REST,
  keyOfEffect,
  keyOfRow,
  maxStopsOf,
} from './handling.ts';
export { JOB_POOLS, type JobPool, type JobQueue, type WorkerJob } from './jobs.ts';
export type {
  ChatReply,
  ClaimedEffect,
  DeadInboxRow,
  EffectFinish,
  InboxRow,
  IncomingItem,
  NewStepArtifact,
  ReceivedItem,
  RefusedStep,
  StepCause,
  StepOutcome,
  StepPlan,
  StepRequest,
} from './ledger-writes.ts';
