/** Pull requests: branches, forks, rivals, and what a host shows of them. */
export {
  CHANGE_TYPE_NAMES,
  type WorkType,
  branchNameByRule,
  matchesBranchRule,
  slugifyTitle,
  workOfTitle,
  workType,
} from './branch-names.ts';
export {
  CompetingPull,
  type CompetingPulls,
  MAX_COMPETING_PULLS,
  isIssueNamed,
  findMentionedPaths,
} from './competing-pulls.ts';
export { type EditedPullText, PullText, mergeEditedText } from './edited-pr-text.ts';
export { PastPull, PullForecast, forecastPull } from './past-pulls.ts';
export {
  type BaseBranchGuards,
  type PullChange,
  PullShown,
  changesBetween,
  findProtectionChanges,
  mergePullShown,
  bodyFingerprint,
} from './pull-metadata-changes.ts';
export { ForkSettings, PushFork, headName, canMaintainersEdit, ownerOf } from './push-fork.ts';
