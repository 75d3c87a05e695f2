/** Handles facts from the code host and clocks: they fold in, then the state is settled. */
import { copyRun, spendsIn, type Run } from '../run/run.ts';
import { usedUp } from './run-budget.ts';
import {
  attentionOf,
  attentionSlot,
  reminderSlot,
  askToSign,
  closeApproval,
  showGate,
  addMessage,
  addOutageMessage,
  addWake,
  type StepDraft,
} from './step-draft.ts';
import { enterState, limitTime, addReminder } from './enter-state.ts';
import { stopForBudget } from './round-allowance.ts';
import { goOn } from './resume-run.ts';
import { handleInput, type InputHandlers, type HandlerRuling } from './input-handler.ts';
import type { FactType, InputOf } from '../inputs/inputs.ts';
import { mayEnter } from './state-preconditions.ts';
import { branchRenamed } from '../upstream/on-base-moved.ts';
import { followRepository, repositoryObserved } from './on-repository.ts';
import { retryLater } from './on-failure.ts';
import { reportPullChanges } from '../upstream/pull-changes.ts';
import { onPullReopened } from '../upstream/on-reopened.ts';
import { failedReason } from '../run/reasons.ts';
import { isActive, STATE_TRAITS, workerIn } from '#model/run';
import { sayingOf } from '#model/review';
import { isSame } from '#model/failure';
import { foldFact, type ObservedFact } from './fold-facts.ts';
import { settleState } from './settle-state.ts';
import { bringReview } from '../reviews/on-review-threads.ts';
import { hearComment, hearReview, onRemarksDue } from '../reviews/on-open-remarks.ts';

export const onFact = (d: StepDraft, input: InputOf<FactType>): HandlerRuling => {
  const stale = 'epoch' in input && input.epoch !== d.run.lifecycle.epoch;
  return stale ? { ignore: 'stale timer' } : handleInput(FACT_HANDLERS, input.type, d, input);
};

const observed = (d: StepDraft, input: ObservedFact): HandlerRuling => {
  const { run } = d;
  const { state } = run.lifecycle;
  const known: Run = copyRun(run);
  const stood = run.upstream.observed.pull?.baseStatus;
  const told = foldFact(d, input);
  const conflicted = stood !== 'conflicts' && run.upstream.observed.pull?.baseStatus === 'conflicts';
  const brought = input.type === 'forge.review.submitted' && bringReview(d, input);
  if (input.type === 'forge.review.submitted') hearReview(d, input);
  const waits = run.review.remarks !== known.review.remarks;
  const heard = input.type === 'forge.review.submitted' && !input.remarks && tellReview(d, input, told);
  const followed = input.type === 'forge.pull.observed' && followRepository(d);
  settleState(d);
  if (conflicted && run.lifecycle.epoch === known.lifecycle.epoch) tellConflict(d);
  reportPullChanges(d, known);
  return told || brought || heard || waits || followed || run.lifecycle.state !== state
    ? undefined
    : { ignore: 'nothing new' };
};

const FACT_HANDLERS: InputHandlers<FactType> = {
  'forge.pull.observed': observed,
  'forge.pull.reopened': onPullReopened,
  'forge.head.observed': observed,
  'forge.check.observed': observed,
  'forge.ci.observed': observed,
  'forge.review.submitted': observed,
  'forge.comment.created': (d, input) => {
    const { run } = d;
    if (!run.upstream.pullRequest) return { ignore: 'no pull request' };
    const before = run.review.remarks;
    hearComment(d, input);
    if (run.upstream.observed.reportedComments.includes(input.url))
      return run.review.remarks === before ? { ignore: 'told already' } : undefined;
    run.upstream.observed = {
      ...run.upstream.observed,
      reportedComments: [...run.upstream.observed.reportedComments, input.url].slice(
        -MAX_REMEMBERED_COMMENTS,
      ),
    };
    if (!isSaidAgain(d, input.author, input)) tellWords(d, input, input.url, input.bot);
    return undefined;
  },
  'forge.repository.observed': repositoryObserved,
  'forge.branch.renamed': branchRenamed,
  'forge.access.observed': (d, { account, lost }) => {
    const { state, reason } = d.run.lifecycle;
    if (lost !== null) {
      // guard: F1-rights-lost
      if (!isActive(state)) return { ignore: 'nothing to do in this state' };
      return void enterState(d, 'PAUSED', { kind: 'access_lost', how: lost, account }, { ring: true });
    }
    // A pause by a user ends only by a user.
    // guard: F1-rights-back
    if (state !== 'PAUSED' || reason.kind !== 'access_lost') return { ignore: 'nothing new' };
    const went = goOn(d, { target: null, retried: false, reason: { kind: 'access_restored', account } });
    return went && 'refuse' in went ? { ignore: 'nothing to do in this state' } : went;
  },
  'forge.poll.failed': (d, { type: _type, ...outage }) => {
    const { run } = d;
    if (run.lifecycle.state === 'PAUSED' && run.lifecycle.reason.kind === 'access_lost')
      return { ignore: 'told already' };
    const before = run.upstream.observed.outage;
    if (before && isSame(before.failure, outage.failure)) return { ignore: 'known already' };
    // An outage keeps its start while its error changes.
    run.upstream.observed = {
      ...run.upstream.observed,
      outage: before ? { ...before, failure: outage.failure } : outage,
    };
    addOutageMessage(d, run.upstream.observed.outage);
    return undefined;
  },
  'forge.visibility.observed': (d, { pull, hidden, at }) => {
    const { run } = d;
    if (run.upstream.pullRequest?.id !== pull) return { ignore: 'no pull request' };
    const before = run.upstream.observed.visibility?.hidden;
    run.upstream.observed = { ...run.upstream.observed, visibility: { hidden, at } };
    const news = hidden === true ? before !== true : before === true && hidden === false;
    // guard: F5-hidden-told
    if (hidden !== null && news)
      addMessage(
        d,
        { view: 'note', note: { kind: 'pull_hidden', pull, url: run.upstream.pullRequest.url, hidden } },
        { urgent: true, sound: hidden },
      );
    return undefined;
  },
  'forge.survival.observed': (d, { type: _type, ...seen }) => {
    const { upstream } = d.run;
    const known = upstream.survival ?? [];
    if (known.some(({ days }) => days === seen.days)) return { ignore: 'known already' };
    upstream.survival = [...known, seen];
    return undefined;
  },
  'forge.poll.recovered': (d) => {
    const { run } = d;
    const { outage } = run.upstream.observed;
    if (!outage) return { ignore: 'nothing new' };
    run.upstream.observed = { ...run.upstream.observed, outage: null };
    addOutageMessage(d, outage);
    return undefined;
  },
  'timer.timeout': (d, { limit, waits }) => {
    const { run } = d;
    if (limit !== run.lifecycle.raisedLimits.runMs) return { ignore: 'stale limit' };
    // A step's time excludes a user's thinking time; approved effects have their own limits.
    if (run.gate.approval || run.gate.consumedApproval?.epoch === run.lifecycle.epoch)
      return { ignore: 'a person is waited for' };
    // Waiting for a write slot (up to a day) or for the code host does not count either.
    // guard: F5-turn-no-time
    if (run.lifecycle.reason.kind === 'write_slot_wait' || waits) return void limitTime(d);
    const spent = spendsIn(run.lifecycle.state) ? usedUp(run, workerIn(run.lifecycle.state)) : null;
    if (spent) return void stopForBudget(d, spent);
    return retryLater(d, failedReason({ class: 'timed_out', message: '' }), null);
  },
  'timer.retry': (d) => {
    const { run } = d;
    const { resumeState: back } = run.lifecycle;
    if (back && mayEnter(run, back)) return void enterState(d, back, { kind: 'retrying' });
    return void enterState(d, 'NEEDS_HUMAN_REVIEW', {
      kind: 'cannot_continue',
      at: back ?? run.lifecycle.state,
    });
  },
  'timer.reminder': (d) => {
    const { run } = d;
    run.lifecycle.counts = { ...run.lifecycle.counts, reminders: run.lifecycle.counts.reminders + 1 };
    // A reminder is not urgent: first questions go first.
    addMessage(d, attentionOf(run), { slot: reminderSlot(run, run.lifecycle.counts.reminders), sound: true });
    addReminder(d);
    return undefined;
  },
  'timer.remarks.due': onRemarksDue,
  'timer.approval.expired': (d, { approvalId }) => {
    const { approval } = d.run.gate;
    if (approval?.id !== approvalId) return { ignore: 'card closed' };
    const left = approval.expiresAt - d.stamp.at;
    // guard: G3-frozen-expiry
    if (left > 0) return void addWake(d, { type: 'timer.approval.expired', approvalId }, left);
    closeApproval(d, 'expired', { kind: 'decision_expired' });
    askToSign(d, approval.kind);
    return undefined;
  },
  'timer.approval.frozen': (d, { approvalId, from, until }) => {
    const { order } = d.run;
    const { approval } = d.run.gate;
    if (approval?.id !== approvalId) return { ignore: 'card closed' };
    // Time that was added already, or that precedes the card, is not added again.
    const since = Math.max(from, approval.frozenUntil ?? approval.expiresAt - order.bounds.approvalMs);
    // guard: G3-frozen-once
    if (until <= since) return { ignore: 'known already' };
    const expiresAt = approval.expiresAt + until - since;
    d.run.gate.approval = { ...approval, expiresAt, frozenUntil: until };
    d.approvals.push({ op: 'extend', id: approvalId, expiresAt });
    showGate(d, approvalId, false);
    return undefined;
  },
};

/** S10: a conflicting pull request cannot be merged until it is updated. */
const tellConflict = (d: StepDraft): void => {
  if (STATE_TRAITS[d.run.lifecycle.state].updates)
    addMessage(d, attentionOf(d.run), { slot: attentionSlot(d.run), urgent: true, sound: true });
};

const MAX_REMEMBERED_COMMENTS = 200;

type Words = { author: string; access: 'write' | 'read' | 'unknown'; body: string };
/** P5: comments reach no agent by themselves; a user sees them and may tap. */
const tellWords = (d: StepDraft, { author, access, body }: Words, url: string, bot?: true): void => {
  const view = { view: 'comment', author, access, body, url, forwardedBy: null } as const;
  addMessage(d, { ...view, ...(bot ? { bot } : {}) }, { slot: `comment:${url}` });
};

/** Shows a review that steers nothing by itself, once. Returns whether it was news. */
const tellReview = (d: StepDraft, input: InputOf<'forge.review.submitted'>, changed: boolean): boolean => {
  const { pullRequest: pr, observed: seen } = d.run.upstream;
  const { id, url, reviewer, access, state, body, submittedAt: at } = input;
  const steers = state === 'wants_changes' && access === 'write' && input.bot !== true;
  const says = body.trim() !== '' && (state === 'remarked' || state === 'wants_changes');
  // A login may be `constructor`.
  const last = Object.hasOwn(seen.reportedReviews, reviewer) ? seen.reportedReviews[reviewer] : undefined;
  const known = last?.at === at ? last.ids : [];
  // A review is shown again when its author's rights become known.
  if (!pr || steers || !says || (last && at < last.at) || (known.includes(id) && !changed)) return false;
  const heard = { at, ids: [...new Set([...known, id])] };
  d.run.upstream.observed = { ...seen, reportedReviews: { ...seen.reportedReviews, [reviewer]: heard } };
  if (!isSaidAgain(d, reviewer, input)) tellWords(d, { author: reviewer, access, body }, url, input.bot);
  return true;
};

const MAX_PROGRAM_SAYINGS = 100;

/** F7: a program that says the same again, of other lines or commits, is heard once. */
const isSaidAgain = (
  { run }: StepDraft,
  author: string,
  { body, bot }: { body: string; bot?: true },
): boolean => {
  if (!bot) return false;
  const { observed: seen } = run.upstream;
  const said = sayingOf(author, body);
  const sayings = seen.reportedBotTexts ?? [];
  if (sayings.includes(said)) return true;
  run.upstream.observed = { ...seen, reportedBotTexts: [...sayings, said].slice(-MAX_PROGRAM_SAYINGS) };
  return false;
};
