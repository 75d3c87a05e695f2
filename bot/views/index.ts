/** Runs and campaigns as every surface draws them. */
export { describeActivity } from './activity-lines.ts';
export { renderCampaign } from './campaign-card.ts';
export { campaignSayingWords } from './campaign-saying.ts';
export { opensText } from './pull-lines.ts';
export { inTellingOrder } from './policy-lines.ts';
export { publicParts } from './public-text.ts';
export { reasonOf, settingAt, formatUsage, composeUnanswered } from './reason-messages.ts';
export {
  byRisk,
  currentActivity,
  deservesAttention,
  attemptDurationMs,
  findEnding,
  isUnderWay,
  liveHeading,
  naturesOf,
  showsFix,
} from './scene.ts';
export { signatureLine } from './cautions.ts';
export { ruleLines, type RulesInForce, zoneOfWindows } from './rule-lines.ts';
export { setAsideLine } from './set-aside-screen.ts';
export { riskOfCard, waitingFor, waitingSort } from './waiting-list.ts';
