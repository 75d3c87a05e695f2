/** Grade, risk and verdicts of policies, with their reasons. */
export {
  AssessmentReason,
  type AssessmentReasonOf,
  NotCompared,
  type PathsKind,
  type SignatureAsks,
} from './assessment-reasons.ts';
export {
  Assessment,
  ESCALATION_SCHEMAS,
  GRADE_LEVELS,
  Grade,
  type GradeLevel,
  GradeReason,
  NotModified,
  OverruledRule,
  PlanEscalation,
  PolicyObjections,
  RiskFactor,
  denyingPolicies,
  needsOwnKey,
  objectionsOf,
} from './assessment.ts';
export { ProposalDecision } from './proposal-decision.ts';
export {
  COMMAND_TRAITS,
  INLINE_ACTS,
  PublicPlace,
  SHELL_OPACITIES,
  WORD_SIGNALS,
} from './reason-vocabulary.ts';
export { coolDownOf, demandsOf, isSignatureHelpful, signatureProgress } from './signature-demands.ts';
