/** Agents' reports, claims and questions, what they do now, and questions to them. */
export { Activity, isAgentStep, MAX_ACTIVITY_LINES } from './activity.ts';
export { AgentClaims, NO_CLAIMS } from './agent-claims.ts';
export {
  isMereQuestion,
  MAX_AGENT_ANSWER_LENGTH,
  extractQuestion,
  QuestionOutcome,
} from './agent-question.ts';
export {
  CHANGE_TYPES,
  type ChangeType,
  EMPTY_REPORT,
  MAX_REPORT_LENGTHS,
  MAX_REPORT_REPLIES,
  MAX_TEMPLATE_CLAIMS,
  ProposedReply,
  ReportedChange,
  type StepReport,
  TEMPLATE_REASONS,
  TemplateClaim,
  mergeReports,
  mergePartReports,
  findChangeType,
} from './agent-report.ts';
