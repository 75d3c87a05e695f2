/** Classes of failures and their consequences (E5). Their texts are in the catalogues. */
import { z } from 'zod';
import type { ExclusionReason } from '#model/targets';

const table = {
  agent_missing: 'human',
  auth_missing: 'human',
  rate_limited: 'wait',
  quota_exhausted: 'human',
  context_exceeded: 'human',
  // guard: E17-outage-no-try
  model_unavailable: 'wait',
  sandbox_denied: 'human',
  permission_denied: 'human',
  env_missing: 'human',
  install_failed: 'human',
  /** A package registry is down or unreachable; or it, or the way to it, refuses us. */
  registry_unavailable: 'retry',
  registry_refused: 'human',
  /** E20: nobody can say how a command ended, because its container engine or machine went away. */
  box_lost: 'retry',
  session_lost: 'retry',
  bad_config: 'human',
  invalid_output: 'human',
  crashed: 'retry',
  timed_out: 'retry',
  cancelled: 'human',
  interrupted: 'retry',
  budget_exceeded: 'human',
  /** E18: the run's cost is limited, and its model has no price. */
  price_unknown: 'human',
  no_changes: 'human',
  checks_failed: 'human',
  push_rejected: 'human',
  policy_denied: 'human',
  repository_missing: 'human',
  repository_archived: 'human',
  /** Its owner lets us neither push nor fork, or takes no pull requests of ours. */
  not_allowed: 'human',
  base_missing: 'human',
  revert_impossible: 'human',
  repository_empty: 'terminal',
  unsafe_workspace: 'human',
  bad_repository_file: 'human',
  /** O10: reading it exceeded a limit of time or memory; it is not retried automatically. */
  repository_unreadable: 'human',
  /** The moved state differs from ours: no retry can help. */
  transfer_refused: 'human',
  bucket_unavailable: 'retry',
  disk_full: 'human',
  seal_moved: 'human',
  readback_mismatch: 'human',
  forge_unavailable: 'retry',
  forge_refused: 'human',
  chat_unavailable: 'retry',
  chat_refused: 'human',
  /** The repository's limit of our open pull requests is reached: it waits for a slot. */
  pull_limit: 'wait',
  /** The pull request is in a merge queue: a push would take it out. */
  merge_queue: 'wait',
  /** Our account or App is suspended: nothing works until that is lifted. */
  account_suspended: 'wait',
  /** An untrusted certificate, perhaps of a company's own authority. */
  certificate_untrusted: 'human',
  /** The network's proxy rejects our password, or the destination. */
  proxy_refused: 'human',
} as const satisfies Record<string, 'retry' | 'wait' | 'human' | 'terminal'>;

export type FailureClass = keyof typeof table;
export const FailureClass = z.enum(Object.keys(table) as [FailureClass, ...FailureClass[]]);

export const failureConsequence = (failureClass: FailureClass): 'retry' | 'human' | 'terminal' =>
  table[failureClass] === 'wait' ? 'retry' : table[failureClass];
/** Every retry fails alike: only a new order helps. */
export const isVainToRetry = (failureClass: FailureClass): boolean => failureClass === 'transfer_refused';
/** F5: the repository's fault, so a campaign leaves it out and counts no failure. */
export const OF_REPOSITORY = {
  repository_missing: 'missing',
  repository_archived: 'archived',
  not_allowed: 'not_allowed',
} as const satisfies Partial<Record<FailureClass, ExclusionReason>>;

/** E17: the provider recovers by itself, so waiting uses up no retry. */
export const shouldWaitForProvider = (failureClass: FailureClass): boolean => table[failureClass] === 'wait';
