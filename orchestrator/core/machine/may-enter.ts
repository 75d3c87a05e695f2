/**
 * What a state builds upon: a run is sent back to, or tried again in, one whose ground is there.
 */
import { unsignable } from '../seal.ts';
import type { State } from '../states.ts';
import { stands, type Run } from './run.ts';

const never = (): boolean => false;
const unread = ({ pr }: Run): boolean => !pr;
/** E15: no agent is started before the base was checked, or while it cannot be. */
// guard: E15-base-first
const known = (run: Run): boolean => run.contract !== null && !run.pr && stands(run);
const opened = ({ pr }: Run): boolean => pr !== null;

const GROUND: Record<State, (run: Run) => boolean> = {
  QUEUED: unread,
  DISCOVERY: unread,
  PLAN_READY: known,
  IMPLEMENTING: known,
  LOCAL_VALIDATING: ({ commit, pr }) => commit !== null && !pr,
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
export const mayEnter = (run: Run, to: State): boolean => GROUND[to](run);

/** A card can come back only for what was pushed, passed and may be signed. */
const proposes = (run: Run): boolean => {
  const { pr, pushed, proposal } = run;
  if (pr || !pushed || run.denied || proposal?.fields.action !== 'open_pr') return false;
  return (
    proposal.fields.headSha === pushed.sha && passedFor(run, pushed.sha) && !unsignable(proposal, 'open_pr')
  );
};

// guard: S2-card-again
const passedFor = ({ evaluation }: Run, sha: string): boolean =>
  evaluation?.commitSha === sha && evaluation.passed;
