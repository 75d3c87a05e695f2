/** Scope of reports, usage of models, and expected spending. */
export { AgentSession, ModelUsage, NO_USAGE, addUsage, subtractUsage } from './model-usage.ts';
export {
  DEFAULT_INSIGHT_DAYS,
  DEFAULT_REPORT,
  REPORT_GROUPINGS,
  REPORT_SPANS,
  REPORT_WORDS,
  type ReportDays,
  type ReportGrouping,
  ReportRequest,
  type ReportScope,
  readDays,
  readReportRequest,
  reportStart,
  formatReportDays,
} from './report-scope.ts';
export {
  type ExpectedSpending,
  type OrderExpectation,
  type SpendingRange,
  findTooLowBudgets,
} from './expected-spending.ts';
