/** Goes on from a head that is proven to be ours with the base merged, as *Update branch* makes it (S10). */
import { enterState } from '../lifecycle/enter-state.ts';
import { permitRound } from '../lifecycle/permit-round.ts';
import { callAboutHead } from '../lifecycle/stop-for-foreign-head.ts';
import { rememberOwnCommit, requestReset, type StepDraft } from '../lifecycle/step-draft.ts';
import { settleState } from '../lifecycle/settle-state.ts';
import type { ForeignHead } from '#model/change';
import { isAgentWorking, isChecking, isWatching, type RunState } from '#model/run';
import { isQuestionToPerson, type Reason } from '../run/reasons.ts';
import { feedbackAskedFor, ROUND_WITHOUT_FEEDBACK, type AgentRound } from '../run/round-table.ts';
import { isFixAwaitingChecks, type Run } from '../run/run.ts';

/** Makes a commit of others the ground of whatever follows. */
export const adoptForeignHead = (draft: StepDraft, { sha, commit }: ForeignHead): void => {
  const { run } = draft;
  if (!run.change.pushedHead || !run.target.base) return;
  rememberOwnCommit(run, sha);
  run.change.pushedHead = { ...run.change.pushedHead, sha };
  run.change.commit = commit;
  run.change.pushed = { commit, fixSummaries: run.agent.fixSummaries };
  run.target.base = { ...run.target.base, sha: commit.base };
  run.target.pendingBaseChange = null;
  requestReset(draft, sha);
  run.change.foreignHead =
    run.change.pendingMerge =
    run.change.evaluation =
    run.gate.proposal =
    run.gate.deniedAction =
      null;
  run.lifecycle.counts = { ...run.lifecycle.counts, reflections: 0, reportRepairs: 0, outsideFailures: 0 };
};

type Before = NonNullable<Run['change']['beforeForeign']>;

/** A push that the merge forestalled was refused before anybody heard of the merge. */
const stateBeforeMerge = ({ state, reason, resumeState }: Before): RunState | null =>
  state === 'FAILED_RETRYABLE' || (reason.kind === 'step_failed' && reason.class === 'push_rejected')
    ? resumeState
    : state;

/** Returns whether the run went on; otherwise a person decides about the head. */
export const followBaseMerge = (draft: StepDraft, head: ForeignHead): boolean => {
  const { run } = draft;
  const { mergedBase: merged } = head;
  const { beforeForeign: before, commit, pushedHead: pushed } = run.change;
  const { base } = run.target;
  // guard: G2-merge-proven
  if (!merged) return false;
  if (before?.epoch !== run.lifecycle.epoch || run.target.pendingBaseChange) return false;
  if (!commit || !pushed || base?.ref !== merged.ref) return false;
  const state = stateBeforeMerge(before);
  if (state === null) return false;
  const reason = { kind: 'base_merged_elsewhere', author: head.author, ...merged } as const;
  if (commit.sha !== pushed.sha) return mergeWithUnpublished(draft, head, { state, reason });
  if (state === 'NEEDS_HUMAN_REVIEW') {
    if (isQuestionToPerson(before.reason)) return false;
    adoptForeignHead(draft, head);
    run.lifecycle.reason = before.reason;
    run.lifecycle.resumeState = before.resumeState;
    run.change.beforeForeign = { ...before, called: true };
    callAboutHead(draft);
    return true;
  }
  if (!isAgentWorking(state) && !isChecking(state) && !isWatching(state) && state !== 'PUSHED') return false;
  const round = roundAfter(run.agent.round, state);
  adoptForeignHead(draft, head);
  if (!run.upstream.pullRequest) run.change.mergedBase = merged;
  run.agent.round = round ?? ROUND_WITHOUT_FEEDBACK;
  const [works, waits] = run.upstream.pullRequest
    ? (['ITERATING', 'CI_WAIT'] as const)
    : (['IMPLEMENTING', 'LOCAL_VALIDATING'] as const);
  enterState(draft, round ? works : waits, reason);
  settleState(draft);
  return true;
};

/** The agent begins its round again; whether CI is still red is asked of the new head first. */
const roundAfter = (round: AgentRound, state: RunState): AgentRound | null => {
  if (!isAgentWorking(state) || round.kind === 'ci_fix') return null;
  return round.kind === 'update_from_base' ? { ...round, feedback: [] } : round;
};

/** A fix of ours that is checked, or waits for its signature, is merged as well, and asked about anew. */
const mergeWithUnpublished = (
  draft: StepDraft,
  { sha, commit: theirs }: ForeignHead,
  { state, reason }: { state: RunState; reason: Reason },
): boolean => {
  const { run } = draft;
  const { pushedHead: pushed, pendingMerge } = run.change;
  // What was rejected, or a merge of our own, is not proposed again as it is.
  if (!pushed || pendingMerge || !isFixAwaitingChecks(run) || !(isAgentWorking(state) || isChecking(state)))
    return false;
  const update = {
    kind: 'update_from_base',
    feedback: [],
    purpose: feedbackAskedFor(run.agent.round),
  } as const;
  const found = permitRound(run, { ...update, feedback: [] }, 'check');
  if ('stop' in found) return false;
  rememberOwnCommit(run, sha);
  run.change.pushedHead = { ...pushed, sha };
  run.change.pushed = { commit: theirs, fixSummaries: run.change.pushed?.fixSummaries ?? [] };
  run.change.foreignHead = run.gate.proposal = null;
  run.lifecycle.counts = { ...found.counts, retries: 0, outsideFailures: 0 };
  run.agent.round = found.round;
  enterState(draft, run.upstream.pullRequest ? 'ITERATING' : 'IMPLEMENTING', reason);
  settleState(draft);
  return true;
};
