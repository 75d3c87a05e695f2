/** Runs and campaigns as every surface draws them. */
export { describeActivity } from './activity-lines.ts';
export { renderCampaign } from './campaign-card.ts';
export { describeCampaignOutcome } from './campaign-outcome.ts';
export { pullOpeningText } from './pull-lines.ts';
export { sortObjections } from './policy-lines.ts';
export { publicParts } from './public-text.ts';
export { renderReason, createRenderContext, formatUsage, composeUnanswered } from './reason-messages.ts';
export { sortFilesByRisk, deservesAttention, naturesOf } from './file-facts.ts';
export {
  currentActivity,
  attemptDurationMs,
  findEnding,
  isUnderWay,
  liveHeading,
  showsFix,
} from './run-lines.ts';
export { signatureLine } from './cautions.ts';
export { ruleLines, type RulesInForce, zoneOfWindows } from './rule-lines.ts';
export { setAsideLine } from './set-aside-screen.ts';
export { riskOfCard, listWaitingRuns, findWaitingKind } from './waiting-list.ts';
