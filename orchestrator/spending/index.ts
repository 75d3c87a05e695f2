/** What the processes of a run use, reported while they run, and runs that wait for a price. */
export { resumePricedRuns } from './resume-priced-runs.ts';
export { createSpendingMeter } from './spending-meter.ts';
