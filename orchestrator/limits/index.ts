/** Limits: when work may begin, and how much it may spend. A limit is a row that the dispatcher asks before an effect. */
export { createOpeningHolds, OpeningSettings, windowFor, windowsOfRun } from './hold-openings.ts';
export { createThirdPartyLimiter } from './limit-third-party-pulls.ts';
export { OpeningCapSettings } from './decide-opening-turn.ts';
export { createProviderBudget, createProviderPauses } from './provider-pauses.ts';
export {
  applyRaise,
  raiseSpending,
  type RaiseOutcome,
  type RaiseRequest,
  spendingRaiseKey,
} from './raise-spending.ts';
export { startRepeatingJob, type RepeatingJob } from './repeating-job.ts';
export { resumePricedRuns } from './resume-priced-runs.ts';
export { createSpendingGuard, limitsInForce, SPENDING_PLACES } from './spending-guard.ts';
export { createSpendingMeter } from './spending-meter.ts';
export {
  personNameOf,
  raiseSpendingByKey,
  readSpending,
  groupSpending,
  type SpendingReport,
} from './spending-report.ts';
export { ThirdPartySettings } from './stranger-allowance.ts';
export { createWriteScheduler } from './write-limiter.ts';
