/** G1: a pull request was opened: what the run knows of it from then on. */
import { isActive, isTerminal } from '../states.ts';
import { enter, showGate, tell, type Draft } from './draft.ts';
import { followPull, stopPushes } from './following.ts';
import type { Ruling } from './handler.ts';
import type { InputOf } from './inputs.ts';
import { copyRun, patchRun } from './run.ts';
import { tellChanges } from './pull-changes.ts';
import { settle } from './settle.ts';

/**
 * G1: a pull request's number enters a run only here, and only for the approval that was consumed
 * for it.
 */
export const opened = (d: Draft, input: InputOf<'worker.pr.opened'>): Ruling => {
  const { run } = d;
  if (run.upstream.pullRequest) return { ignore: 'known already' };
  // guard: G1-linked-by-approval
  if (run.gate.consumedApproval?.kind !== 'open_pr' || run.gate.consumedApproval.id !== input.approvalId) {
    return { ignore: 'no approval for it' };
  }
  // What was heard of it before it was known as ours was followed by nobody.
  const known = patchRun(copyRun(run), { upstream: { observed: { ...run.upstream.observed, pull: null } } });
  run.upstream.pullRequest = { id: input.pull, url: input.url, body: run.gate.consumedApproval.fields.body };
  run.lifecycle.counts = { ...run.lifecycle.counts, outsideFailures: 0, retries: 0 };
  showGate(d, input.approvalId, false);
  if (run.lifecycle.state === 'PUSHED') {
    enter(d, 'CI_WAIT', { kind: 'pull_open', pull: input.pull });
  } else if (isActive(run.lifecycle.state)) {
    // Work towards a first pull request has no meaning any more.
    enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'pull_too_late', pull: input.pull });
  } else {
    const { pull, url } = input;
    const note = { kind: 'pull_too_late', pull, url, ended: isTerminal(run.lifecycle.state) } as const;
    tell(d, { view: 'note', note }, { urgent: true });
  }
  if (!isTerminal(run.lifecycle.state)) {
    // guard: F12-followed-late
    followPull(d);
    stopPushes(d);
  }
  settle(d);
  tellChanges(d, known);
  return undefined;
};
