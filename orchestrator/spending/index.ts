/** What the processes of a run use, runs that wait for a price, and limits of spending above a run. */
export { applyRaise, raiseSpending } from './raise-spending.ts';
export { resumePricedRuns } from './resume-priced-runs.ts';
export { createSpendingGuard, limitsInForce, SPENDING_PLACES } from './spending-guard.ts';
export {
  findPersonName,
  raiseSpendingByKey,
  readSpending,
  shareSpending,
  type SpendingReport,
  spendingRaiseKey,
} from './spending-report.ts';
export { createSpendingMeter } from './spending-meter.ts';
