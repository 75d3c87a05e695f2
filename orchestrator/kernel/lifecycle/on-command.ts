/** Handles commands of people, the command line and auto-advance rules. */
import { enterState, limitTime } from './enter-state.ts';
import { progressSlot, addMessage, addWork, type StepDraft } from './step-draft.ts';
import { stopForBudget } from './round-allowance.ts';
import { accountOf, lacksPrice, usedUp, withLimit } from './run-budget.ts';
import { inUnits, mayBeUnlimited } from '#model/limits';
import { wordsFeedback } from '#model/feedback';
import { isWatching, isWorking } from '#model/run';
import type { CommandType, InputOf } from '../inputs/inputs.ts';
import { enterIteration, settleState } from './settle-state.ts';
import { goBack } from './resume-run.ts';
import type { InputHandlers, HandlerRuling } from './input-handler.ts';
import { onDenial } from '../gate/on-denial.ts';
import { signApproval } from '../gate/sign-approval.ts';
import { takeHead, updateBase } from '../upstream/on-branch.ts';
import { goWithout } from '../preparation/on-discovery.ts';
import { isForeign } from '../run/foreign-commit.ts';
import { theirsFirst } from '../run/refusals.ts';
import { startPlan } from '../rounds/on-plan.ts';
import { recordAnswer } from '../preparation/on-requirement-answer.ts';
import { overruleBan } from '../preparation/on-overrule.ts';
import { giveRemarksToAgent, onCommentAnswer, onRemarksAnswered } from '../reviews/on-open-remarks.ts';
import { onReviewBegin, onReviewChoice } from '../reviews/on-review-threads.ts';
import { onEditRequested } from '../gate/on-edited-pr-text.ts';
import { ROUND_WITHOUT_FEEDBACK, ROUND_ROWS } from '../run/round-table.ts';
import type { ReasonOf } from '../run/reasons.ts';
import type { Run } from '../run/run.ts';
import { rerunAsked } from '../ci/ci-facts.ts';
import { countRerun } from '../ci/on-checks-compared.ts';
import { rewriteChecks } from '../ci/red-checks.ts';
import { onPermissionAnswer, onGrantsRevoked } from '../rounds/on-permission-answer.ts';

export const COMMAND_HANDLERS: InputHandlers<CommandType> = {
  'command.discovery.start': (d) => void enterState(d, 'DISCOVERY', { kind: 'reading_repository' }),
  'command.implementation.start': (d, { by }) => {
    const { run } = d;
    if (run.target.escalation !== null && by === null) return { refuse: { kind: 'plan_first', run: run.id } };
    run.target.escalation = null;
    run.lifecycle.counts = { ...run.lifecycle.counts, reflections: 0, reportRepairs: 0 };
    return void enterState(d, 'IMPLEMENTING', { kind: startPlan(run) ? 'planning' : 'implementing' });
  },
  'command.validation.accept': (d, { by }) => {
    if (!d.run.change.commit) return { refuse: { kind: 'no_commit', run: d.run.id } };
    return void enterState(d, 'LOCAL_VALIDATING', { kind: 'sent_to_checks', by: by.name });
  },
  'command.push.approve': signApproval,
  'command.pr.approve': signApproval,
  'command.deny': onDenial,
  'command.proposal.modify': onEditRequested,
  'command.iterate': (d, { instruction, comment, lesson }) => {
    giveRemarksToAgent(d, ({ id }) => id === comment);
    enterIteration(d, { kind: 'person_request', feedback: wordsFeedback(instruction, lesson), purpose: [] });
  },
  'command.remarks.answered': onRemarksAnswered,
  'command.comment.answer': onCommentAnswer,
  'command.review.choose': onReviewChoice,
  'command.review.begin': onReviewBegin,
  'command.reply.approve': signApproval,
  'command.ci.rerun': (d, { by }) => (isForeign(d.run) ? { refuse: theirsFirst(d.run) } : rerun(d, by.name)),
  'command.checks.waive': goWithout,
  'command.base.update': updateBase,
  'command.head.adopt': takeHead,
  'command.retry': goBack,
  'command.resume': goBack,
  'command.pause': (d, { by }) => void enterState(d, 'PAUSED', { kind: 'paused', by: by.name }),
  'command.skip': (d, input) => {
    if (d.run.upstream.pullRequest) return { refuse: { kind: 'has_pull', run: d.run.id } };
    return void enterState(d, 'SKIPPED', ended('skipped', input, d.run));
  },
  'command.cancel': (d, input) => {
    enterState(d, 'FAILED_TERMINAL', {
      ...ended('cancelled', input, d.run),
      ...(input.close !== undefined && input.branch ? { branch: input.branch } : {}),
    });
    const { pullRequest: pr } = d.run.upstream;
    if (input.close !== undefined && pr) addWork(d, { kind: 'close_pr', pull: pr.id, words: input.close });
  },
  'command.run.finish': (d, { by }) => void enterState(d, 'DONE', { kind: 'marked_done', by: by.name }),
  'command.budget.raise': (d, input) => raise(d, input),
  'command.ban.overrule': overruleBan,
  'command.requirement.answer': recordAnswer,
  'command.permission.answer': onPermissionAnswer,
  'command.permission.revoke': onGrantsRevoked,
};

type Ending = ReasonOf<'ended_by_person'>;
const ended = (
  how: Ending['how'],
  { by, reason }: InputOf<'command.skip' | 'command.cancel'>,
  { upstream: { pullRequest: pr } }: Run,
): Ending => ({ kind: 'ended_by_person', how, by: by.name, note: reason, pull: pr?.id ?? null });

const rerun = (d: StepDraft, name: string): HandlerRuling => {
  const { run } = d;
  if (!run.upstream.pullRequest || !run.change.pushedHead)
    return { refuse: { kind: 'no_pull', run: run.id } };
  const { sha } = run.change.pushedHead;
  rewriteChecks(run, (ci) => rerunAsked(ci, d.stamp.at));
  if (run.lifecycle.reason.kind === 'maybe_flaky') countRerun(run);
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  enterState(d, 'CI_WAIT', { kind: 'checks_rerun', by: name });
  settleState(d);
  if (run.lifecycle.state === 'CI_WAIT') addWork(d, { kind: 'rerun_ci', sha });
  return undefined;
};

/** E6: an approver raises a budget. A run that waits for it continues where it was. */
const raise = (d: StepDraft, input: InputOf<'command.budget.raise'>): HandlerRuling => {
  const { run } = d;
  const { budget, by } = input;
  const { limit } = accountOf(run, budget);
  if (limit === null) return { refuse: { kind: 'no_limit', run: run.id } };
  const isOff = input.limit === null;
  const fits = isOff ? mayBeUnlimited(budget) : Number.isInteger(input.limit) || budget === 'cost';
  if (!fits) return { refuse: { kind: 'not_a_whole_number' } };
  if (input.limit !== null && input.limit <= limit)
    return { refuse: { kind: 'limit_already', budget, limit: inUnits(budget, limit) } };
  const { reason } = run.lifecycle;
  const wasUnpriced = lacksPrice(run);
  run.lifecycle.raisedLimits = withLimit(run, budget, input.limit);
  run.lifecycle.warnedBudgets = run.lifecycle.warnedBudgets.filter((told) => told !== budget);
  // An unpriced model stays unpriced under a higher limit.
  const stands = wasUnpriced
    ? budget === 'cost' && isOff
    : reason.kind === 'budget_exhausted' &&
      reason.budget === budget &&
      run.lifecycle.state === 'NEEDS_HUMAN_REVIEW';
  if (!stands) {
    if (budget === 'time' && isWorking(run.lifecycle.state) && !run.gate.approval) limitTime(d);
    addMessage(d, { view: 'progress' }, { slot: progressSlot(run.id) });
    return undefined;
  }
  const spent = usedUp(run);
  if (spent) return void stopForBudget(d, spent);
  const { round } = run.agent;
  const { resumeState: back } = run.lifecycle;
  const asked = ROUND_ROWS[round.kind].bound?.counts === 'iterations';
  if (asked && back && isWatching(back)) return void enterIteration(d, round);
  return goBack(d, { type: 'command.retry', by, target: null });
};
