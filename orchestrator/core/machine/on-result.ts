/** What follows from the results of effects: a commit, green or red checks, a push, a pull request, what was used up. */
import { usedUp } from './budget.ts';
import type { Budget } from '../bounds.ts';
import {
  account,
  ask,
  enter,
  nextRound,
  outOf,
  owned,
  progressSlot,
  showGate,
  stopAt,
  succeeded,
  tell,
  work,
  type Draft,
} from './draft.ts';
import { words, type Feedback } from '../feedback.ts';
import type { Ruling } from './handler.ts';
import type { InputOf, ResultType } from './inputs.ts';
import { NO_USAGE, type Assessment } from '../facts.ts';
import { deniedBy } from './on-failure.ts';
import { planGoesOn, stepChangedNothing } from './on-plan.ts';
import { PLAIN, within } from './rounds.ts';
import { canonical, unsignable, type Proposal } from '../seal.ts';
import { settle } from './settle.ts';
import { spendsIn, type Run } from './run.ts';
import { isActive, isChecking, isTerminal } from '../states.ts';
import { undo } from './undone.ts';

/** S2: on a paused run, a result of what was going on then is kept for resume. */
export const keep = (d: Draft, input: InputOf<ResultType>): Ruling => {
  const { run, stamp } = d;
  if (stamp.effectEpoch === null || stamp.effectEpoch !== run.pausedEpoch) return { ignore: 'stale result' };
  run.kept = { input, effectEpoch: stamp.effectEpoch };
  return undefined;
};

/**
 * E6: what a process used up is true whatever the run has moved on to. A budget that it went past stops it: the state is
 * left, and with it every process that works for it.
 */
export const spent = (d: Draft, input: InputOf<'worker.spent'>): Ruling => used(d, input, true);
export const spentLate = (d: Draft, input: InputOf<'worker.spent'>): Ruling => used(d, input, false);

const used = (d: Draft, input: InputOf<'worker.spent'>, current: boolean): Ruling => {
  const { run, stamp } = d;
  const goesOn = current || (run.state === 'PAUSED' && stamp.effectEpoch === run.pausedEpoch);
  // Of a conversation that the run has left, only the newest count matters.
  const session = goesOn || input.session?.id === run.session?.id ? input.session : null;
  const before = run.warned;
  account(d, { ...input, session });
  const budget = usedUp(run, input.by);
  const at = run.state === 'FAILED_RETRYABLE' ? run.back : current ? run.state : null;
  // guard: E6-card-outlives-budget
  const stoppable = at !== null && spendsIn(run, at) && !run.approval;
  if (!budget || !stoppable) return undefined;
  // Whoever is asked for more need not be warned as well.
  if (!before?.includes(budget)) dropWarning(d, budget);
  return outOf(d, budget) as undefined;
};

const dropWarning = (d: Draft, budget: Budget): void => {
  const others = d.effects.filter(
    (e) => e.do.kind !== 'tell' || e.do.show.view !== 'budget' || e.do.show.budget !== budget,
  );
  d.effects.splice(0, d.effects.length, ...others);
};

/** E6: a queued run says what it waits for, once for each reason. */
export const held = (d: Draft, { waitsFor, taken, of, at }: InputOf<'worker.start.held'>): Ruling => {
  const { run } = d;
  const reason = { kind: 'queue', waitsFor, taken, of, at } as const;
  if (canonical(run.reason) === canonical(reason)) return { ignore: 'waits as before' };
  run.reason = reason;
  tell(d, { view: 'progress' }, { slot: progressSlot(run.id) });
  return undefined;
};

export const implemented = (d: Draft, input: InputOf<'worker.implementation.completed'>): Ruling => {
  const { run } = d;
  account(d, input);
  undo(d, input.undone ?? null);
  run.summary = input.summary;
  run.claims = input.claims;
  run.containment = input.containment;
  run.counts = { ...run.counts, repairs: 0 };
  if (run.plan) run.plan = { ...run.plan, violations: run.plan.violations + input.violations };
  if (!input.commit) return void nothingToCommit(d, input);
  run.commit = input.commit;
  if (run.base && run.merging?.sha === input.commit.base) run.base = { ...run.base, sha: input.commit.base };
  run.lay = null;
  if (run.round.kind === 'advised' || run.round.kind === 'merge_base')
    run.round = within(run.round, 'implement', []);
  if (run.state === 'ITERATING') {
    work(d, { kind: 'check', commitSha: input.commit.sha });
    run.reason = { kind: 'checks_run', on: 'fix' };
    return undefined;
  }
  succeeded(d);
  return void enter(d, 'LOCAL_VALIDATING', { kind: 'checks_run', on: 'commit' });
};

/** As many are told of. */
const MOST_LEFT = 5;

/** E17: that nothing was changed is said only when the files are as they were. */
const nothingToCommit = (
  d: Draft,
  { summary, leftOut = [] }: InputOf<'worker.implementation.completed'>,
): void => {
  const { run } = d;
  const kept = leftOut.slice(0, MOST_LEFT);
  if (stepChangedNothing(d, kept)) return;
  const unchanged = {
    kind: 'no_changes',
    summary: summary.slice(0, 500),
    checksMayRun: run.pr !== null,
  } as const;
  enter(
    d,
    'NEEDS_HUMAN_REVIEW',
    kept.length > 0 ? { kind: 'nothing_committable', leftOut: kept } : unchanged,
  );
};

export const validated = (d: Draft, input: InputOf<'worker.validation.completed'>): Ruling => {
  const { run } = d;
  if (input.commitSha !== run.commit?.sha) return { ignore: 'another commit' };
  const { commitSha, passed, checks, assessment, grade, judges } = input;
  run.evaluation = { commitSha, passed, checks, assessment, grade, ...(judges ? { judges } : {}) };
  run.denied = null;
  account(d, { ...input, session: null, usage: NO_USAGE });
  // Failed checks go back to the agent first; whatever else is forbidden is judged again on what comes of it.
  if (!passed) return reflect(d, input.failure === null ? [{ kind: 'checks_failed' }] : words(input.failure));
  // guard: P3-denied-not-pushed
  if (assessment.decision === 'deny') {
    return void enter(d, 'NEEDS_HUMAN_REVIEW', deniedBy(run, 'push', assessment));
  }
  if (planGoesOn(d)) return undefined;
  // What the iteration was asked for is still what the card of its push tells.
  run.round = within(run.round, 'implement', []);
  // What is on the branch already becomes public by no push.
  if (needsSignature(run, assessment) && (run.pr || commitSha !== run.pushed?.sha)) {
    if (!input.proposal) return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'push_unknown' });
    run.proposal = input.proposal;
    run.reason = { kind: 'push_waits' };
    ask(d, 'push');
    return undefined;
  }
  run.reason = { kind: 'pushes' };
  owned(run, commitSha);
  work(d, { kind: 'push', commitSha, expect: run.pushed?.sha ?? null, approvalId: null });
  return undefined;
};

/** G6: high risk always needs a signature; with a pull request others read along, so that only low risk may go alone. */
// guard: G6-signature-rule
export const needsSignature = ({ pr, order }: Run, { decision, risk }: Assessment): boolean =>
  decision === 'escalate' ||
  risk === 'high' ||
  (pr !== null && !(order.bounds.autoIterate && risk === 'low'));

/** A failed local check goes back to the agent within the bound, else to a person. */
const reflect = (d: Draft, failure: Feedback[]): Ruling => {
  const { run } = d;
  run.round = within(run.round, run.plan && run.state !== 'ITERATING' ? 'plan_fix' : 'reflect', failure);
  const again = nextRound(run, run.round);
  if ('stop' in again) return stopAt(d, again) as undefined;
  run.counts = again.counts;
  if (run.state === 'ITERATING') {
    run.reason = { kind: 'checks_fail_again' };
    work(d, { kind: 'implement', round: run.round });
    return undefined;
  }
  succeeded(d);
  return void enter(d, 'IMPLEMENTING', { kind: 'checks_fail_again' });
};

export const pushed = (d: Draft, input: InputOf<'worker.push.completed'>): Ruling => {
  const { run } = d;
  if (!isChecking(run.state)) return landedLate(d, input);
  succeeded(d);
  run.counts = { ...run.counts, failedOutside: 0 };
  const said = input.proposal?.fields.assessment;
  if (said?.decision === 'deny') {
    // The branch is there; what would have been proposed is not kept, so that nobody can be asked to sign it.
    landed(run, input, null);
    run.proposal = null;
    return void enter(d, 'NEEDS_HUMAN_REVIEW', deniedBy(run, 'open_pr', said));
  }
  landed(run, input, input.proposal);
  if (run.state === 'ITERATING') {
    run.round = PLAIN;
    enter(d, 'CI_WAIT', { kind: 'fix_pushed' });
    settle(d);
    return undefined;
  }
  if (!input.proposal) return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'pull_unknown' });
  if (unsignable(input.proposal, 'open_pr'))
    return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'conflicts' });
  return void enter(d, 'PUSHED', { kind: 'decision_waits' });
};

/** A push that the run has not waited for: a card that is open keeps saying what it shows. */
export const landedLate = (d: Draft, input: InputOf<'worker.push.completed'>): Ruling => {
  const { run } = d;
  if (!run.pushed) work(d, { kind: 'observe', everyMs: run.order.bounds.pollMs });
  landed(run, input, run.approval ? null : input.proposal);
  keep(d, input);
  return undefined;
};

/** The branch is where we pushed it: a fact, whatever follows. */
const landed = (
  run: Run,
  { branch, sha }: InputOf<'worker.push.completed'>,
  proposal: Proposal | null,
): void => {
  run.pushed = { branch, sha };
  if (run.commit?.sha === sha && run.merging) {
    const { ref, sha: base, commits } = run.merging;
    run.merged = { ref, sha: base, commits };
    run.merging = null;
  }
  run.seen = { ...run.seen, head: sha };
  owned(run, sha);
  // guard: P3-denied-late
  if (proposal && proposal.fields.assessment.decision !== 'deny') run.proposal = proposal;
};

/** G1: a pull request's number enters a run only here, and only for the approval that was consumed for it. */
export const opened = (d: Draft, input: InputOf<'worker.pr.opened'>): Ruling => {
  const { run } = d;
  if (run.pr) return { ignore: 'known already' };
  // guard: G1-linked-by-approval
  if (run.consumed?.kind !== 'open_pr' || run.consumed.id !== input.approvalId) {
    return { ignore: 'no approval for it' };
  }
  run.pr = { number: input.number, url: input.url };
  run.counts = { ...run.counts, failedOutside: 0, retries: 0 };
  showGate(d, input.approvalId, false);
  if (run.state === 'PUSHED') {
    enter(d, 'CI_WAIT', { kind: 'pull_open', pull: input.number });
  } else if (isActive(run.state)) {
    // Work towards a first pull request has no meaning any more.
    enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'pull_too_late', pull: input.number });
  } else {
    const { number, url } = input;
    const note = { kind: 'pull_too_late', pull: number, url, ended: isTerminal(run.state) } as const;
    tell(d, { view: 'note', note }, { urgent: true });
  }
  settle(d);
  return undefined;
};
