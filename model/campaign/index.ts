/** One change for many repositories: its order and its decisions. */
export { exampleIn } from './campaign-example.ts';
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
  unfillableIn,
  createUnquotableFinder,
  valuesOf,
} from './campaign-order.ts';
export {
  CAMPAIGN_STATES,
  Campaign,
  CampaignDecision,
  type CampaignState,
  StopReason,
  evolveCampaign,
  isOver,
  planNewCampaign,
  takesDecision,
  validateDecision,
} from './campaign.ts';
