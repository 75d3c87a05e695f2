/** Decides how a stopped run continues: its state, advice, and whether a stored result counts. */
import { z } from 'zod';
import { Person } from '#model/order';
import { enterState } from './enter-state.ts';
import { requestReset, type StepDraft } from './step-draft.ts';
import { toBudgetReason } from './permit-round.ts';
import { countSpending, type RoundSpent } from './count-spending.ts';
import { findExhaustedBudget } from './run-budget.ts';
import { NO_USAGE } from '#model/reports';
import { firstLine, wordsFeedback } from '#model/feedback';
import {
  RUN_STATES,
  ACTIVE_STATES,
  isActive,
  isAgentWorking,
  isWatching,
  STATE_TRAITS,
  workerIn,
  type RunState,
} from '#model/run';
import type { InputOf, ResultType } from '../run/input-types.ts';
import { defineCommand, moveFrom, type HandlerRuling } from './define-input.ts';
import { findResult } from './result-inputs.ts';
import type { Reason } from '../run/reasons.ts';
import { mayEnter } from './state-preconditions.ts';
import { innerRound } from '../run/round-table.ts';
import { isSpendingState, type Run } from '../run/run.ts';
import { hasForeignHead } from '../run/foreign-commit.ts';
import { listHintsOr, toForeignHeadRefusal, type Refusal } from '../run/refusals.ts';
import { enterIteration, settleState } from './settle-state.ts';

const MOST_ADVICE = 5;

export const retryOrResume = (
  draft: StepDraft,
  input: InputOf<'command.retry' | 'command.resume'>,
): HandlerRuling => {
  const { advice, target } = input;
  const retried = input.type === 'command.retry';
  if (retried && hasForeignHead(draft.run)) return { refuse: toForeignHeadRefusal(draft.run) };
  const note = advice === undefined ? '' : firstLine(advice);
  const reason = { kind: retried ? 'retried' : 'resumed', by: input.by.name, note } as const;
  return continueRun(draft, { target, retried, reason, ...(advice === undefined ? {} : { advice }) });
};

type Onward = { target: RunState | null; retried: boolean; reason: Reason; advice?: string };

const checkMayGoOn = (
  run: Run,
  wanted: RunState,
  choices: readonly RunState[],
  advice: string | undefined,
): Refusal | null => {
  if (!choices.includes(wanted))
    return { kind: 'cannot_continue', run: run.id, at: wanted, possible: [...choices] };
  if (advice !== undefined && STATE_TRAITS[wanted].agent === null) return { kind: 'no_reader' };
  if (wanted === 'IMPLEMENTING' && run.target.escalation !== null)
    return { kind: 'plan_state_first', run: run.id };
  const spent = findExhaustedBudget(run, workerIn(wanted));
  return spent && isSpendingState(wanted) ? { kind: 'run_stopped', by: toBudgetReason(run, spent) } : null;
};

/** What failed before is not counted against a run that a person lets go on. */
const restartCounts = (run: Run, { retried }: Pick<Onward, 'retried'>): void => {
  run.lifecycle.counts = {
    ...run.lifecycle.counts,
    retries: 0,
    reflections: 0,
    reportRepairs: 0,
    planStepFixes: 0,
    outsideFailures: 0,
    providerWaits: 0,
  };
  if (run.agent.plan && retried) run.lifecycle.counts = { ...run.lifecycle.counts, planRounds: 0 };
  run.lifecycle.providerWait = null;
};

/** New advice, a drop, or a pull request that left its base voids the stored result. */
const findUsableResult = (
  run: Run,
  wanted: RunState,
  heeds: { advice: boolean },
): Run['lifecycle']['deferredResult'] => {
  const { deferredResult: kept, resumeState: back } = run.lifecycle;
  return kept !== null &&
    // guard: E21-dropped-result
    run.lifecycle.reason.kind !== 'work_dropped' &&
    !run.target.pendingBaseChange &&
    !heeds.advice &&
    wanted === back &&
    findResult(kept.input.type)?.moves.some(({ from }) => from.includes(wanted)) === true
    ? kept
    : null;
};

export const continueRun = (draft: StepDraft, input: Onward): HandlerRuling => {
  const { run } = draft;
  const choices: readonly RunState[] = ACTIVE_STATES.filter((s) => mayEnter(run, s));
  const { advice, reason } = input;
  const wanted = input.target ?? defaultTarget(run, choices, { told: advice !== undefined });
  const refusal = checkMayGoOn(run, wanted, choices, advice);
  if (refusal) return { refuse: refusal };
  restartCounts(run, input);
  const { resumeState: back } = run.lifecycle;
  const heeds = advice !== undefined && isAgentWorking(wanted);
  const kept = findUsableResult(run, wanted, { advice: heeds });
  if (!kept) countDeferredSpending(draft);
  if (advice !== undefined) run.agent.advice = [...run.agent.advice, advice].slice(-MOST_ADVICE);
  if (heeds && run.upstream.pullRequest && back && isWatching(back)) {
    enterIteration(draft, { kind: 'person_request', feedback: wordsFeedback(advice), purpose: [] });
    settleState(draft);
    return undefined;
  }
  if (!isAgentWorking(wanted)) abandonBaseMerge(draft);
  // Conflicts and the reason of a denial (P4) stay the round's subject: advice stands beside them.
  const tells = isResolvingMerge(run) || run.agent.round.kind === 'rejection_fix';
  if (heeds && !tells && !(run.agent.plan && run.agent.round.kind.startsWith('plan_')))
    run.agent.round = innerRound(run.agent.round, 'person_advice', wordsFeedback(advice));
  enterState(draft, wanted, reason, { resting: kept !== null });
  if (kept && run.gate.consumedApproval?.epoch === kept.effectEpoch)
    run.gate.consumedApproval = { ...run.gate.consumedApproval, epoch: run.lifecycle.epoch };
  if (kept && findResult(kept.input.type)?.handleNow(draft, kept.input)) enterState(draft, wanted, reason);
  settleState(draft);
  return undefined;
};

const isResolvingMerge = ({ agent: { round }, change: { pendingMerge: merging } }: Run): boolean =>
  round.kind === 'update_from_base' && !!merging;

/** Half-merged files are no ground for other work: reset to the commit before the merge. */
export const abandonBaseMerge = (draft: StepDraft): void => {
  const { run } = draft;
  if (run.agent.round.kind !== 'update_from_base') return;
  if (run.change.pendingMerge) requestReset(draft, run.change.commit?.sha ?? null);
  run.change.pendingMerge = null;
  run.agent.round = innerRound(run.agent.round, 'implement', []);
};

/** E6: a result that is not used was paid for all the same. */
export const countDeferredSpending = (draft: StepDraft): void => {
  const kept = draft.run.lifecycle.deferredResult;
  const spent = kept && findRoundSpent(kept.input);
  if (spent) countSpending(draft, spent);
};

const findRoundSpent = (input: InputOf<ResultType>): RoundSpent | null => {
  switch (input.type) {
    case 'worker.implementation.completed':
    case 'worker.plan.updated':
    case 'worker.contract.refined':
    case 'worker.permission.asked':
    case 'worker.turn.interrupted':
      return input;
    case 'worker.validation.completed':
    case 'worker.base.checked':
      return { ms: input.ms, session: null, usage: NO_USAGE };
    case 'worker.step.failed':
      return input.usageSoFar;
    default:
      return null;
  }
};

/** Default: the state it was in, or where its rejection can be fixed or its advice heard. */
const defaultTarget = (run: Run, choices: readonly RunState[], { told }: { told: boolean }): RunState => {
  const { resumeState: back } = run.lifecycle;
  const { commit, evaluation } = run.change;
  const { round } = run.agent;
  const rejected =
    round.kind !== 'implement' && evaluation?.passed === true && evaluation.commitSha === commit?.sha;
  // The same bytes are not proposed again: the agent has to address the rejection first.
  if ((rejected || told) && back !== null && isActive(back) && STATE_TRAITS[back].agent === null)
    return run.upstream.pullRequest ? 'ITERATING' : 'IMPLEMENTING';
  if (back !== null && choices.includes(back)) return back;
  const compared: readonly RunState[] = back === 'PUSHED' ? ['LOCAL_VALIDATING'] : [];
  const order: readonly RunState[] = ['CI_WAIT', ...compared, 'IMPLEMENTING', 'DISCOVERY'];
  return order.find((s) => choices.includes(s)) ?? 'QUEUED';
};

const ONWARD = {
  by: Person,
  target: z.enum(RUN_STATES).nullable(),
  advice: z.string().min(1).max(2_000).exactOptional(),
};

export const ONWARD_COMMANDS = [
  defineCommand({
    type: 'command.retry',
    fields: ONWARD,
    moves: [
      moveFrom(
        ['FAILED_RETRYABLE', 'NEEDS_HUMAN_REVIEW'],
        [...ACTIVE_STATES, 'NEEDS_HUMAN_REVIEW'],
        'to a state whose contract, commit or PR exists',
      ),
    ],
    pushes: true,
    instead: (run) => listHintsOr(run, 'nothing_failed'),
    handle: (d, input): HandlerRuling => retryOrResume(d, input),
  }),
  defineCommand({
    type: 'command.resume',
    fields: ONWARD,
    moves: [
      moveFrom(
        ['PAUSED'],
        [...ACTIVE_STATES, 'NEEDS_HUMAN_REVIEW', 'FAILED_RETRYABLE', 'SKIPPED', 'FAILED_TERMINAL', 'PAUSED'],
        'to where it was, or a target; then a kept result and the facts',
      ),
    ],
    pushes: true,
    instead: (run) => listHintsOr(run, 'not_paused'),
    handle: (d, input): HandlerRuling => retryOrResume(d, input),
  }),
];
