/** The code host. */
export type { CachedResponse, ResponseCache } from './forge-response-cache.ts';
export type {
  AskedIssue,
  ChecksFacts,
  CommentFacts,
  FailedCheck,
  FoundRepo,
  FoundRepos,
  IssueLookup,
  LabelledIssue,
  MergedHead,
  PollDepth,
  PullFacts,
  PullsRefused,
  RepoFacts,
  ReviewFacts,
} from './forge-facts.ts';
export {
  OutsideFailure,
  UnreadableFailure,
  failureWithDetail,
  diskFull,
  findHostRefusal,
  toFailure,
} from './outside-failure.ts';
export {
  TurnAwaited,
  type WriteBudgetStore,
  type WriteHold,
  type WriteLimit,
  type WriteLimiter,
  type WriteScheduler,
  type WriterLease,
} from './write-limits.ts';
