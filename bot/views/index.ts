/** Runs, campaigns and reports as every surface draws them. */
export { describeActivity } from './activity-lines.ts';
export { renderCampaign } from './campaign-card.ts';
export { campaignSayingWords } from './campaign-saying.ts';
export { renderInsights } from './insights-screen.ts';
export { inTellingOrder } from './policy-lines.ts';
export { reasonOf, settingAt, formatUsage, composeUnanswered } from './reason-messages.ts';
export { chartOf } from './report-chart.ts';
export { reportCsv } from './report-csv.ts';
export { failureName, figureLines, renderReport, reportCells, reportTable } from './report-screen.ts';
export {
  byRisk,
  currentActivity,
  deservesAttention,
  findEnding,
  isUnderWay,
  liveHeading,
  naturesOf,
  showsFix,
} from './scene.ts';
export { signatureLine } from './cautions.ts';
export { ruleLines, type RulesInForce, zoneOfWindows } from './rule-lines.ts';
export { setAsideLine } from './set-aside-screen.ts';
export { riskOfCard, waitingFor, waitingSort } from './waiting-list.ts';
export { costTables, renderCosts } from './cost-screen.ts';
