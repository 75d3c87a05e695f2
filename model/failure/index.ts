/** Failures: one record of class and details, and outages of hosts and databases. */
export { type DatabaseFault, type PlainFaultKind, renderDatabaseFault } from './database-fault.ts';
export {
  FailureClass,
  OF_REPOSITORY,
  failureConsequence,
  isVainToRetry,
  shouldWaitForProvider,
} from './failure-classes.ts';
export { type BucketRefusal, Failure, FailureDetail, OwnKeyFault, failureDetail } from './failure-detail.ts';
export {
  HostRefusal,
  type HostRefusalKind,
  canCaListHelp,
  hostRefusal,
  isHostRefusal,
  isRefusal,
  isNetworkRefusal,
} from './host-refusal.ts';
export {
  ACCESS_LOST,
  type AccessLost,
  PUSH_BLOCKS,
  PollFailure,
  PollOutage,
  type PollPart,
  PullVisibility,
  type PushBlock,
  isSamePollFailure,
  outageScopeOf,
} from './outage.ts';
