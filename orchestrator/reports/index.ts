/** Reports the time, money and attention that runs took. */
export { shareDifference, type ConfidenceInterval, type MeasuredShare } from './confidence-interval.ts';
export { readCurrentInsights, type InsightsNow } from './current-insights.io.ts';
export { expectSpending } from './expect-spending.ts';
export { figureRow } from './figure-columns.ts';
export { createFigures, readCurrentReport, type FigureRecords } from './fold-figures.io.ts';
export {
  COST_GROUPS,
  MIN_SAMPLE_SIZES,
  type CostGroup,
  type PromptArm,
  type CardCost,
  type AttentionCost,
} from './insights.ts';
export {
  measureRuns,
  shareOutAttention,
  sumAttentionSpent,
  type GroupFigures,
  type PeriodReport,
} from './period-report.ts';
export { stopOf } from './person-waits.ts';
export { createReports, type ReportService } from './reports.io.ts';
export { startSurvivalPolls } from './observe-survival.io.ts';
export type { RunFigures } from './run-figures.ts';
export { readAttemptGrades } from './attempt-grades.ts';
export { renderPlanLog, listPlanRounds, type PlanRound } from './plan-round-log.ts';
