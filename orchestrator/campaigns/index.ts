/** Plans, starts and follows campaigns. */
export {
  type PullAdopter,
  adoptionInboxItem,
  createAdopter,
  startAdoptedPullPolls,
} from './adopt-pulls.io.ts';
export { startCampaignRunner } from './advance-campaigns.io.ts';
export { campaignSlot } from './plan-replies.io.ts';
export { redrawCampaign } from './campaign-card-items.io.ts';
export { notifyOfCampaign } from './campaign-news.io.ts';
export { type CampaignStatus, readCampaignStatus, suggestBudgetRaises } from './campaign-status.io.ts';
export { notifyOfQuestions } from './campaign-questions.io.ts';
export { MAX_LESSONS, selectLessonTargets } from './collect-lessons.ts';
export {
  type WatchedRepository,
  isWatchedIn,
  quoteIssue,
  startIssuePolls,
  cleanIssueTitle,
} from './labelled-issues.io.ts';
export { CampaignSettings } from './first-step-size.ts';
export { type CampaignPlanner, campaignPlanInboxItem, createPlanner } from './plan-campaign.io.ts';
export { createLinkWatcher } from './poll-dependencies.io.ts';
