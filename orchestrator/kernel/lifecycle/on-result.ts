/** Handles the results of effects: a commit, green or red checks, a push. */
import { needsSignature } from '../gate/signature-rule.ts';
import {
  askToSign,
  rememberOwnCommit,
  clearRetries,
  addMessage,
  reportQuestion,
  addWork,
  type StepDraft,
} from './step-draft.ts';
import { enterState } from './enter-state.ts';
import { countSpending, nextRound } from './round-allowance.ts';
import { wordsFeedback, type Feedback } from '#model/feedback';
import { NO_USAGE } from '#model/reports';
import { questionIn } from '#model/agent';
import { isUnsignable, type Proposal } from '#model/seal';
import { isChecking } from '#model/run';
import type { HandlerRuling } from './input-handler.ts';
import type { InputOf, ResultType } from '../inputs/inputs.ts';
import { deniedBy } from './on-failure.ts';
import { forgetGrants } from '../run/permissions.ts';
import { planGoesOn, replanChosen, stepChangedNothing } from '../rounds/on-plan.ts';
import { redNames } from '../ci/red-checks.ts';
import { hearsOfGreenTests } from '../rounds/green-tests.ts';
import { fixesGoOn } from '../rounds/ordered-fixes.ts';
import { turnEnded } from '../rounds/on-proposer-ended.ts';
import { ROUND_WITHOUT_FEEDBACK, innerRound } from '../run/round-table.ts';
import { settleState } from './settle-state.ts';
import type { Run } from '../run/run.ts';
import { recordDiscardedEdits } from '../rounds/discarded-edits.ts';
import { markRemarksFixed, proposedWords } from '../reviews/on-review-threads.ts';
import { isAddition, stepNow, wholeSummaryAfter, summaryAfter } from '../gate/summarise-change.ts';

/** S2: stores a result that arrives while the run is paused, for use on resume. */
export const keepResult = (d: StepDraft, input: InputOf<ResultType>): HandlerRuling => {
  const { run, stamp } = d;
  if (stamp.effectEpoch === null || stamp.effectEpoch !== run.lifecycle.pausedEpoch)
    return { ignore: 'stale result' };
  run.lifecycle.deferredResult = { input, effectEpoch: stamp.effectEpoch };
  return undefined;
};

export const onImplemented = (
  d: StepDraft,
  input: InputOf<'worker.implementation.completed'>,
): HandlerRuling => {
  const { run } = d;
  countSpending(d, input);
  recordDiscardedEdits(d, input.discardedEdits ?? null);
  tellOf(run, input);
  run.agent.summary = input.summary;
  run.agent.claims = input.claims;
  proposedWords(run, input.claims.replies ?? []);
  run.target.commitTrailers = input.commitTrailers ?? run.target.commitTrailers;
  run.agent.containment = input.containment;
  run.agent.exposedCredentials = input.exposedCredentials ?? null;
  run.lifecycle.counts = { ...run.lifecycle.counts, reportRepairs: 0 };
  forgetGrants(run);
  if (run.agent.plan)
    run.agent.plan = { ...run.agent.plan, violations: run.agent.plan.violations + input.violations };
  if (fixesGoOn(d, input)) return void reportQuestion(d, input.commit ? null : askedIn(input));
  if (input.revert === 'empty' && run.lifecycle.state === 'IMPLEMENTING')
    return void enterState(d, 'SKIPPED', { kind: 'revert_empty' });
  if (!input.commit) return void nothingToCommit(d, input);
  if (input.revert === 'clean') run.change.cleanRevert = true;
  else delete run.change.cleanRevert;
  run.change.commit = input.commit;
  if (run.target.base && run.change.pendingMerge?.sha === input.commit.base)
    run.target.base = { ...run.target.base, sha: input.commit.base };
  run.change.resetTo = input.workspaceStale ? input.commit.sha : null;
  if (run.agent.round.kind === 'person_advice' || run.agent.round.kind === 'update_from_base')
    run.agent.round = innerRound(run.agent.round, 'implement', []);
  if (replanChosen(d, input.claims.status, input.summary)) return undefined;
  if (run.lifecycle.state === 'ITERATING') {
    addWork(d, { kind: 'check', commitSha: input.commit.sha });
    run.lifecycle.reason = { kind: 'checks_running', on: 'fix' };
    return undefined;
  }
  clearRetries(d);
  return void enterState(d, 'LOCAL_VALIDATING', { kind: 'checks_running', on: 'commit' });
};

const MOST_FIXES = 20;

const tellOf = (
  run: Run,
  { claims: { reported: said }, summary, commit }: InputOf<'worker.implementation.completed'>,
): void => {
  // A step without changes adds nothing to the description of the change.
  const changed = (commit?.tree ?? null) !== (run.change.commit?.tree ?? null);
  const report = { said, summary: said === undefined ? '' : summary };
  const whole = wholeSummaryAfter(run, report);
  if (changed || !stepNow(run)) Object.assign(run.agent, summaryAfter(run, report).agent);
  if (whole !== undefined) run.agent.wholeSummary = whole;
  const fix = said?.what ?? report.summary;
  if (isAddition(run) && changed && fix !== '')
    run.agent.additionSummaries = [...(run.agent.additionSummaries ?? []), fix.slice(0, 300)].slice(
      -MOST_FIXES,
    );
  if (run.upstream.pullRequest && commit && !run.change.pendingMerge && fix !== '')
    run.agent.fixSummaries = [...run.agent.fixSummaries, fix.slice(0, 300)].slice(-MOST_FIXES);
};

const MOST_LEFT = 5;

const askedIn = ({ question, summary }: InputOf<'worker.implementation.completed'>): string | null =>
  question ?? questionIn(summary);

/** E17: `no_changes` is said only when the files are as they were. */
const nothingToCommit = (d: StepDraft, input: InputOf<'worker.implementation.completed'>): void => {
  const { run } = d;
  const { summary, skippedFiles: leftOut = [], ignored = [] } = input;
  const kept = leftOut.slice(0, MOST_LEFT);
  const question = kept.length === 0 ? askedIn(input) : null;
  // A plan is redone only when the agent asked nothing.
  if (question === null && stepChangedNothing(d, kept)) return;
  if (turnEnded(d, 'no_changes')) return void reportQuestion(d, question);
  if (question !== null) return enterState(d, 'NEEDS_HUMAN_REVIEW', { kind: 'agent_question', question });
  const unchanged = {
    kind: 'no_changes',
    summary: summary.slice(0, 500),
    checksMayRun: run.upstream.pullRequest !== null && redNames(run).length > 0,
    // A fix without changes names no ignored files, because checks leave them there.
    ...(run.upstream.pullRequest === null && ignored.length > 0
      ? { ignored: ignored.slice(0, MOST_LEFT) }
      : {}),
  } as const;
  enterState(
    d,
    'NEEDS_HUMAN_REVIEW',
    kept.length > 0 ? { kind: 'nothing_committable', skippedFiles: kept } : unchanged,
  );
};

export const onValidated = (d: StepDraft, input: InputOf<'worker.validation.completed'>): HandlerRuling => {
  const { run } = d;
  if (input.commitSha !== run.change.commit?.sha) return { ignore: 'another commit' };
  const { commitSha, passed, checks, assessment, grade, checkConfigFiles: checkConfig } = input;
  run.target.baseline = input.baseline ?? run.target.baseline;
  run.target.fork = input.fork ?? run.target.fork;
  run.change.evaluation = {
    commitSha,
    passed,
    checks,
    assessment,
    grade,
    ...(checkConfig ? { checkConfigFiles: checkConfig } : {}),
  };
  run.gate.deniedAction = null;
  countSpending(d, { ...input, session: null, usage: NO_USAGE });
  // Failed checks go to the agent first; a denial is judged again on the next commit.
  if (!passed)
    return reflect(d, input.failure === null ? [{ kind: 'checks_failed' }] : wordsFeedback(input.failure));
  // guard: P3-denied-not-pushed
  if (assessment.decision === 'deny') {
    if (turnEnded(d, 'denied')) return undefined;
    return void enterState(d, 'NEEDS_HUMAN_REVIEW', deniedBy(run, 'push', assessment));
  }
  if (hearsOfGreenTests(d, checks)) return undefined;
  if (planGoesOn(d)) return undefined;
  if (turnEnded(d, 'passed')) return undefined;
  if (input.pictures) addMessage(d, { view: 'pictures', sides: input.pictures });
  // The push card still shows the purpose of the iteration.
  run.agent.round = innerRound(run.agent.round, 'implement', []);
  if (
    needsSignature(run, assessment) &&
    (run.upstream.pullRequest || commitSha !== run.change.pushedHead?.sha)
  )
    return void askFirst(d, input.proposal);
  run.lifecycle.reason = { kind: 'pushing' };
  rememberOwnCommit(run, commitSha);
  addWork(d, { kind: 'push', commitSha, expectedHead: run.change.pushedHead?.sha ?? null, approvalId: null });
  return undefined;
};

/** One card signs push and opening, unless two are required or the opening is denied. */
const askFirst = (d: StepDraft, proposal: Proposal | null): void => {
  const { run } = d;
  if (!proposal) return enterState(d, 'NEEDS_HUMAN_REVIEW', { kind: 'push_unconfirmed' });
  const { action, assessment, pushes } = proposal.fields;
  // guard: G6-push-signed-for
  if (action === 'open_pr' && (pushes !== true || run.upstream.pullRequest))
    return enterState(d, 'NEEDS_HUMAN_REVIEW', { kind: 'push_unconfirmed' });
  if (action === 'open_pr' && assessment.decision === 'deny')
    return enterState(d, 'NEEDS_HUMAN_REVIEW', deniedBy(run, action, assessment));
  run.gate.proposal = proposal;
  if (isUnsignable(proposal, action)) return enterState(d, 'NEEDS_HUMAN_REVIEW', { kind: 'merge_conflicts' });
  run.lifecycle.reason = { kind: action === 'push' ? 'push_approval_wait' : 'decision_wait' };
  askToSign(d, action);
};

const reflect = (d: StepDraft, failure: Feedback[]): HandlerRuling => {
  const { run } = d;
  const step = run.lifecycle.state === 'ITERATING' ? null : run.agent.plan?.plan.next;
  run.agent.round = innerRound(run.agent.round, step ? 'plan_fix' : 'check_fix', failure);
  const again = nextRound(run, run.agent.round);
  if ('stop' in again && turnEnded(d, 'checks_failed')) return undefined;
  if ('stop' in again) return void enterState(d, 'NEEDS_HUMAN_REVIEW', again.stop);
  run.lifecycle.counts = again.counts;
  if (run.lifecycle.state === 'ITERATING') {
    run.lifecycle.reason = { kind: 'checks_failed_again' };
    addWork(d, { kind: 'implement', round: run.agent.round });
    return undefined;
  }
  clearRetries(d);
  return void enterState(d, 'IMPLEMENTING', { kind: 'checks_failed_again' });
};

export const onPushed = (d: StepDraft, input: InputOf<'worker.push.completed'>): HandlerRuling => {
  const { run } = d;
  if (!isChecking(run.lifecycle.state)) return landedLate(d, input);
  clearRetries(d);
  run.lifecycle.counts = { ...run.lifecycle.counts, outsideFailures: 0 };
  const said = input.proposal?.fields.assessment;
  if (said?.decision === 'deny') {
    // The branch exists, but its denied proposal is dropped: nobody may be asked to sign it.
    landed(d, input, null);
    run.gate.proposal = null;
    return void enterState(d, 'NEEDS_HUMAN_REVIEW', deniedBy(run, 'open_pr', said));
  }
  landed(d, input, input.proposal);
  if (run.lifecycle.state === 'ITERATING') {
    run.agent.round = ROUND_WITHOUT_FEEDBACK;
    markRemarksFixed(d, input.sha);
    enterState(d, 'CI_WAIT', { kind: 'fix_pushed' });
    if (input.description === 'edited_by_others' || input.description === 'failed')
      addMessage(d, {
        view: 'note',
        note: { kind: 'pull_description', how: input.description, pull: run.upstream.pullRequest?.id ?? '' },
      });
    settleState(d);
    return undefined;
  }
  if (goesOnToOpen(d, input)) return undefined;
  // A resumed run asks again for a signature that covered both push and opening.
  const proposal = input.proposal ?? (mayPropose(run, input.sha) ? run.gate.proposal : null);
  if (!proposal) return void enterState(d, 'NEEDS_HUMAN_REVIEW', { kind: 'pull_unconfirmed' });
  if (isUnsignable(proposal, 'open_pr'))
    return void enterState(d, 'NEEDS_HUMAN_REVIEW', { kind: 'merge_conflicts' });
  return void enterState(d, 'PUSHED', { kind: 'decision_wait' });
};

const mayPropose = ({ gate: { proposal } }: Run, sha: string): boolean =>
  proposal?.fields.action === 'open_pr' && proposal.fields.headSha === sha;

/** G1: the push's signature passes on to the opening, once, while the run is in that state. */
const goesOnToOpen = (d: StepDraft, { branch, sha }: InputOf<'worker.push.completed'>): boolean => {
  const { run, stamp } = d;
  const { consumedApproval: consumed } = run.gate;
  const { epoch } = run.lifecycle;
  if (consumed?.kind !== 'open_pr' || run.upstream.pullRequest) return false;
  const { fields, id, digest, by } = consumed;
  // guard: G1-pass-on-at-once
  if (fields.pushes !== true || consumed.epoch !== epoch || stamp.effectEpoch !== epoch) return false;
  // guard: G1-pass-on-what-was-signed
  if (fields.headSha !== sha || fields.branch !== branch) return false;
  enterState(d, 'PUSHED', { kind: 'approved', by }, { resting: true });
  const effectIndex = addWork(d, { kind: 'open_pr', approvalId: id, digest });
  d.approvals.push({ op: 'pass_on', id, digest, effectIndex });
  run.gate.consumedApproval = { ...consumed, epoch: run.lifecycle.epoch };
  return true;
};

/** A push finished after the run moved on: an open card keeps showing what it shows. */
export const landedLate = (d: StepDraft, input: InputOf<'worker.push.completed'>): HandlerRuling => {
  const { run } = d;
  if (!run.change.pushedHead) addWork(d, { kind: 'poll', intervalMs: run.order.bounds.pollMs });
  landed(d, input, run.gate.approval ? null : input.proposal);
  keepResult(d, input);
  return undefined;
};

const landed = (
  { run, stamp }: StepDraft,
  { branch, sha, description, fork }: InputOf<'worker.push.completed'>,
  proposal: Proposal | null,
): void => {
  run.change.pushedHead = { branch, sha };
  run.change.publicSince ??= stamp.at;
  if (fork) run.target.fork = fork;
  const body =
    run.gate.consumedApproval?.fields.headSha === sha ? run.gate.consumedApproval.fields.pullBody : undefined;
  if (run.upstream.pullRequest && description === 'refreshed' && body !== undefined)
    run.upstream.pullRequest = { ...run.upstream.pullRequest, body };
  if (run.change.commit?.sha === sha && run.change.pendingMerge) {
    const { ref, sha: base, commits } = run.change.pendingMerge;
    run.change.mergedBase = { ref, sha: base, commits };
    run.change.pendingMerge = null;
  }
  if (run.target.pendingBaseChange)
    run.target.pendingBaseChange = { ...run.target.pendingBaseChange, commitSha: sha };
  run.upstream.observed = { ...run.upstream.observed, branchHead: sha };
  rememberOwnCommit(run, sha);
  // guard: P3-denied-late
  if (proposal && proposal.fields.assessment.decision !== 'deny') run.gate.proposal = proposal;
};
