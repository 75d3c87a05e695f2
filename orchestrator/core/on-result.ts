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
  say,
  showGate,
  stopAt,
  succeeded,
  tell,
  work,
  type Draft,
} from './draft.ts';
import type { Budget } from './budget.ts';
import { sentence } from './failures.ts';
import type { Input, InputOf } from './inputs.ts';
import { NO_USAGE, type Assessment } from './facts.ts';
import type { Verdict } from './machine.ts';
import { discovered, refined } from './on-discovery.ts';
import { deniedBy, failed } from './on-failure.ts';
import { baseMerged, headRead } from './on-branch.ts';
import { planGoesOn, planUpdated, stepChangedNothing } from './on-plan.ts';
import { wordsJudged } from './on-words.ts';
import { PLAIN, within } from './rounds.ts';
import { CONFLICTS } from './refusals.ts';
import { unsignable, type Proposal } from './seal.ts';
import { settle } from './settle.ts';
import { spendsIn, type Run } from './run.ts';
import { isActive, isChecking, isTerminal } from './states.ts';
import { undo } from './undone.ts';

export type Result = Extract<Input, { type: `worker.${string}` }>;

export const onResult = (d: Draft, input: Result): Verdict => {
  const { run, stamp } = d;
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
  if (!keep(d, input)) return { ignore: 'the run has moved on since' };
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
      return { ignore: `${input.type} is not a result` };
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
  const what = waitsFor === 'slot' ? 'runs are at work' : 'runs were started in the last 24 hours';
  const says = `Waits for a free slot: ${taken} of ${of} ${what}.`;
  const why = { kind: 'queue', waitsFor, taken, of, at, says } as const;
  if (run.reason === says && JSON.stringify(run.why) === JSON.stringify(why))
    return { ignore: 'it waits for the same as before' };
  say(run, says, why);
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
    run.round = within(run.round, 'implement', '');
  if (run.state === 'ITERATING') {
    work(d, { kind: 'check', commitSha: input.commit.sha });
    run.reason = 'Our checks run on the fix.';
    return undefined;
  }
  succeeded(d);
  return void enter(d, 'LOCAL_VALIDATING', 'Our checks run.');
};

/** E17: that nothing was changed is said only when the files are as they were. */
const nothingToCommit = (
  d: Draft,
  { summary, leftOut = [] }: InputOf<'worker.implementation.completed'>,
): void => {
  const { run } = d;
  const what = leftOut.slice(0, 5).map((f) => `${f.path}: ${f.note}`);
  if (stepChangedNothing(d, what.join('; '))) return;
  const kept = what.length > 0;
  const of = kept ? 'unsafe_workspace' : 'no_changes';
  const message = kept ? what.join('; ') : summary.slice(0, 500);
  const offer = run.pr ? ' The checks can be run again instead.' : '';
  const says = kept ? ` ${message}` : summary ? ` It says: ${message}` : '';
  const because = { kind: 'failed', class: of, message, tries: null, retryAt: null } as const;
  enter(d, 'NEEDS_HUMAN_REVIEW', sentence(of) + offer + says, { because });
};

const validated = (d: Draft, input: InputOf<'worker.validation.completed'>): Verdict => {
  const { run } = d;
  if (input.commitSha !== run.commit?.sha) return { ignore: 'a validation of another commit' };
  const { commitSha, passed, checks, assessment, grade, judges } = input;
  run.evaluation = { commitSha, passed, checks, assessment, grade, ...(judges ? { judges } : {}) };
  run.denied = null;
  account(d, { ...input, session: null, usage: NO_USAGE });
  // Failed checks go back to the agent first; whatever else is forbidden is judged again on what comes of it.
  if (!passed) return reflect(d, input.failure ?? 'The checks failed.');
  if (assessment.decision === 'deny') {
    const why = deniedBy(run, 'push', assessment);
    const because = { kind: 'failed', class: 'policy_denied', message: why } as const;
    return void enter(d, 'NEEDS_HUMAN_REVIEW', `${sentence('policy_denied')} ${why}`, {
      because: { ...because, tries: null, retryAt: null },
    });
  }
  if (planGoesOn(d)) return undefined;
  // What the iteration was asked for is still what the card of its push tells.
  run.round = within(run.round, 'implement', '');
  // What is on the branch already becomes public by no push.
  if (needsSignature(run, assessment) && (run.pr || commitSha !== run.pushed?.sha)) {
    if (!input.proposal)
      return void enter(d, 'NEEDS_HUMAN_REVIEW', 'It is not known what the push would publish; retry it.');
    run.proposal = input.proposal;
    run.reason = 'The push waits for approval.';
    ask(d, 'push');
    return undefined;
  }
  run.reason = 'Pushes the branch.';
  owned(run, commitSha);
  work(d, { kind: 'push', commitSha, expect: run.pushed?.sha ?? null, approvalId: null });
  return undefined;
};

/** G6: high risk always needs a signature; with a pull request others read along, so that only low risk may go alone. */
export const needsSignature = ({ pr, order }: Run, { decision, risk }: Assessment): boolean =>
  decision === 'escalate' ||
  risk === 'high' ||
  (pr !== null && !(order.bounds.autoIterate && risk === 'low'));

/** A failed local check goes back to the agent within the bound, else to a person. */
const reflect = (d: Draft, failure: string): Verdict => {
  const { run } = d;
  run.round = within(run.round, run.plan && run.state !== 'ITERATING' ? 'plan_fix' : 'reflect', failure);
  const again = nextRound(run, run.round);
  if ('stop' in again) return stopAt(d, again) as undefined;
  run.counts = again.counts;
  if (run.state === 'ITERATING') {
    run.reason = 'The checks fail; the agent tries again.';
    work(d, { kind: 'implement', round: run.round });
    return undefined;
  }
  succeeded(d);
  return void enter(d, 'IMPLEMENTING', 'The checks fail; the agent tries again.');
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
    const why = deniedBy(run, 'open_pr', said);
    return void enter(d, 'NEEDS_HUMAN_REVIEW', `${sentence('policy_denied')} ${why}`);
  }
  landed(run, input, input.proposal);
  if (run.state === 'ITERATING') {
    run.round = PLAIN;
    enter(d, 'CI_WAIT', 'The fix is pushed; checks are waited for.');
    settle(d);
    return undefined;
  }
  if (!input.proposal)
    return void enter(
      d,
      'NEEDS_HUMAN_REVIEW',
      'It is not known what a pull request would publish; retry it.',
    );
  if (unsignable(input.proposal, 'open_pr')) return void enter(d, 'NEEDS_HUMAN_REVIEW', CONFLICTS);
  return void enter(d, 'PUSHED', 'Waits for your decision.');
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
  if (proposal && proposal.fields.assessment.decision !== 'deny') run.proposal = proposal;
};

/** G1: a pull request's number enters a run only here, and only for the approval that was consumed for it. */
const opened = (d: Draft, input: InputOf<'worker.pr.opened'>): Verdict => {
  const { run } = d;
  if (run.pr) return { ignore: 'the pull request is known already' };
  if (run.consumed?.kind !== 'open_pr' || run.consumed.id !== input.approvalId) {
    return { ignore: 'no approval was consumed for that pull request' };
  }
  run.pr = { number: input.number, url: input.url };
  run.counts = { ...run.counts, failedOutside: 0, retries: 0 };
  showGate(d, input.approvalId, false);
  if (run.state === 'PUSHED') {
    enter(d, 'CI_WAIT', `Pull request #${input.number} is open; checks are waited for.`);
  } else if (isActive(run.state)) {
    // Work towards a first pull request has no meaning any more.
    enter(d, 'NEEDS_HUMAN_REVIEW', `Pull request #${input.number} was opened before it could be stopped.`);
  } else {
    const when = isTerminal(run.state) ? 'ended' : 'was stopped';
    const text = `Pull request #${input.number} was opened just before the run ${when}: ${input.url}`;
    tell(d, { view: 'note', text }, { urgent: true });
  }
  settle(d);
  return undefined;
};
