/** Settings of an operator or a repository: their keys, variables and faults. */
export { AgentSettingsCount, REPOSITORY_SETTINGS } from './agent-settings.ts';
export {
  MisplacedVariable,
  VARIABLE_NAME,
  fillCommand,
  fillVariables,
  shellName,
  renderVariables,
  findUnknownVariables,
  createUnquotableValueFinder,
  listVariables,
} from './fill-variables.ts';
export { listKnownKeys, nearestKey } from './schema-keys.ts';
export {
  ADMIN_ROLE,
  CustomPolicy,
  DEFAULT_POLICY_SETTINGS,
  POLICY_LIMIT_NAMES,
  checkApprovers,
  PersonId,
  PolicySettings,
  RepositoryPolicies,
} from './policy-settings.ts';
export { USER_ROLES, type UserRole, hasRoleAtLeast } from './roles.ts';
export {
  type ExpectedValue,
  type ValidationIssue,
  issueLocation,
  messageOfRule,
  toRuleParams,
  validationIssuesOf,
} from './validation-issue.ts';
