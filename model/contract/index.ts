/** What a repository asks for: rules, forms of titles, checks, installation. */
export {
  Contract,
  type ContractCheck,
  type PathFilter,
  type ContractTool,
  type InstallCommand,
  MAX_CONTRACT_COMMAND_LENGTH,
  formatCheckCommand,
  isFirstPartOf,
  isPlainFolderPath,
  shortCommand,
  NO_CHECKS_FOUND,
  NO_TESTS_FOUND,
  hasUndescribedTests,
  unrunChecks,
} from './contract.ts';
export {
  ContributionRule,
  RULE_KINDS,
  type RuleKind,
  WHOLLY_AI_CHANGES,
  bindsWork,
  selectBaseRules,
} from './contribution-rule.ts';
export { distinctInstalls, mayChangeInstall, isFetchOnly } from './reusable-installs.ts';
export {
  TitleFormat,
  matchesTitleFormat,
  applyTitleFormat,
  styleOf,
  titleFormatOf,
  withTitleHabits,
} from './title-format.ts';
