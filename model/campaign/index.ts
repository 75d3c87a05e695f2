/** One change for many repositories: its order and its decisions. */
export { findFilledOrderExample } from './filled-order-example.ts';
export {
  CampaignEstimate,
  CampaignLimits,
  CampaignOrder,
  CampaignPace,
  CampaignTarget,
  MAX_CAMPAIGN_TARGETS,
  MAX_VALUE_LENGTH,
  type RunOutcome,
  TargetVariables,
  isCampaignVariable,
  missingVariables,
  orderForTarget,
  findReservedVariable,
  spreadTargets,
  findUnfillableVariable,
  createUnquotableVariableFinder,
  variablesOfTarget,
} from './campaign-order.ts';
export {
  CAMPAIGN_STATES,
  Campaign,
  CampaignDecision,
  type CampaignState,
  StopReason,
  evolveCampaign,
  isCampaignOver,
  planNewCampaign,
  canTakeDecision,
  validateDecision,
} from './campaign.ts';
