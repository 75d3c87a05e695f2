/** Handles our own checks of a commit: green ones lead to a push or its card, red ones back to the agent. */
import { z } from 'zod';
import { Assessment, Grade } from '#model/assessment';
import { MAX_PICTURE_SIDES, PictureSide } from '#model/change';
import { Baseline, CheckConfigFiles, CheckResult } from '#model/evidence';
import { wordsFeedback, type Feedback } from '#model/feedback';
import { PushFork } from '#model/pull';
import { NO_USAGE } from '#model/reports';
import { isUnsignable, Proposal } from '#model/seal';
import { needsSignature } from '../gate/signature-rule.ts';
import { defineResult, stayPaused, moveFrom, type HandlerRuling } from '../lifecycle/define-input.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { recordPolicyDenial } from '../lifecycle/on-failure.ts';
import { OUTPUT_BYTES } from '../lifecycle/result-fields.ts';
import { permitRound } from '../lifecycle/permit-round.ts';
import { countSpending } from '../lifecycle/count-spending.ts';
import {
  addMessage,
  addWork,
  askToSign,
  clearRetries,
  rememberOwnCommit,
  type StepDraft,
} from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import { innerRound } from '../run/round-table.ts';
import { beginTurnForWords } from './on-operator-words.ts';
import { continuePlan } from './on-plan-loop.ts';
import { moveToNextProposer } from './on-proposer-ended.ts';
import type { ReportedChange } from '#model/agent';
import { enginesInTurn } from '#model/order';

const BEHAVES_ANEW: readonly (ReportedChange['type'] | undefined)[] = [null, undefined, 'fix', 'feature'];

/** E19: an agent hears once that the tests of its change pass without the change. */
const reportGreenTests = (draft: StepDraft, checks: readonly CheckResult[]): boolean => {
  const { run } = draft;
  const { agent, order, upstream } = run;
  const isGreen = checks.some(({ withTestsOnBase }) => withTestsOnBase === 'passes');
  const canHear =
    order.engine !== 'script' &&
    enginesInTurn(order).length === 0 &&
    !order.fixes &&
    upstream.pullRequest === null;
  if (!isGreen || !canHear || agent.plan || agent.greenTestsReported) return false;
  if (!BEHAVES_ANEW.includes(agent.claims.reported?.type)) return false;
  const told = innerRound(agent.round, 'check_fix', [{ kind: 'tests_pass_on_base' }]);
  const again = permitRound(run, told);
  if ('stop' in again) return false;
  agent.greenTestsReported = true;
  agent.round = told;
  run.lifecycle.counts = again.counts;
  clearRetries(draft);
  enterState(draft, 'IMPLEMENTING', { kind: 'tests_pass_on_base' });
  return true;
};

const onValidated = (draft: StepDraft, input: InputOf<'worker.validation.completed'>): HandlerRuling => {
  const { run } = draft;
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
  countSpending(draft, { ...input, session: null, usage: NO_USAGE });
  // Failed checks go to the agent first; a denial is judged again on the next commit.
  const isKept = run.agent.round.kind === 'kept_edits';
  // guard: E21-stopped-stays-stopped
  if (!passed && isKept) {
    run.agent.round = innerRound(run.agent.round, 'implement', []);
    return void enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'kept_work_red' });
  }
  if (!passed)
    return reflectOnFailure(
      draft,
      input.failure === null ? [{ kind: 'checks_failed' }] : wordsFeedback(input.failure),
    );
  // guard: P3-denied-not-pushed
  if (assessment.decision === 'deny') {
    if (!isKept && moveToNextProposer(draft, 'denied')) return undefined;
    return void enterState(draft, 'NEEDS_HUMAN_REVIEW', recordPolicyDenial(run, 'push', assessment));
  }
  if (!isKept && continueAgent(draft, checks)) return undefined;
  if (input.pictures) addMessage(draft, { view: 'pictures', sides: input.pictures });
  // The push card still shows the purpose of the iteration.
  run.agent.round = innerRound(run.agent.round, 'implement', []);
  if (
    needsSignature(run, assessment) &&
    (run.upstream.pullRequest || commitSha !== run.change.pushedHead?.sha)
  )
    return void askFirst(draft, input.proposal);
  run.lifecycle.reason = { kind: 'pushing' };
  rememberOwnCommit(run, commitSha);
  addWork(draft, {
    kind: 'push',
    commitSha,
    expectedHead: run.change.pushedHead?.sha ?? null,
    approvalId: null,
  });
  return undefined;
};

const continueAgent = (draft: StepDraft, checks: readonly CheckResult[]): boolean =>
  reportGreenTests(draft, checks) ||
  continuePlan(draft) ||
  // guard: E21-before-the-card
  beginTurnForWords(draft) ||
  moveToNextProposer(draft, 'passed');

/** One card signs push and opening, unless two are required or the opening is denied. */
const askFirst = (draft: StepDraft, proposal: Proposal | null): void => {
  const { run } = draft;
  if (!proposal) return enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'push_unconfirmed' });
  const { action, assessment, pushes } = proposal.fields;
  // guard: G6-push-signed-for
  if (action === 'open_pr' && (pushes !== true || run.upstream.pullRequest))
    return enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'push_unconfirmed' });
  if (action === 'open_pr' && assessment.decision === 'deny')
    return enterState(draft, 'NEEDS_HUMAN_REVIEW', recordPolicyDenial(run, action, assessment));
  run.gate.proposal = proposal;
  if (isUnsignable(proposal, action))
    return enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'merge_conflicts' });
  run.lifecycle.reason = { kind: action === 'push' ? 'push_approval_wait' : 'decision_wait' };
  askToSign(draft, action);
};

const reflectOnFailure = (draft: StepDraft, failure: Feedback[]): HandlerRuling => {
  const { run } = draft;
  const step = run.lifecycle.state === 'ITERATING' ? null : run.agent.plan?.plan.next;
  run.agent.round = innerRound(run.agent.round, step ? 'plan_fix' : 'check_fix', failure);
  const again = permitRound(run, run.agent.round);
  if ('stop' in again && moveToNextProposer(draft, 'checks_failed')) return undefined;
  if ('stop' in again) return void enterState(draft, 'NEEDS_HUMAN_REVIEW', again.stop);
  run.lifecycle.counts = again.counts;
  if (run.lifecycle.state === 'ITERATING') {
    run.lifecycle.reason = { kind: 'checks_failed_again' };
    addWork(draft, { kind: 'implement', round: run.agent.round });
    return undefined;
  }
  clearRetries(draft);
  return void enterState(draft, 'IMPLEMENTING', { kind: 'checks_failed_again' });
};

export const VALIDATION_RESULTS = [
  defineResult({
    type: 'worker.validation.completed',
    fields: {
      commitSha: z.string(),
      passed: z.boolean(),
      checks: z.array(CheckResult),
      assessment: Assessment,
      /** Null in results recorded before grades existed. */
      grade: Grade.nullable().default(null),
      proposal: Proposal.nullable(),
      fork: PushFork.exactOptional(),
      baseline: Baseline.exactOptional(),
      checkConfigFiles: CheckConfigFiles.exactOptional(),
      /** Absent when the repository has no command for pictures, or nothing looks different. */
      pictures: z.array(PictureSide).max(MAX_PICTURE_SIDES).exactOptional(),
      failure: z.string().nullable(),
      ms: z.number(),
      outputBytes: OUTPUT_BYTES,
    },
    moves: [
      moveFrom(
        ['LOCAL_VALIDATING'],
        ['LOCAL_VALIDATING', 'IMPLEMENTING', 'NEEDS_HUMAN_REVIEW'],
        'green; red; denied, or past the bound',
      ),
      moveFrom(['ITERATING'], ['ITERATING', 'NEEDS_HUMAN_REVIEW'], 'green or red; denied, or past the bound'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onValidated(d, input),
  }),
];
