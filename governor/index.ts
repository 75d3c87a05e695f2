/** Judges every outward action: what it is, who allows it, how risky it is, and how far its evidence goes. */
export { policyVersion, assessAction } from './assess-action.ts';
export { isBuiltIn, BUILT_IN_POLICIES, type BuiltInId } from './built-in-policies.ts';
export { combineAssessments } from './combine-assessments.ts';
export { isSameCommandGroup, newlyObjectingPolicies, commandGroupOf } from './command-group.ts';
export { explainAssessment, type AssessmentExplanation } from './explain-assessment.ts';
export { listPublicTexts } from './public-texts.ts';
export type { GovernedAction } from './governed-action.ts';
export type { PolicyContext } from './policy-types.ts';
export { listDecidingReasons, gradeAttempt, isTestCheck } from './grade-attempt.ts';
export { assessModification } from './assess-modification.ts';
export { MAX_SHOWN_COMMAND_LENGTH, assessPermission } from './assess-permission-request.ts';
export { readCheckConfig } from './check-config/read-check-config.ts';
export { withNoteInWorkspace, writesNote } from './note-command.ts';
export { parseShell } from './parse-shell.ts';
export {
  REPOSITORY_FILE,
  describeRepositoryPolicies,
  readRepositoryFile,
  mergeRepositoryPolicies,
} from './repository-policies.ts';
export { selectRepositorySettings } from './repository-settings.ts';
export { findEscalationBeforeWork } from './weigh-rules-before-work.ts';
