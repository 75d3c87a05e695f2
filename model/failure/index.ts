/** Failures: their classes, details, and outages of hosts and databases. */
export { type DatabaseFault, type PlainFaultKind, sayFault } from './database-fault.ts';
export {
  FailureClass,
  OF_REPOSITORY,
  failureConsequence,
  isVainToRetry,
  waitsForProvider,
} from './failure-classes.ts';
export {
  type BucketRefusal,
  FailureDetail,
  type FailureDetailKind,
  OwnKeyFault,
  detailOfWay,
  failureDetail,
} from './failure-detail.ts';
export {
  HostRefusal,
  type HostRefusalKind,
  certificateHelps,
  hostRefusal,
  isOfTheWay,
} from './host-refusal.ts';
export {
  ACCESS_LOST,
  type AccessLost,
  POLL_FAILURE_KINDS,
  PUSH_BLOCKS,
  PollFailure,
  PollOutage,
  type PollPart,
  PullVisibility,
  type PushBlock,
  isSame,
  scopeOf,
} from './outage.ts';
