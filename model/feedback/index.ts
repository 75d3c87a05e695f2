/** What people and checks ask an agent to do next. */
export { CampaignLesson, type HeardLesson, OfferedLesson } from './campaign-lesson.ts';
export {
  AskedRemark,
  DENIAL_REASONS,
  type DenialReason,
  Feedback,
  feedbackSummary,
  firstLine,
  wordsFeedback,
} from './feedback.ts';
export {
  AgentPlan,
  bootstrapPlan,
  forbiddenPlanChanges,
  isPlanFinished,
  parsePlan,
  renderPlanFile,
  completePlanStep,
} from './agent-plan.ts';
