/** The repositories of a campaign: queries, waves, and those that are left out. */
export { CostCaution, type CostCautionOf, costCautionsOf } from './cost-caution.ts';
export {
  EXCLUSION_REASONS,
  ExcludedTarget,
  type ExclusionReason,
  type NotAdopted,
} from './excluded-targets.ts';
export {
  MAX_CAMPAIGN_QUERIES,
  QUERY_KINDS,
  QUERY_WORD,
  QueryFound,
  RepoQuery,
  hasUnclosedQuote,
  isQueryLike,
  parseRepoQuery,
  formatRepoQuery,
} from './repository-query.ts';
export {
  LINK_OUTCOMES,
  LinkResult,
  MAX_LINKS,
  TargetLink,
  findFollowedPulls,
  hasLinks,
  isSafeTag,
  findLinkProblem,
  linkStates,
  linkVariables,
  findStoppedLinks,
  waitingForNextRelease,
  collectWantedLinks,
  waveByTarget,
} from './target-dependencies.ts';
