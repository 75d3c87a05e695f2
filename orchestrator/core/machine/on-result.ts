/** Results of effects. A result of an older epoch means nothing any more, except where it states a fact of the outside world. */
import { usedUp } from './budget.ts';
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
import type { Budget } from './budget.ts';
import { words, type Feedback } from '../feedback.ts';
import type { Input, InputOf } from './inputs.ts';
import { NO_USAGE, type Assessment } from '../facts.ts';
import type { Verdict } from './machine.ts';
import { discovered, refined } from './on-discovery.ts';
import { deniedBy, failed } from './on-failure.ts';
import { baseMerged, headRead } from './on-branch.ts';
import { planGoesOn, planUpdated, stepChangedNothing } from './on-plan.ts';
import { wordsJudged } from './on-words.ts';
import { PLAIN, within } from './rounds.ts';
import { canonical, unsignable, type Proposal } from '../seal.ts';
import { settle } from './settle.ts';
import { spendsIn, type Run } from './run.ts';
import { isActive, isChecking, isTerminal } from '../states.ts';
import { undo } from './undone.ts';

export type Result = Extract<Input, { type: `worker.${string}` }>;

export const onResult = (d: Draft, input: Result): Verdict => {
  const { run, stamp } = d;
  // guard: S2-result-epoch
  const current = stamp.effectEpoch === run.epoch && run.state !== 'PAUSED';
  // Facts of the outside world are true whatever the run has moved on to.
  if (input.type === 'worker.pr.opened') return opened(d, input);
  if (input.type === 'worker.spent') return spent(d, input, current);
  if (input.type === 'worker.push.completed' && !(current && isChecking(run.state))) {
    if (!run.pushed) work(d, { kind: 'observe', everyMs: run.order.bounds.pollMs });
    // A card that is open keeps saying what it shows.
    landed(run, input, run.approval ? null : input.proposal);
    keep(d, input);
    return undefined;
  }
  if (current) return apply(d, input);
  if (!keep(d, input)) return { ignore: 'stale result' };
  return undefined;
};

/** S2: on a paused run, a result of what was going on then is kept for resume. */
const keep = (d: Draft, input: Result): boolean => {
  const { run, stamp } = d;
  if (stamp.effectEpoch === null || stamp.effectEpoch !== run.pausedEpoch) return false;
  run.kept = { input, effectEpoch: stamp.effectEpoch };
  return true;
};

/** A result of the current epoch, or a kept one at resume. */
export const apply = (d: Draft, input: Input): Verdict => {
  switch (input.type) {
    case 'worker.discovery.completed':
      return discovered(d, input);
    case 'worker.contract.refined':
      return refined(d, input);
    case 'worker.implementation.completed':
      return implemented(d, input);
    case 'worker.plan.updated':
      return planUpdated(d, input);
    case 'worker.validation.completed':
      return validated(d, input);
    case 'worker.proposal.modified':
      return wordsJudged(d, input);
    case 'worker.push.completed':
      return pushed(d, input);
    case 'worker.pr.opened':
      return opened(d, input);
    case 'worker.step.failed':
      return failed(d, input);
    case 'worker.start.held':
      return held(d, input);
    case 'worker.base.merged':
      return baseMerged(d, input);
    case 'worker.head.read':
      return headRead(d, input);
    default:
      return { ignore: 'not a result' };
  }
};

/**
 * E6: what a process used up is true whatever the run has moved on to. A budget that it went past stops it: the state is
 * left, and with it every process that works for it.
 */
const spent = (d: Draft, input: InputOf<'worker.spent'>, current: boolean): Verdict => {
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
const held = (d: Draft, { waitsFor, taken, of, at }: InputOf<'worker.start.held'>): Verdict => {
  const { run } = d;
  const reason = { kind: 'queue', waitsFor, taken, of, at } as const;
  if (canonical(run.reason) === canonical(reason)) return { ignore: 'waits as before' };
  run.reason = reason;
  tell(d, { view: 'progress' }, { slot: progressSlot(run.id) });
  return undefined;
};

const implemented = (d: Draft, input: InputOf<'worker.implementation.completed'>): Verdict => {
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

const validated = (d: Draft, input: InputOf<'worker.validation.completed'>): Verdict => {
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
const reflect = (d: Draft, failure: Feedback[]): Verdict => {
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

const pushed = (d: Draft, input: InputOf<'worker.push.completed'>): Verdict => {
  const { run } = d;
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
const opened = (d: Draft, input: InputOf<'worker.pr.opened'>): Verdict => {
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
