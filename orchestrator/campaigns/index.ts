/** Plans, starts, follows and undoes campaigns. */
export { startFollowing, createAdopter, adoptNote, type PullAdopter } from './adopt-pulls.effect.ts';
export { startCampaigns } from './advance-campaigns.effect.ts';
export {
  CAMPAIGN_ACTS,
  CampaignSaying,
  performCampaignAct,
  type CampaignAct,
  type CampaignActAnswer,
} from './campaign-acts.effect.ts';
export { withdrawRuns, answerFirst, teachLesson } from './campaign-actions.effect.ts';
export { planSlot } from './campaign-arrivals.effect.ts';
export { redrawCampaign } from './campaign-card.effect.ts';
export { notifyOfCampaign } from './campaign-news.effect.ts';
export { campaignNow, shortInPreview, type CampaignNow } from './campaign-now.effect.ts';
export { notifyOfQuestions } from './campaign-questions.effect.ts';
export { MAX_LESSONS, selectLessonTargets } from './collect-lessons.ts';
export { startLabelled, isWatchedIn, type WatchedRepository } from './labelled-issues.effect.ts';
export { CampaignSettings } from './pilot-size.ts';
export { campaignPlanNote, createPlanner, type CampaignPlanner } from './plan-campaign.effect.ts';
export { planUndo, readUndoOrder, undoRequest } from './undo-campaign.effect.ts';
export { createLinkWatcher } from './watch-links.effect.ts';
