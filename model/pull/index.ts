/** Pull requests: branches, forks, rivals, and what a host shows of them. */
export {
  CHANGE_TYPE_NAMES,
  type WorkType,
  applyRule,
  keepsRule,
  slugifyTitle,
  workOfTitle,
  workType,
} from './branch-names.ts';
export {
  CompetingPull,
  type CompetingPulls,
  MAX_COMPETING_PULLS,
  namesIssue,
  pathsNamed,
} from './competing-pulls.ts';
export { type EditedPullText, PullText, mergeEditedText } from './edited-pr-text.ts';
export { PastPull, PullForecast, forecastFrom } from './past-pulls.ts';
export {
  type BaseBranchGuards,
  type PullChange,
  PullShown,
  changesBetween,
  guardChanges,
  laterShown,
  printOf,
} from './pull-metadata-changes.ts';
export { ForkSettings, PushFork, headName, letsMaintainersEdit, ownerOf } from './push-fork.ts';
