/** Plans, starts and follows campaigns. */
export { type PullAdopter, adoptNote, createAdopter, startFollowing } from './adopt-pulls.io.ts';
export { startCampaigns } from './advance-campaigns.io.ts';
export { planSlot } from './campaign-arrivals.io.ts';
export { redrawCampaign } from './campaign-card.io.ts';
export { notifyOfCampaign } from './campaign-news.io.ts';
export { type CampaignStatus, readCampaignStatus, shortInPreview } from './campaign-status.io.ts';
export { notifyOfQuestions } from './campaign-questions.io.ts';
export { MAX_LESSONS, selectLessonTargets } from './collect-lessons.ts';
export {
  type WatchedRepository,
  isWatchedIn,
  quoteIssue,
  startLabelled,
  titleOf,
} from './labelled-issues.io.ts';
export { CampaignSettings } from './first-step-size.ts';
export { type CampaignPlanner, campaignPlanRequestItem, createPlanner } from './plan-campaign.io.ts';
export { createLinkWatcher } from './watch-links.io.ts';
