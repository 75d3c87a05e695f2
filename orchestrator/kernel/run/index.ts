/** A run: its record, its reasons, what it refuses and asks. */
export { hasForeignHead } from './foreign-commit.ts';
export { operatorWordsMode, selectDeliveredWords, selectQueuedWords } from './operator-words.ts';
export { permissionsOf, permissionQuestionOf } from './permissions.ts';
export { type ProposerTurn, engineOf } from './proposer-rotation.ts';
export { pushBlockOf } from './push-block.ts';
export { Reason, type ReasonOf, toFailedReason } from './reasons.ts';
export { Refusal, type RefusalHint, toNoCardRefusal } from './refusals.ts';
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
  isHoldingSlot,
  lastAssessedPublication,
  repositoryOf,
  runLabel,
  workspaceShaOf,
} from './run.ts';
