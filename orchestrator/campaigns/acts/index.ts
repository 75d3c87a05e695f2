/** What people do to a campaign: one row an act, for chat and command line; its undo. */
export { answerFirst, teachLesson } from './campaign-actions.io.ts';
export { CAMPAIGN_ACTS, type CampaignAct, CampaignSaying, performCampaignAct } from './campaign-acts.io.ts';
export { planUndo, readUndoOrder, undoRequest } from './undo-campaign.io.ts';
