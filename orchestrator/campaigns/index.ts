/** Plans, starts and follows campaigns. */
export { type PullAdopter, adoptNote, createAdopter, startFollowing } from './adopt-pulls.effect.ts';
export { startCampaigns } from './run-campaigns.effect.ts';
export { planSlot } from './campaign-arrivals.effect.ts';
export { redrawCampaign } from './campaign-card.effect.ts';
export { notifyOfCampaign } from './campaign-news.effect.ts';
export { type CampaignNow, campaignNow, shortInPreview } from './campaign-now.effect.ts';
export { notifyOfQuestions } from './campaign-questions.effect.ts';
export { MAX_LESSONS, selectLessonTargets } from './collect-lessons.ts';
export {
  type WatchedRepository,
  isWatchedIn,
  quoteIssue,
  startLabelled,
  titleOf,
} from './labelled-issues.effect.ts';
export { CampaignSettings } from './first-step-size.ts';
export { type CampaignPlanner, campaignPlanRequestItem, createPlanner } from './plan-campaign.effect.ts';
export { createLinkWatcher } from './watch-links.effect.ts';
