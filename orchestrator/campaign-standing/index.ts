/** How a campaign stands: its runs by mark, its pace, what it waits for, when it may go on. */
export {
  countTargetsAndPulls,
  withAdoptedPulls,
  isAdoptedPullEnded,
  foldAdoptedPullCi,
} from './adopted-pulls.ts';
export {
  openPullLimit,
  remainingByOwner,
  findStoppedTargets,
  advanceCampaign,
  overfullOwners,
  waitingIn,
  type RunStandings,
  type CampaignAdvance,
  type CampaignHolds,
} from './advance-campaign.ts';
export { etaOf, listBlockingIdleRuns, listStuckRuns, mergeSharesByAge } from './campaign-progress.ts';
export { tallyOf, nextStepSize, type CampaignTally } from './campaign-tally.ts';
export {
  openQuestionsIn,
  retryableRuns,
  runsWithOpenPull,
  cancellableRuns,
  STANDING_MARKS,
  runStanding,
  type StandingMark,
  type RunStanding,
} from './run-standing.ts';
