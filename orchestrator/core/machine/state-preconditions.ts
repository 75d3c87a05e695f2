/**
 * What a state builds upon: a run is sent back to, or tried again in, one whose ground is there.
 */
import { isUnsignable } from '../seal.ts';
import type { RunState } from '../run-states.ts';
import { hasPassingBaseline, type Run } from './run.ts';

const never = (): boolean => false;
const unread = ({ upstream: { pullRequest: pr } }: Run): boolean => !pr;
/** E15: no agent is started before the base was checked, or while it cannot be. */
// guard: E15-base-first
const known = (run: Run): boolean =>
  run.target.contract !== null && !run.upstream.pullRequest && hasPassingBaseline(run);
const opened = ({ upstream: { pullRequest: pr } }: Run): boolean => pr !== null;

const STATE_PRECONDITIONS: Record<RunState, (run: Run) => boolean> = {
  QUEUED: unread,
  DISCOVERY: unread,
  PLAN_READY: known,
  IMPLEMENTING: known,
  LOCAL_VALIDATING: ({ change: { commit }, upstream: { pullRequest: pr } }) => commit !== null && !pr,
  PUSHED: (run) => proposes(run),
  CI_WAIT: opened,
  REVIEW_WAIT: opened,
  ITERATING: opened,
  PAUSED: never,
  DONE: never,
  SKIPPED: never,
  NEEDS_HUMAN_REVIEW: never,
  FAILED_RETRYABLE: never,
  FAILED_TERMINAL: never,
};

/**
 * Whether the run has what a state builds upon: a contract, a commit, a passed evaluation, a pull
 * request.
 */
export const mayEnter = (run: Run, to: RunState): boolean => STATE_PRECONDITIONS[to](run);

/** A card can come back only for what was pushed, passed and may be signed. */
const proposes = (run: Run): boolean => {
  const {
    upstream: { pullRequest: pr },
    change: { pushedHead: pushed },
    gate: { proposal },
  } = run;
  if (pr || !pushed || run.gate.deniedAction || proposal?.fields.action !== 'open_pr') return false;
  return (
    proposal.fields.headSha === pushed.sha && passedFor(run, pushed.sha) && !isUnsignable(proposal, 'open_pr')
  );
};

// guard: S2-card-again
const passedFor = ({ change: { evaluation } }: Run, sha: string): boolean =>
  evaluation?.commitSha === sha && evaluation.passed;
