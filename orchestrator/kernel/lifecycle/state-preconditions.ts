/** Preconditions per state: a run can only be retried in a state whose inputs exist. */
import { isUnsignable } from '#model/seal';
import type { RunState } from '#model/run';
import { hasPassingBaseline, type Run } from '../run/run.ts';

const never = (): boolean => false;
const unread = ({ upstream: { pullRequest: pr } }: Run): boolean => !pr;
/** E15: no agent starts before the base was checked and passed. */
// guard: E15-base-first
const known = (run: Run): boolean =>
  run.target.contract !== null && !run.upstream.pullRequest && hasPassingBaseline(run);
/** What a person must say first is asked before the base is checked. */
const askedFirst = (run: Run): boolean =>
  known(run) || (run.target.contract !== null && !run.upstream.pullRequest && run.target.escalation !== null);
const opened = ({ upstream: { pullRequest: pr } }: Run): boolean => pr !== null;

const STATE_PRECONDITIONS: Record<RunState, (run: Run) => boolean> = {
  QUEUED: unread,
  DISCOVERY: unread,
  PLAN_READY: askedFirst,
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

export const mayEnter = (run: Run, to: RunState): boolean => STATE_PRECONDITIONS[to](run);

/** A card can return only for a pushed commit that passed and may be signed. */
const proposes = (run: Run): boolean => {
  const { pullRequest: pr } = run.upstream;
  const { pushedHead: pushed } = run.change;
  const { proposal } = run.gate;
  if (pr || !pushed || run.gate.deniedAction || proposal?.fields.action !== 'open_pr') return false;
  return (
    proposal.fields.headSha === pushed.sha && passedFor(run, pushed.sha) && !isUnsignable(proposal, 'open_pr')
  );
};

// guard: S2-card-again
const passedFor = ({ change: { evaluation } }: Run, sha: string): boolean =>
  evaluation?.commitSha === sha && evaluation.passed;
