/** Programs, time and the log. */
export type { PostItemComment } from './item-comments.ts';
export type { LogPort } from './log.ts';
export type {
  AgentAbilities,
  ArrivingWords,
  CapExcess,
  CheckExecutor,
  CommandNetwork,
  EditedFile,
  EngineExecutor,
  EngineRound,
  ExecutorDone,
  ExecutorEvent,
  LintEdits,
  PermissionAnswer,
  PermissionRequest,
  PictureWay,
  ProcessEnd,
  ProcessReaper,
  RunPicture,
  WeighedRequest,
} from './processes.ts';
export type { IdSource } from './ids.ts';
export type { SystemClock, TimerPort } from './time.ts';
