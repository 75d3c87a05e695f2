/** A run: its record, its reasons, what it refuses and asks. */
export { isForeign } from './foreign-commit.ts';
export { hearingOf, selectDeliveredWords, selectQueuedWords } from './operator-words.ts';
export { permissionsOf, questionOf } from './permissions.ts';
export { type ProposerTurn, engineOf } from './proposer-rotation.ts';
export { pushBlockOf } from './push-block.ts';
export { Reason, type ReasonOf, toFailedReason } from './reasons.ts';
export { Refusal, type RefusalHint, noCard } from './refusals.ts';
export { feedbackAskedFor } from './round-table.ts';
export {
  type ApprovalKind,
  type AssessedPublication,
  type LiveApproval,
  type PersonQuestion,
  RUN_RECORDS,
  type Run,
  type RunAgent,
  type RunRecordName,
  digestFor,
  holdsSlot,
  lastAssessed,
  repositoryOf,
  runLabel,
  workspaceAt,
} from './run.ts';
