/** Decides by class and bounds (E5, S7) what follows a failed step. */
import { z } from 'zod';
import { SkippedFile } from '#model/change';
import { AgentSession, ModelUsage } from '#model/reports';
import { ReaderLimitReached, backoffDelay, DAY, HOUR } from '#model/values';
import { CHECKING, WATCHING } from '../run/state-groups.ts';
import { DISCARDED_EDITS, OUTPUT_BYTES, TURNS } from './result-fields.ts';
import { accountOf, findExhaustedBudget } from './run-budget.ts';
import {
  askToSign,
  showGate,
  addMessage,
  reportQuestion,
  addOfferedInput,
  addWork,
  type StepDraft,
} from './step-draft.ts';
import { enterState } from './enter-state.ts';
import { callAboutHead } from './stop-for-foreign-head.ts';
import { permitRound, stopForBudget } from './permit-round.ts';
import { countSpending } from './count-spending.ts';
import { denyingPolicies, Assessment } from '#model/assessment';
import { Failure, type FailureClass, failureConsequence, shouldWaitForProvider } from '#model/failure';
import { wordsFeedback } from '#model/feedback';
import { isUnsignable, Proposal, SealDifference } from '#model/seal';
import { isAgentWorking, isChecking, isWorking } from '#model/run';
import type { InputOf } from '../run/input-types.ts';
import { defineResult, stayPaused, moveFrom, stayIn, type HandlerRuling } from './define-input.ts';
import { moveToNextProposer } from '../rounds/on-proposer-ended.ts';
import { onRerunRefused } from '../ci/on-checks-compared.ts';
import { toFailedReason, type Reason, type ReasonOf } from '../run/reasons.ts';
import { innerRound } from '../run/round-table.ts';
import { isSpendingState, type AssessedPublication, type Run } from '../run/run.ts';
import { engineOf } from '../run/proposer-rotation.ts';
import { recordDiscardedEdits } from '../rounds/record-discarded-edits.ts';

/** Wait that uses up no retry (ms); null when this try counts like any other. */
const providerWait = (
  { run, stamp }: StepDraft,
  failure: FailureClass,
  retryAt: number | null,
): number | null => {
  const { maxRateWaits, rateWaitMs, retryMs } = run.order.bounds;
  const waited = run.lifecycle.counts.providerWaits;
  if (maxRateWaits !== null && waited >= maxRateWaits) return null;
  const wait = retryAt === null ? 0 : retryAt - stamp.at;
  // A provider that repeats "retry at once" does not escape the bound.
  // guard: S7-instant-retry
  if (wait > retryMs) return wait;
  const patient = shouldWaitForProvider(failure);
  return patient && maxRateWaits !== null ? backoffDelay(waited, { first: rateWaitMs, most: HOUR }) : null;
};

export const waitForProvider = (draft: StepDraft, failure: FailureClass, wait: number): void => {
  const { run, stamp } = draft;
  const { maxRateWaits, longWaitMs } = run.order.bounds;
  if (maxRateWaits !== null)
    run.lifecycle.counts = { ...run.lifecycle.counts, providerWaits: run.lifecycle.counts.providerWaits + 1 };
  const { startedAt: since, announced: told } = run.lifecycle.providerWait ?? {
    startedAt: stamp.at,
    announced: false,
  };
  const until = stamp.at + wait;
  const long = until - since >= longWaitMs;
  run.lifecycle.providerWait = { startedAt: since, announced: told || long };
  // Runs of a campaign that wait for the same share one message: the first one rings.
  const { campaign } = run.order;
  const slot =
    campaign === undefined ? {} : { slot: `waiting:${campaign}:${failure}:${Math.floor(stamp.at / DAY)}` };
  // guard: E17-long-wait-once
  if (long && !told)
    addMessage(draft, { view: 'provider_wait', class: failure, since, until }, { ...slot, sound: true });
};

const onStepFailed = (draft: StepDraft, input: InputOf<'worker.step.failed'>): HandlerRuling => {
  const { run } = draft;
  if (run.gate.approval && input.step === 'modify_proposal') {
    addMessage(
      draft,
      { view: 'note', note: { kind: 'edited_text_failed', class: input.class } },
      { urgent: true },
    );
    return undefined;
  }
  if (input.step === 'read_head' || run.lifecycle.state === 'NEEDS_HUMAN_REVIEW')
    return refuseUnreadHead(draft, input);
  // A failed re-run is reported even while an approval is open, because nothing else would show it.
  // guard: F6-refused-rerun-told
  if (input.step === 'rerun_ci') return onRerunRefused(draft, input);
  if (run.gate.approval) return { ignore: 'a person is waited for' };
  if (input.usageSoFar) countSpending(draft, input.usageSoFar);
  if (input.discardedEdits) recordDiscardedEdits(draft, input.discardedEdits);
  if (input.class === 'session_lost' || input.class === 'context_exceeded') run.agent.session = null;
  const spent = isSpendingState(run.lifecycle.state)
    ? findExhaustedBudget(run, input.step === 'check' || input.step === 'check_base' ? 'check' : 'agent')
    : null;
  if (spent) return void stopForBudget(draft, spent);
  if (input.class === 'invalid_output' && input.question && askAgentsQuestion(draft, input.question))
    return undefined;
  if (input.class === 'invalid_output' && repairReport(draft, input.message)) return undefined;
  return followFailure(draft, input);
};

/** The class of the failure decides: another try, a new card, the end, or a person. */
const followFailure = (draft: StepDraft, input: InputOf<'worker.step.failed'>): HandlerRuling => {
  const { run } = draft;
  const action = input.step === 'open_pr' ? 'open_pr' : 'push';
  if (input.readFailure && input.readFailure.foundInRun === null) run.target.readFailure = input.readFailure;
  const denied = input.assessment && recordPolicyDenial(run, action, input.assessment);
  const why = toFailedReason(input);
  const told = denied ?? findSpecificReason(run, input) ?? why;
  const publishes = run.lifecycle.state === 'PUSHED' || isChecking(run.lifecycle.state);
  const outside = publishes && (input.step === 'open_pr' || input.step === 'push');
  if (outside && pauseIfFailing(draft, why)) return undefined;
  const follows = failureConsequence(input.class);
  if (follows === 'terminal') return void enterState(draft, 'FAILED_TERMINAL', told);
  const same = run.lifecycle.state === 'PUSHED' && follows === 'retry' ? run.gate.proposal : null;
  const next = input.class === 'seal_moved' ? input.proposal : same;
  // A conflict cannot be signed away: the branch is updated from its base first.
  const conflicts = next !== null && isUnsignable(next, next.fields.action);
  if (conflicts) run.gate.proposal = next;
  if (next && !conflicts && askAnew(draft, next, told)) return undefined;
  if (follows === 'retry' && canRepeat(run)) return retryLater(draft, why, input.retryAt);
  if (isAgentWorking(run.lifecycle.state) && moveToNextProposer(draft, 'failed')) return undefined;
  return void enterState(draft, 'NEEDS_HUMAN_REVIEW', told);
};

const findSpecificReason = (run: Run, input: InputOf<'worker.step.failed'>): Reason | null => {
  const { skippedFiles: leftOut, differences: moved, readFailure: unreadable, model = null } = input;
  const { limit } = accountOf(run, 'cost');
  if (input.class === 'price_unknown' && limit !== null)
    return { kind: 'price_unknown', run: run.id, engine: engineOf(run), model, limit };
  if (leftOut) return { kind: 'nothing_committable', skippedFiles: leftOut };
  if (moved) return { kind: 'seal_changed', differences: moved };
  return unreadable ? { kind: 'repository_unreadable', ...unreadable } : null;
};

/** The foreign commit could not be read or adopted: the user is told and may tap again. */
const refuseUnreadHead = (draft: StepDraft, failed: InputOf<'worker.step.failed'>): HandlerRuling => {
  const { run } = draft;
  const { step, class: of, message } = failed;
  if (!run.change.foreignHead || step !== 'read_head') return { ignore: 'nobody asks' };
  run.change.foreignHead = { ...run.change.foreignHead, adoptedBy: null };
  callAboutHead(draft);
  addMessage(
    draft,
    {
      view: 'note',
      note: { kind: 'head_unread', class: of, message, ...(failed.detail && { detail: failed.detail }) },
    },
    { urgent: true },
  );
  return undefined;
};

export const recordPolicyDenial = (
  run: Run,
  action: AssessedPublication['action'],
  assessment: Assessment,
): Reason => {
  const denied = { kind: 'denied', objections: denyingPolicies(assessment) } as const;
  run.gate.deniedAction = { action, assessment };
  run.agent.round = innerRound(run.agent.round, 'rejection_fix', [denied]);
  return { ...denied, kind: 'policy_denied' };
};

type Failed = ReasonOf<'step_failed'>;

const canRepeat = ({ lifecycle: { state } }: Run): boolean => state === 'QUEUED' || isWorking(state);

/** C4: shows the agent's question. After edits it does not wait: the next report decides. */
const askAgentsQuestion = (
  draft: StepDraft,
  { text, edited }: { text: string; edited: boolean },
): boolean => {
  if (!isAgentWorking(draft.run.lifecycle.state)) return false;
  if (edited) reportQuestion(draft, text);
  else enterState(draft, 'NEEDS_HUMAN_REVIEW', { kind: 'agent_question', question: text });
  return !edited;
};

/** E7: keeps the change and asks the agent for its report once more. */
const repairReport = (draft: StepDraft, problem: string): boolean => {
  const { run } = draft;
  if (!isAgentWorking(run.lifecycle.state)) return false;
  const again = permitRound(run, innerRound(run.agent.round, 'report_repair', wordsFeedback(problem)));
  if ('stop' in again) return false;
  run.lifecycle.counts = again.counts;
  run.lifecycle.reason = { kind: 'report_asked_again' };
  addWork(draft, { kind: 'implement', round: again.round });
  return true;
};

/** S7: too many failures of outside effects in a row pause the run. */
const pauseIfFailing = (draft: StepDraft, why: Failed): boolean => {
  const { order } = draft.run;
  const { counts } = draft.run.lifecycle;
  const failedOutside = counts.outsideFailures + 1;
  draft.run.lifecycle.counts = { ...counts, outsideFailures: failedOutside };
  // guard: S7-outside-failures
  if (failedOutside < order.bounds.maxFailedOutside) return false;
  enterState(draft, 'PAUSED', { ...why, inRow: failedOutside }, { ring: true });
  return true;
};

/** The consumed card tells its outcome, and a new one shows what would be published now. */
const askAnew = (draft: StepDraft, proposal: Proposal, why: Reason): boolean => {
  const { run } = draft;
  const used = run.gate.consumedApproval?.epoch === run.lifecycle.epoch ? run.gate.consumedApproval : null;
  if (!used || proposal.fields.assessment.decision === 'deny') return false;
  run.gate.proposal = proposal;
  run.lifecycle.reason = why;
  showGate(draft, used.id, { sound: false });
  askToSign(draft, used.kind);
  return true;
};

/** Doubles the delay of each retry, then asks a user. Waits for a provider have their own bound. */
export const retryLater = (draft: StepDraft, why: Failed, retryAt: number | null): undefined => {
  const { run, stamp } = draft;
  const { maxStepRetries, retryMs } = run.order.bounds;
  const tries = run.lifecycle.counts.retries;
  const waits = providerWait(draft, why.class, retryAt);
  // guard: S7-step-retries
  if (waits === null && tries >= maxStepRetries) {
    enterState(draft, 'NEEDS_HUMAN_REVIEW', { ...why, tries: tries + 1 });
    return;
  }
  if (waits === null) run.lifecycle.counts = { ...run.lifecycle.counts, retries: tries + 1 };
  const wait = waits ?? backoffDelay(tries, { first: retryMs, most: DAY });
  enterState(draft, 'FAILED_RETRYABLE', {
    ...why,
    again: true,
    retryAt: waits === null ? null : stamp.at + wait,
  });
  if (waits !== null) waitForProvider(draft, why.class, wait);
  addOfferedInput(draft, { type: 'timer.retry', epoch: run.lifecycle.epoch }, wait);
};

export const FAILURE_RESULTS = [
  defineResult({
    type: 'worker.step.failed',
    fields: {
      step: z.string(),
      ...Failure.shape,
      /** Retry time from the provider (epoch ms). */
      retryAt: z.number().nullable(),
      usageSoFar: z
        .object({
          session: AgentSession.nullable(),
          usage: ModelUsage,
          ms: z.number(),
          outputBytes: OUTPUT_BYTES,
          turns: TURNS,
        })
        .nullable()
        .default(null),
      proposal: Proposal.nullable(),
      differences: z.array(SealDifference).exactOptional(),
      assessment: Assessment.nullable().default(null),
      skippedFiles: z.array(SkippedFile).exactOptional(),
      /** C4: the agent's question in place of a report; `edited`: it had changed files anyway. */
      question: z.object({ text: z.string(), edited: z.boolean() }).exactOptional(),
      readFailure: ReaderLimitReached.exactOptional(),
      /** E18: model without a price; null when the agent named none. */
      model: z.string().nullable().exactOptional(),
      discardedEdits: DISCARDED_EDITS,
    },
    moves: [
      ...stayIn(['NEEDS_HUMAN_REVIEW'], 'their commit could not be read'),
      moveFrom(
        ['QUEUED', 'DISCOVERY', 'IMPLEMENTING', ...CHECKING],
        ['FAILED_RETRYABLE', 'NEEDS_HUMAN_REVIEW', 'FAILED_TERMINAL'],
        'by class and bounds',
      ),
      moveFrom(['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'what another engine made goes on'),
      ...stayIn(['IMPLEMENTING', 'ITERATING'], 'the report is asked for again'),
      moveFrom(['PUSHED'], ['NEEDS_HUMAN_REVIEW', 'FAILED_TERMINAL'], 'a person'),
      moveFrom(WATCHING, ['NEEDS_HUMAN_REVIEW', 'FAILED_TERMINAL'], 'CI could not be re-run'),
      ...stayIn([...CHECKING, 'PUSHED'], 'a new card'),
      moveFrom([...CHECKING, 'PUSHED'], ['PAUSED'], 'too many outside failures in a row'),
      ...stayPaused(),
    ],
    handle: (d, input): HandlerRuling => onStepFailed(d, input),
  }),
];
