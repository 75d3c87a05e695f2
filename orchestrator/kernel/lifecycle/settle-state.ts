/** Settles the state of a run from what was observed, whatever the order of the facts. */
import { enterState } from './enter-state.ts';
import { addWork, type StepDraft } from './step-draft.ts';
import { permitRound } from './permit-round.ts';
import { warnOfBudgets } from './count-spending.ts';
import { stopForForeignHead, clearForeignHead } from './stop-for-foreign-head.ts';
import { isHeadQuestionOpen, hasForeignHead } from '../run/foreign-commit.ts';
import { feedbackSummary, type Feedback } from '#model/feedback';
import { isTerminal, isWatching } from '#model/run';
import type { CiVerdict } from '#model/ci';
import type { ReasonOf } from '../run/reasons.ts';
import { ROUND_WITHOUT_FEEDBACK, type AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import type { ObservedReview, ObservedFacts } from '../run/observed-facts.ts';
import { ciSettleTime } from '../ci/ci-facts.ts';
import { currentVerdict } from '../ci/ci-verdict.ts';
import { isOnlyRedOnBase, isUncompared, ownRedCheckNames } from '../ci/compared-checks.ts';

export const settleState = (draft: StepDraft): void => {
  const { run } = draft;
  if (isTerminal(run.lifecycle.state)) return;
  const pull =
    run.upstream.observed.pull?.id === run.upstream.pullRequest?.id ? run.upstream.observed.pull : null;
  if (pull?.merged) return enterState(draft, 'DONE', { kind: 'pull_merged', by: pull.by });
  if (pull?.state === 'closed') {
    const { state, reason } = run.lifecycle;
    const pausedBy = state === 'PAUSED' && reason.kind === 'paused' ? { pausedBy: reason.by } : {};
    return enterState(draft, 'FAILED_TERMINAL', { kind: 'pull_closed', by: pull.by, ...pausedBy });
  }
  if (run.lifecycle.state === 'PAUSED') return;
  if (hasForeignHead(run)) return isHeadQuestionOpen(run) ? undefined : stopForForeignHead(draft);
  clearForeignHead(draft);
  const after = findPassAfterStop(run);
  if (after) return goOnGreen(draft, after);
  if (!isWatching(run.lifecycle.state)) return;
  // Signed answers are being posted: settle afterwards.
  if (run.review.pendingReplies?.signature) return;
  const says = currentVerdict(run);
  const asked = listRequestedChanges(run);
  const red: Feedback[] =
    says === 'RED' && !isOnlyRedOnBase(run) ? [{ kind: 'red', checks: ownRedCheckNames(run) }] : [];
  // guard: F6-review-waits
  if (red.length > 0 && (asked.length === 0 || isUncompared(run)))
    return enterIteration(draft, { kind: 'ci_fix', feedback: red, purpose: [] });
  if (asked.length > 0) {
    run.upstream.observed = { ...run.upstream.observed, reviews: allHandled(run.upstream.observed.reviews) };
    return enterIteration(draft, { kind: 'review_fix', feedback: [...asked, ...red], purpose: [] });
  }
  if (run.gate.approval) return;
  if (run.lifecycle.state === 'CI_WAIT' && isGreen(says)) {
    enterState(draft, 'REVIEW_WAIT', { kind: 'checks_green', verdict: says });
  } else if (run.lifecycle.state === 'REVIEW_WAIT' && says === 'PENDING') {
    enterState(draft, 'CI_WAIT', { kind: 'checks_restarted' });
  } else if (run.lifecycle.state === 'REVIEW_WAIT' && says === 'AWAITING_MAINTAINER') {
    enterState(draft, 'CI_WAIT', { kind: 'maintainer_wait' });
  }
  if (says === 'PENDING') pollWhenSettled(draft);
};

type Green = ReasonOf<'checks_green'>['verdict'];

/** F6: the checks that stopped the run were re-run by somebody else, and passed. */
const findPassAfterStop = (run: Run): Green | null => {
  const { kind } = run.lifecycle.reason;
  if (run.lifecycle.state !== 'NEEDS_HUMAN_REVIEW' || (kind !== 'maybe_flaky' && kind !== 'rerun_refused'))
    return null;
  const says = currentVerdict(run);
  return isGreen(says) && says !== 'NO_CI' ? says : null;
};

const goOnGreen = (draft: StepDraft, says: Green): void => {
  const { run } = draft;
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  enterState(draft, 'REVIEW_WAIT', { kind: 'checks_green', verdict: says });
};

/** Time alone changes no verdict; only the poll after the settle time does (F8). */
const pollWhenSettled = (draft: StepDraft): void => {
  const ci = draft.run.change.pushedHead
    ? draft.run.upstream.observed.ci[draft.run.change.pushedHead.sha]
    : undefined;
  if (!ci) return;
  const due = ciSettleTime(ci, draft.run.order.bounds);
  if (due > draft.stamp.at) addWork(draft, { kind: 'expedite_poll' }, due - draft.stamp.at);
};

const isGreen = (verdict: CiVerdict): verdict is Green =>
  verdict === 'GREEN' || verdict === 'GREEN_REQUIRED' || verdict === 'GREEN_SEEN' || verdict === 'NO_CI';

/** Enters ITERATING within the run's bound, or asks a user exactly once. */
export const enterIteration = (draft: StepDraft, wanted: AgentRound): void => {
  const { run } = draft;
  run.agent.round = wanted;
  const reason = { kind: 'iterating', about: feedbackSummary(wanted.feedback) } as const;
  // A failure that is not ours costs no fix, so this is asked first.
  if (wanted.kind === 'ci_fix' && isUncompared(run)) return enterState(draft, 'ITERATING', reason);
  const again = permitRound(run, wanted);
  if ('stop' in again) return enterState(draft, 'NEEDS_HUMAN_REVIEW', again.stop);
  run.lifecycle.counts = again.counts;
  warnOfBudgets(draft);
  enterState(draft, 'ITERATING', reason);
};

/** P5: only people with write access steer an agent. Sorted, so that order does not matter. */
export const listRequestedChanges = (run: Run): Feedback[] =>
  Object.entries(run.upstream.observed.reviews)
    .filter(([, review]) => asksForChanges(review))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reviewer, { body }]) => ({ kind: 'review', reviewer, body }));

// guard: P5-outsiders-review
const asksForChanges = (review: ObservedReview): boolean =>
  review.state === 'wants_changes' && review.access === 'write' && !review.handled;

const allHandled = (reviews: ObservedFacts['reviews']): ObservedFacts['reviews'] =>
  Object.fromEntries(
    Object.entries(reviews).map(([who, r]) => [who, asksForChanges(r) ? { ...r, handled: true } : r]),
  );
