/**
 * E5: the ways a step fails, and what follows from each. What people read of them is in the
 * catalogues.
 */
import { z } from 'zod';
import type { ExclusionReason } from './excluded-targets.ts';

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
  /** A package registry does not work now, or is not reached; or it, or the way to it, refuses us. */
  registry_unavailable: 'retry',
  registry_refused: 'human',
  session_lost: 'retry',
  bad_config: 'human',
  invalid_output: 'human',
  crashed: 'retry',
  timed_out: 'retry',
  cancelled: 'human',
  interrupted: 'retry',
  budget_exceeded: 'human',
  /** E18: the cost of the run is limited, and nobody has told what its model costs. */
  price_unknown: 'human',
  no_changes: 'human',
  checks_failed: 'human',
  push_rejected: 'human',
  policy_denied: 'human',
  repository_missing: 'human',
  /** It was archived since it was looked at first. */
  repository_archived: 'human',
  /** Its owner lets us neither push nor fork, or takes no pull request of ours. */
  not_allowed: 'human',
  base_missing: 'human',
  repository_empty: 'terminal',
  unsafe_workspace: 'human',
  bad_repository_file: 'human',
  /** O10: reading it went past a limit of time or memory; it is not read again by itself. */
  repository_unreadable: 'human',
  /** What was kept of a run elsewhere is not what we kept: it meets every try, so no try can help. */
  moved_refused: 'human',
  /** The store of what runs need to move. */
  bucket_unavailable: 'retry',
  disk_full: 'human',
  seal_moved: 'human',
  readback_mismatch: 'human',
  forge_unavailable: 'retry',
  forge_refused: 'human',
  /** The repository takes no more open pull requests of ours: it waits for a slot. */
  pull_limit: 'wait',
  /** Our account, or our App there, is suspended: nothing goes before somebody lifts that. */
  account_suspended: 'wait',
  /** Somebody outside showed a certificate that we do not trust: of a company's own authority, or none. */
  certificate_untrusted: 'human',
  /** The proxy by which this network is left wants another password, or forbids where we go. */
  proxy_refused: 'human',
} as const satisfies Record<string, 'retry' | 'wait' | 'human' | 'terminal'>;

export type FailureClass = keyof typeof table;
export const FailureClass = z.enum(Object.keys(table) as [FailureClass, ...FailureClass[]]);

/** Whether a class is retried by us, needs a person, or ends the run. */
export const failureConsequence = (c: FailureClass): 'retry' | 'human' | 'terminal' =>
  table[c] === 'wait' ? 'retry' : table[c];
/** Each further try meets the same, whatever anybody does meanwhile: only a new order helps. */
export const isVainToRetry = (c: FailureClass): boolean => c === 'moved_refused';
/**
 * F5: what happened to the repository and not to the change: a campaign leaves it out for this
 * reason, and counts no failure.
 */
export const OF_REPOSITORY = {
  repository_missing: 'missing',
  repository_archived: 'archived',
  not_allowed: 'not_allowed',
} as const satisfies Partial<Record<FailureClass, ExclusionReason>>;

/**
 * E17: a provider is busy or away; it comes back by itself, so that waiting for it uses up no try.
 */
export const waitsForProvider = (c: FailureClass): boolean => table[c] === 'wait';
