/** Preconditions per state: a run can only be retried in a state whose inputs exist. */
import { isUnsignable } from '#model/seal';
import type { RunState } from '#model/run';
import { hasPassingBaseline, type Run } from '../run/run.ts';

const isNeverMet = (): boolean => false;
const hasNoPullRequest = ({ upstream: { pullRequest: pr } }: Run): boolean => !pr;
/** E15: no agent starts before the base was checked and passed. */
// guard: E15-base-first
const hasCheckedBase = (run: Run): boolean =>
  run.target.contract !== null && !run.upstream.pullRequest && hasPassingBaseline(run);
/** What a person must say first is asked before the base is checked. */
const canAskFirst = (run: Run): boolean =>
  hasCheckedBase(run) ||
  (run.target.contract !== null && !run.upstream.pullRequest && run.target.escalation !== null);
const hasPullRequest = ({ upstream: { pullRequest: pr } }: Run): boolean => pr !== null;

const STATE_PRECONDITIONS: Record<RunState, (run: Run) => boolean> = {
  QUEUED: hasNoPullRequest,
  DISCOVERY: hasNoPullRequest,
  PLAN_READY: canAskFirst,
  IMPLEMENTING: hasCheckedBase,
  LOCAL_VALIDATING: ({ change: { commit }, upstream: { pullRequest: pr } }) => commit !== null && !pr,
  PUSHED: (run) => canPropose(run),
  CI_WAIT: hasPullRequest,
  REVIEW_WAIT: hasPullRequest,
  ITERATING: hasPullRequest,
  PAUSED: isNeverMet,
  DONE: isNeverMet,
  SKIPPED: isNeverMet,
  NEEDS_HUMAN_REVIEW: isNeverMet,
  FAILED_RETRYABLE: isNeverMet,
  FAILED_TERMINAL: isNeverMet,
};

export const mayEnter = (run: Run, to: RunState): boolean => STATE_PRECONDITIONS[to](run);

/** A card can return only for a pushed commit that passed and may be signed. */
const canPropose = (run: Run): boolean => {
  const { pullRequest: pr } = run.upstream;
  const { pushedHead: pushed } = run.change;
  const { proposal } = run.gate;
  if (pr || !pushed || run.gate.deniedAction || proposal?.fields.action !== 'open_pr') return false;
  return (
    proposal.fields.headSha === pushed.sha &&
    hasPassedFor(run, pushed.sha) &&
    !isUnsignable(proposal, 'open_pr')
  );
};

// guard: S2-card-again
const hasPassedFor = ({ change: { evaluation } }: Run, sha: string): boolean =>
  evaluation?.commitSha === sha && evaluation.passed;
