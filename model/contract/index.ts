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
  isFolder,
  shortCommand,
  NO_CHECKS_FOUND,
  NO_TESTS_FOUND,
  hasUntoldTests,
  unrunChecks,
} from './contract.ts';
export {
  ContributionRule,
  RULE_KINDS,
  type RuleKind,
  WHOLLY_AI_CHANGES,
  basesFor,
} from './contribution-rule.ts';
export { installPlan, mayChangeInstall, onlyFetches } from './reusable-installs.ts';
export {
  TitleFormat,
  fitsTitleFormat,
  inTitleFormat,
  styleOf,
  titleFormatOf,
  withTitleHabits,
} from './title-format.ts';
