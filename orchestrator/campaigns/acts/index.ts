/** What people do to a campaign: one row an act, for chat and command line; its undo. */
export { answerFirstQuestions, teachLesson } from './campaign-run-commands.io.ts';
export { CAMPAIGN_ACTS, type CampaignAct, CampaignSaying, performCampaignAct } from './campaign-acts.io.ts';
export { planUndo, createUndoOrder, createUndoRequest } from './undo-campaign.io.ts';
