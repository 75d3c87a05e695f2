/** Settles the state of a run from what was observed, whatever the order of the facts. */
import { enterState } from './enter-state.ts';
import { addWork, type StepDraft } from './step-draft.ts';
import { nextRound, warnOfBudgets } from './round-allowance.ts';
import { foundForeign, notForeignAnyMore } from './foreign-head.ts';
import { isAskedAbout, isForeign } from '../run/foreign-commit.ts';
import { feedbackSummary, type Feedback } from '#model/feedback';
import { isTerminal, isWatching } from '#model/run';
import type { CiVerdict } from '#model/ci';
import type { ReasonOf } from '../run/reasons.ts';
import { ROUND_WITHOUT_FEEDBACK, type AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import type { ObservedReview, ObservedFacts } from '../run/observed-facts.ts';
import { settlesAt } from '../ci/ci-facts.ts';
import { ciVerdict } from '../ci/ci-verdict.ts';
import { isRedOnBase, isUncompared, redHere } from '../ci/red-checks.ts';

export const currentVerdict = (run: Run): CiVerdict =>
  run.change.pushedHead ? ciVerdict(run.upstream.observed.ci[run.change.pushedHead.sha]) : 'PENDING';

export const settleState = (d: StepDraft): void => {
  const { run } = d;
  if (isTerminal(run.lifecycle.state)) return;
  const pull =
    run.upstream.observed.pull?.id === run.upstream.pullRequest?.id ? run.upstream.observed.pull : null;
  if (pull?.merged) return enterState(d, 'DONE', { kind: 'pull_merged', by: pull.by });
  if (pull?.state === 'closed') {
    const { state, reason } = run.lifecycle;
    const pausedBy = state === 'PAUSED' && reason.kind === 'paused' ? { pausedBy: reason.by } : {};
    return enterState(d, 'FAILED_TERMINAL', { kind: 'pull_closed', by: pull.by, ...pausedBy });
  }
  if (run.lifecycle.state === 'PAUSED') return;
  if (isForeign(run)) return isAskedAbout(run) ? undefined : foundForeign(d);
  notForeignAnyMore(d);
  const after = passedAfterAll(run);
  if (after) return goOnGreen(d, after);
  if (!isWatching(run.lifecycle.state)) return;
  // Signed answers are being posted: settle afterwards.
  if (run.review.pendingReplies?.signature) return;
  const says = currentVerdict(run);
  const asked = changesRequested(run);
  const red: Feedback[] = says === 'RED' && !isRedOnBase(run) ? [{ kind: 'red', checks: redHere(run) }] : [];
  // guard: F6-review-waits
  if (red.length > 0 && (asked.length === 0 || isUncompared(run)))
    return enterIteration(d, { kind: 'ci_fix', feedback: red, purpose: [] });
  if (asked.length > 0) {
    run.upstream.observed = { ...run.upstream.observed, reviews: allHandled(run.upstream.observed.reviews) };
    return enterIteration(d, { kind: 'review_fix', feedback: [...asked, ...red], purpose: [] });
  }
  if (run.gate.approval) return;
  if (run.lifecycle.state === 'CI_WAIT' && isGreen(says)) {
    enterState(d, 'REVIEW_WAIT', { kind: 'checks_green', verdict: says });
  } else if (run.lifecycle.state === 'REVIEW_WAIT' && says === 'PENDING') {
    enterState(d, 'CI_WAIT', { kind: 'checks_restarted' });
  } else if (run.lifecycle.state === 'REVIEW_WAIT' && says === 'AWAITING_MAINTAINER') {
    enterState(d, 'CI_WAIT', { kind: 'maintainer_wait' });
  }
  if (says === 'PENDING') verifyAgain(d);
};

type Green = ReasonOf<'checks_green'>['verdict'];

/** F6: the checks that stopped the run were re-run by somebody else, and passed. */
const passedAfterAll = (run: Run): Green | null => {
  const { kind } = run.lifecycle.reason;
  if (run.lifecycle.state !== 'NEEDS_HUMAN_REVIEW' || (kind !== 'maybe_flaky' && kind !== 'rerun_refused'))
    return null;
  const says = currentVerdict(run);
  return isGreen(says) && says !== 'NO_CI' ? says : null;
};

const goOnGreen = (d: StepDraft, says: Green): void => {
  const { run } = d;
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  enterState(d, 'REVIEW_WAIT', { kind: 'checks_green', verdict: says });
};

/** Time alone changes no verdict; only the poll after the settle time does (F8). */
const verifyAgain = (d: StepDraft): void => {
  const ci = d.run.change.pushedHead ? d.run.upstream.observed.ci[d.run.change.pushedHead.sha] : undefined;
  if (!ci) return;
  const due = settlesAt(ci, d.run.order.bounds);
  if (due > d.stamp.at) addWork(d, { kind: 'expedite_poll' }, due - d.stamp.at);
};

const isGreen = (v: CiVerdict): v is Green =>
  v === 'GREEN' || v === 'GREEN_REQUIRED' || v === 'GREEN_SEEN' || v === 'NO_CI';

/** Enters ITERATING within the run's bound, or asks a user exactly once. */
export const enterIteration = (d: StepDraft, wanted: AgentRound): void => {
  const { run } = d;
  run.agent.round = wanted;
  const reason = { kind: 'iterating', about: feedbackSummary(wanted.feedback) } as const;
  // A failure that is not ours costs no fix, so this is asked first.
  if (wanted.kind === 'ci_fix' && isUncompared(run)) return enterState(d, 'ITERATING', reason);
  const again = nextRound(run, wanted);
  if ('stop' in again) return enterState(d, 'NEEDS_HUMAN_REVIEW', again.stop);
  run.lifecycle.counts = again.counts;
  warnOfBudgets(d);
  enterState(d, 'ITERATING', reason);
};

/** P5: only people with write access steer an agent. Sorted, so that order does not matter. */
export const changesRequested = (run: Run): Feedback[] =>
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
