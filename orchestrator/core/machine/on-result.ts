/**
 * What follows from the results of effects: a commit, green or red checks, a push, a pull request.
 */
import { ask, enter, owned, succeeded, tell, tellQuestion, work, type Draft } from './draft.ts';
import { account, nextRound, stopAt } from './spending.ts';
import { words, type Feedback } from '../feedback.ts';
import type { Ruling } from './handler.ts';
import type { InputOf, ResultType } from './inputs.ts';
import { NO_USAGE, type Assessment } from '../facts.ts';
import { deniedBy } from './on-failure.ts';
import { forgetGrants } from './permissions.ts';
import { questionIn } from '../question.ts';
import { planGoesOn, stepChangedNothing } from './on-plan.ts';
import { fixesGoOn } from './ordered-fixes.ts';
import { turnEnded } from './proposers.ts';
import { PLAIN, within } from './rounds.ts';
import { unsignable, type Proposal } from '../seal.ts';
import { settle } from './settle.ts';
import type { Run } from './run.ts';
import { isChecking } from '../states.ts';
import { undo } from './undone.ts';
import { fixed, proposedWords } from './on-talk.ts';
import { stepNow, wholeSummaryAfter, wordsAfter } from './whole-words.ts';

/** S2: on a paused run, a result of what was going on then is kept for resume. */
export const keep = (d: Draft, input: InputOf<ResultType>): Ruling => {
  const { run, stamp } = d;
  if (stamp.effectEpoch === null || stamp.effectEpoch !== run.pausedEpoch) return { ignore: 'stale result' };
  run.kept = { input, effectEpoch: stamp.effectEpoch };
  return undefined;
};

export const implemented = (d: Draft, input: InputOf<'worker.implementation.completed'>): Ruling => {
  const { run } = d;
  account(d, input);
  undo(d, input.undone ?? null);
  tellOf(run, input);
  run.summary = input.summary;
  run.claims = input.claims;
  proposedWords(run, input.claims.replies ?? []);
  run.trailers = input.trailers ?? run.trailers;
  run.containment = input.containment;
  run.lends = input.lends ?? null;
  run.counts = { ...run.counts, repairs: 0 };
  forgetGrants(run);
  if (run.plan) run.plan = { ...run.plan, violations: run.plan.violations + input.violations };
  if (fixesGoOn(d, input)) return void tellQuestion(d, input.commit ? null : questionIn(input.summary));
  if (!input.commit) return void nothingToCommit(d, input);
  run.commit = input.commit;
  if (run.base && run.merging?.sha === input.commit.base) run.base = { ...run.base, sha: input.commit.base };
  run.lay = input.lay ? input.commit.sha : null;
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

const MOST_FIXES = 20;

const tellOf = (
  run: Run,
  { claims: { said }, summary, commit }: InputOf<'worker.implementation.completed'>,
): void => {
  // A step that left the files as they were has no part in the change.
  const changed = (commit?.tree ?? null) !== (run.commit?.tree ?? null);
  const whole = wholeSummaryAfter(run, { said, summary });
  if (changed || !stepNow(run)) Object.assign(run, wordsAfter(run, { said, summary }));
  if (whole !== undefined) run.wholeSummary = whole;
  const fix = said?.what ?? summary;
  if (run.pr && commit && !run.merging && fix !== '')
    run.fixes = [...run.fixes, fix.slice(0, 300)].slice(-MOST_FIXES);
};

/** As many are told of. */
const MOST_LEFT = 5;

/** E17: that nothing was changed is said only when the files are as they were. */
const nothingToCommit = (
  d: Draft,
  { summary, leftOut = [], ignored = [] }: InputOf<'worker.implementation.completed'>,
): void => {
  const { run } = d;
  const kept = leftOut.slice(0, MOST_LEFT);
  const question = kept.length === 0 ? questionIn(summary) : null;
  // A plan can be made anew without an answer only where nothing was asked.
  if (question === null && stepChangedNothing(d, kept)) return;
  if (turnEnded(d, 'no_changes')) return void tellQuestion(d, question);
  if (question !== null) return enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'agent_asks', question });
  const unchanged = {
    kind: 'no_changes',
    summary: summary.slice(0, 500),
    checksMayRun: run.pr !== null,
    // Where a fix changes nothing, what lies there is left by checks.
    ...(run.pr === null && ignored.length > 0 ? { ignored: ignored.slice(0, MOST_LEFT) } : {}),
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
  run.baseline = input.baseline ?? run.baseline;
  run.fork = input.fork ?? run.fork;
  run.evaluation = { commitSha, passed, checks, assessment, grade, ...(judges ? { judges } : {}) };
  run.denied = null;
  account(d, { ...input, session: null, usage: NO_USAGE });
  // Failed checks go back to the agent first; whatever else is forbidden is judged again on what
  // comes of it.
  if (!passed) return reflect(d, input.failure === null ? [{ kind: 'checks_failed' }] : words(input.failure));
  // guard: P3-denied-not-pushed
  if (assessment.decision === 'deny') {
    if (turnEnded(d, 'denied')) return undefined;
    return void enter(d, 'NEEDS_HUMAN_REVIEW', deniedBy(run, 'push', assessment));
  }
  if (planGoesOn(d)) return undefined;
  if (turnEnded(d, 'passed')) return undefined;
  if (input.pictures) tell(d, { view: 'pictures', sides: input.pictures });
  // What the iteration was asked for is still what the card of its push tells.
  run.round = within(run.round, 'implement', []);
  // What is on the branch already becomes public by no push.
  if (needsSignature(run, assessment) && (run.pr || commitSha !== run.pushed?.sha)) {
    return askFirst(d, input.proposal) as undefined;
  }
  run.reason = { kind: 'pushes' };
  owned(run, commitSha);
  work(d, { kind: 'push', commitSha, expect: run.pushed?.sha ?? null, approvalId: null });
  return undefined;
};

/**
 * One card for both, push and opening, where nothing asks for two; what nobody may open is not
 * pushed for it either.
 */
const askFirst = (d: Draft, proposal: Proposal | null): void => {
  const { run } = d;
  if (!proposal) return enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'push_unknown' });
  const { action, assessment, pushes } = proposal.fields;
  // guard: G6-push-signed-for
  if (action === 'open_pr' && (pushes !== true || run.pr))
    return enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'push_unknown' });
  if (action === 'open_pr' && assessment.decision === 'deny')
    return enter(d, 'NEEDS_HUMAN_REVIEW', deniedBy(run, action, assessment));
  run.proposal = proposal;
  if (unsignable(proposal, action)) return enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'conflicts' });
  run.reason = { kind: action === 'push' ? 'push_waits' : 'decision_waits' };
  ask(d, action);
};

/**
 * G6: high risk always needs a signature; with a pull request others read along, so that only low
 * risk may go alone; and nothing goes alone where everything waits for a signature.
 */
// guard: G6-signature-rule
export const needsSignature = ({ pr, order }: Run, { decision, risk }: Assessment): boolean =>
  order.bounds.push === 'after_approval' ||
  decision === 'escalate' ||
  risk === 'high' ||
  (pr !== null && !(order.bounds.autoIterate && risk === 'low'));

/** A failed local check goes back to the agent within the bound, else to a person. */
const reflect = (d: Draft, failure: Feedback[]): Ruling => {
  const { run } = d;
  const step = run.state === 'ITERATING' ? null : run.plan?.plan.next;
  run.round = within(run.round, step ? 'plan_fix' : 'reflect', failure);
  const again = nextRound(run, run.round);
  if ('stop' in again && turnEnded(d, 'checks_failed')) return undefined;
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
    // The branch is there; what would have been proposed is not kept, so that nobody can be asked
    // to sign it.
    landed(d, input, null);
    run.proposal = null;
    return void enter(d, 'NEEDS_HUMAN_REVIEW', deniedBy(run, 'open_pr', said));
  }
  landed(d, input, input.proposal);
  if (run.state === 'ITERATING') {
    run.round = PLAIN;
    fixed(d, input.sha);
    enter(d, 'CI_WAIT', { kind: 'fix_pushed' });
    if (input.description === 'kept' || input.description === 'failed')
      tell(d, {
        view: 'note',
        note: { kind: 'description', how: input.description, pull: run.pr?.id ?? '' },
      });
    settle(d);
    return undefined;
  }
  if (goesOnToOpen(d, input)) return undefined;
  // After a pause, what was signed for both is asked about once more.
  const proposal = input.proposal ?? (mayPropose(run, input.sha) ? run.proposal : null);
  if (!proposal) return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'pull_unknown' });
  if (unsignable(proposal, 'open_pr')) return void enter(d, 'NEEDS_HUMAN_REVIEW', { kind: 'conflicts' });
  return void enter(d, 'PUSHED', { kind: 'decision_waits' });
};

const mayPropose = ({ proposal }: Run, sha: string): boolean =>
  proposal?.fields.action === 'open_pr' && proposal.fields.headSha === sha;

/**
 * G1: the signature that pushed was for the opening as well. It passes on to that, once, and only
 * while the run has not left the state it was signed in.
 */
const goesOnToOpen = (d: Draft, { branch, sha }: InputOf<'worker.push.completed'>): boolean => {
  const { run, stamp } = d;
  const { consumed, epoch } = run;
  if (consumed?.kind !== 'open_pr' || run.pr) return false;
  const { fields, id, digest, by } = consumed;
  // guard: G1-pass-on-at-once
  if (fields.pushes !== true || consumed.epoch !== epoch || stamp.effectEpoch !== epoch) return false;
  // guard: G1-pass-on-what-was-signed
  if (fields.headSha !== sha || fields.branch !== branch) return false;
  enter(d, 'PUSHED', { kind: 'approved', by }, { resting: true });
  const effectIndex = work(d, { kind: 'open_pr', approvalId: id, digest });
  d.approvals.push({ op: 'pass_on', id, digest, effectIndex });
  run.consumed = { ...consumed, epoch: run.epoch };
  return true;
};

/** A push that the run has not waited for: a card that is open keeps saying what it shows. */
export const landedLate = (d: Draft, input: InputOf<'worker.push.completed'>): Ruling => {
  const { run } = d;
  if (!run.pushed) work(d, { kind: 'observe', everyMs: run.order.bounds.pollMs });
  landed(d, input, run.approval ? null : input.proposal);
  keep(d, input);
  return undefined;
};

/** The branch is where we pushed it: a fact, whatever follows. */
const landed = (
  { run, stamp }: Draft,
  { branch, sha, description, fork }: InputOf<'worker.push.completed'>,
  proposal: Proposal | null,
): void => {
  run.pushed = { branch, sha };
  run.publicSince ??= stamp.at;
  if (fork) run.fork = fork;
  const body = run.consumed?.fields.headSha === sha ? run.consumed.fields.pullBody : undefined;
  if (run.pr && description === 'refreshed' && body !== undefined) run.pr = { ...run.pr, body };
  if (run.commit?.sha === sha && run.merging) {
    const { ref, sha: base, commits } = run.merging;
    run.merged = { ref, sha: base, commits };
    run.merging = null;
  }
  if (run.baseMove) run.baseMove = { ...run.baseMove, sha };
  run.seen = { ...run.seen, head: sha };
  owned(run, sha);
  // guard: P3-denied-late
  if (proposal && proposal.fields.assessment.decision !== 'deny') run.proposal = proposal;
};
