/** The roles of a code host; a handler takes those that it uses, and a host without one says so. */
export type { ConnectedForge, ForgeAccess, ForgeAdapter } from './forge-adapter.ts';
export type {
  ForgeChecks,
  ForgeForks,
  ForgeIssues,
  ForgePort,
  ForgePulls,
  ForgeRepository,
  ForgeReviews,
  ForgeRoles,
  ForgeSearch,
  ForgeSetup,
  GivenForgeRoles,
} from './forge-roles.ts';
export { capabilitiesOf, type ForgeCapabilities, isLackOf, fillMissingRoles } from './fill-missing-roles.ts';
