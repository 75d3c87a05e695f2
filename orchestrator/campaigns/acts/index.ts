/** What people do to a campaign: one row an act, for chat and command line; its undo. */
export { answerFirst, teachLesson } from './campaign-actions.effect.ts';
export {
  CAMPAIGN_ACTS,
  type CampaignAct,
  CampaignSaying,
  performCampaignAct,
} from './campaign-acts.effect.ts';
export { planUndo, readUndoOrder, undoRequest } from './undo-campaign.effect.ts';
