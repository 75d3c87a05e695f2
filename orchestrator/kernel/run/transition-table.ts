/** S2: the transition table as data: the machine, the tests and the docs read it. */
import {
  ACTIVE_STATES,
  isAgents,
  RUN_STATES,
  WORKING_STATES,
  isChecking,
  isSpending,
  isStopped,
  isTerminal,
  isWatching,
  type RunState,
} from '../../model/run-states.ts';
import type { InputType } from './inputs.ts';

export type TransitionRow = {
  input: InputType;
  from: readonly RunState[];
  to: readonly RunState[];
  note: string;
};

const TERMINAL = RUN_STATES.filter(isTerminal);
const AGENT_STATES = RUN_STATES.filter(isAgents);
const CHECKING = RUN_STATES.filter(isChecking);
const SPENDING = RUN_STATES.filter(isSpending);
const live = RUN_STATES.filter((s) => !isTerminal(s));
const row = (
  input: InputType,
  from: readonly RunState[],
  to: readonly RunState[],
  note = '',
): TransitionRow => ({
  input,
  from,
  to,
  note,
});
const stay = (input: InputType, from: readonly RunState[], note = ''): TransitionRow[] =>
  from.map((s) => row(input, [s], [s], note));

const NEEDS_HUMAN_STATE = 'NEEDS_HUMAN_REVIEW';
const FAILED_RETRYABLE_STATE = 'FAILED_RETRYABLE';
const FAILED_TERMINAL_STATE = 'FAILED_TERMINAL';
/** States without a pull request: its number enters only as our own call's result (G1). */
const STATES_BEFORE_PULL: readonly RunState[] = [
  'QUEUED',
  'DISCOVERY',
  'PLAN_READY',
  'IMPLEMENTING',
  'LOCAL_VALIDATING',
];
const WATCHING_STATES = RUN_STATES.filter(isWatching);
const STOPPED = RUN_STATES.filter(isStopped);
const settledOpen: readonly RunState[] = [...WATCHING_STATES, 'ITERATING', NEEDS_HUMAN_STATE];
const worker = (step: 'discovery' | 'implementation' | 'validation'): InputType => `worker.${step}.completed`;

/** Facts of the code host fold in everywhere; moves by settling are listed as well. */
const FACTS: readonly TransitionRow[] = [
  ...stay('forge.pull.observed', live, 'a fact'),
  row(
    'forge.pull.observed',
    [...WATCHING_STATES, 'ITERATING', ...STOPPED],
    ['DONE', FAILED_TERMINAL_STATE],
    'merged, closed',
  ),
  row(
    'forge.pull.observed',
    [...WATCHING_STATES, 'ITERATING', FAILED_RETRYABLE_STATE],
    [NEEDS_HUMAN_STATE],
    'a head that is not ours',
  ),
  row(
    'forge.pull.observed',
    WATCHING_STATES,
    ['ITERATING'],
    'red on the old base: compared with the new one',
  ),
  ...stay('forge.head.observed', live, 'a fact'),
  row(
    'forge.head.observed',
    live.filter((s) => s !== 'PAUSED'),
    [NEEDS_HUMAN_STATE],
    'a head that is not ours',
  ),
  ...stay('forge.check.completed', live, 'a fact'),
  ...stay('forge.ci.observed', live, 'a fact'),
  ...stay('forge.review.submitted', live, 'a fact'),
  ...stay('forge.poll.failed', live, 'told once a spell'),
  ...stay('forge.poll.recovered', live, 'told too'),
  row('forge.ci.observed', WATCHING_STATES, settledOpen, 'verdict'),
  row('forge.ci.observed', [NEEDS_HUMAN_STATE], ['REVIEW_WAIT'], 'passed when somebody else ran it again'),
  row(
    'forge.check.completed',
    WATCHING_STATES,
    ['CI_WAIT', 'ITERATING', NEEDS_HUMAN_STATE],
    'red, or running again',
  ),
  row('forge.review.submitted', WATCHING_STATES, ['ITERATING', NEEDS_HUMAN_STATE], 'changes requested'),
];

export const TRANSITION_ROWS: readonly TransitionRow[] = [
  row('command.discovery.start', ['QUEUED'], ['DISCOVERY'], 'auto when a slot is free'),
  row(
    worker('discovery'),
    ['DISCOVERY'],
    ['DISCOVERY', 'SKIPPED', NEEDS_HUMAN_STATE],
    'contract; or archived, banned, there twice, or no budget left for the base',
  ),
  row('worker.base.checked', ['DISCOVERY'], ['PLAN_READY', NEEDS_HUMAN_STATE], 'or what it lacks'),
  ...stay('worker.base.checked', ['DISCOVERY'], 'the agent reads on'),
  ...stay('worker.base.checked', ['PAUSED'], 'kept for resume'),
  row(
    'worker.contract.refined',
    ['DISCOVERY'],
    ['DISCOVERY', 'PLAN_READY', NEEDS_HUMAN_STATE],
    'once more; the contract',
  ),
  ...stay('worker.contract.refined', ['PAUSED'], 'kept for resume'),
  row(
    'command.implementation.start',
    ['PLAN_READY'],
    ['IMPLEMENTING'],
    'auto, after the plan card when escalated',
  ),
  row(
    worker('implementation'),
    ['IMPLEMENTING'],
    ['LOCAL_VALIDATING', NEEDS_HUMAN_STATE, 'SKIPPED'],
    'commit, no changes, or nothing to revert',
  ),
  ...stay(worker('implementation'), ['IMPLEMENTING'], 'a step of a plan, or an engine, that changed nothing'),
  row(worker('implementation'), ['ITERATING'], ['ITERATING', NEEDS_HUMAN_STATE], 'commit, or no changes'),
  row(
    'worker.plan.updated',
    ['IMPLEMENTING'],
    ['IMPLEMENTING', 'LOCAL_VALIDATING', NEEDS_HUMAN_STATE],
    'the next step, or the end of the plan',
  ),
  ...stay('worker.plan.updated', ['PAUSED'], 'kept for resume'),
  row('command.validation.accept', ['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'human'),
  row(
    worker('validation'),
    ['LOCAL_VALIDATING'],
    ['LOCAL_VALIDATING', 'IMPLEMENTING', NEEDS_HUMAN_STATE],
    'green; red; denied, or past the bound',
  ),
  row(
    worker('validation'),
    ['ITERATING'],
    ['ITERATING', NEEDS_HUMAN_STATE],
    'green or red; denied, or past the bound',
  ),
  ...(['discovery', 'implementation', 'validation'] as const).flatMap((s) =>
    stay(worker(s), ['PAUSED'], 'kept for resume'),
  ),
  ...stay('worker.step.failed', ['PAUSED'], 'kept for resume'),
  row(
    'worker.permission.asked',
    AGENT_STATES,
    [NEEDS_HUMAN_STATE],
    'a person is asked, or no budget is left',
  ),
  ...stay('worker.permission.asked', ['PAUSED'], 'kept for resume'),
  ...stay('worker.permission.used', AGENT_STATES, 'before what it is for'),
  row('command.permission.answer', [NEEDS_HUMAN_STATE], AGENT_STATES, 'yes or no; the agent goes on with it'),
  ...stay('command.push.approve', CHECKING, 'approval'),
  row('worker.push.completed', ['LOCAL_VALIDATING'], ['PUSHED', NEEDS_HUMAN_STATE], 'head read back'),
  row('worker.push.completed', ['ITERATING'], settledOpen, 'head read back, then settled'),
  ...stay('worker.push.completed', [...STATES_BEFORE_PULL, 'ITERATING', ...STOPPED], 'late: a fact, noted'),
  ...stay('command.pr.create', ['PUSHED'], 'approval'),
  ...stay('command.pr.create', ['LOCAL_VALIDATING'], 'approval of push and opening'),
  ...stay(
    'command.proposal.modify',
    ['LOCAL_VALIDATING', 'PUSHED'],
    'other words, to be judged and asked about',
  ),
  ...(['LOCAL_VALIDATING', 'PUSHED'] as const).map((s) =>
    row('worker.proposal.modified', [s], [s, NEEDS_HUMAN_STATE], 'a new card, or why there is none'),
  ),
  row(
    'worker.pr.opened',
    ['PUSHED'],
    [...settledOpen, 'PAUSED', 'DONE', FAILED_TERMINAL_STATE],
    'result of the effect that consumed the approval; what was moved meanwhile; then settled',
  ),
  row(
    'worker.pr.opened',
    STATES_BEFORE_PULL,
    [NEEDS_HUMAN_STATE, 'DONE', FAILED_TERMINAL_STATE],
    'could not be stopped any more, then settled',
  ),
  ...stay('worker.pr.opened', [...STOPPED, ...TERMINAL], 'could not be stopped any more: noted'),
  row('worker.pr.opened', STOPPED, ['DONE', FAILED_TERMINAL_STATE], 'settled'),
  row('worker.pr.opened', [FAILED_RETRYABLE_STATE], ['PAUSED'], 'nothing can be pushed'),
  row(
    'command.deny',
    ['PUSHED'],
    ['IMPLEMENTING', NEEDS_HUMAN_STATE, FAILED_TERMINAL_STATE],
    'asks for changes; reason; --final',
  ),
  row(
    'command.deny',
    ['LOCAL_VALIDATING'],
    ['IMPLEMENTING', NEEDS_HUMAN_STATE, FAILED_TERMINAL_STATE],
    'card of a push, or of both',
  ),
  row('command.deny', ['ITERATING'], ['ITERATING', NEEDS_HUMAN_STATE, FAILED_TERMINAL_STATE], 'push card'),
  row('command.iterate', WATCHING_STATES, ['ITERATING', NEEDS_HUMAN_STATE], 'a tap on a comment'),
  ...stay(
    'command.review.choose',
    [...WATCHING_STATES, 'ITERATING', ...STOPPED],
    'what to do about a remark',
  ),
  ...stay(
    'command.remarks.answered',
    [...WATCHING_STATES, 'ITERATING', ...STOPPED],
    'answered on the code host',
  ),
  ...stay(
    'command.comment.answer',
    [...WATCHING_STATES, 'ITERATING', ...STOPPED],
    'words for a comment; a card signs them',
  ),
  ...stay('command.review.begin', WATCHING_STATES, 'answers, or nothing'),
  row('command.review.begin', WATCHING_STATES, ['ITERATING', NEEDS_HUMAN_STATE], 'a fix'),
  row('worker.ci.compared', ['ITERATING'], settledOpen, 'red on the base too, or maybe flaky; then settled'),
  ...stay('worker.ci.compared', ['PAUSED'], 'kept for resume'),
  ...stay('worker.replies.sealed', WATCHING_STATES, 'a card with the answers'),
  ...stay('command.reply.approve', WATCHING_STATES, 'approval'),
  row(
    'command.deny',
    WATCHING_STATES,
    settledOpen,
    'the answers stay unsaid; asked for something else, then settled',
  ),
  ...stay('worker.replies.posted', [...RUN_STATES], 'what became of the answers'),
  row('worker.replies.posted', WATCHING_STATES, settledOpen, 'then settled'),
  row(
    'command.base.update',
    ['LOCAL_VALIDATING', 'PUSHED', NEEDS_HUMAN_STATE],
    ['IMPLEMENTING'],
    'merges the base before there is a pull request',
  ),
  row(
    'command.base.update',
    [...WATCHING_STATES, 'ITERATING', NEEDS_HUMAN_STATE],
    ['ITERATING'],
    'merges the base',
  ),
  row(
    'worker.base.merged',
    ['IMPLEMENTING'],
    ['IMPLEMENTING', 'LOCAL_VALIDATING', NEEDS_HUMAN_STATE],
    'the agent resolves conflicts; nothing conflicts; or no agent may work any more',
  ),
  row('worker.base.merged', ['ITERATING'], settledOpen, 'checked; or the base has nothing new, then settled'),
  ...stay('worker.base.merged', ['PAUSED'], 'kept for resume'),
  ...stay('command.head.adopt', [NEEDS_HUMAN_STATE], 'a head that was shown, signed by a tap'),
  row(
    'worker.head.read',
    [NEEDS_HUMAN_STATE],
    [NEEDS_HUMAN_STATE, 'LOCAL_VALIDATING', ...WATCHING_STATES, 'ITERATING'],
    'shown; or gone on from',
  ),
  ...stay('worker.step.failed', [NEEDS_HUMAN_STATE], 'their commit could not be read'),
  row(
    'command.checks.waive',
    [NEEDS_HUMAN_STATE],
    ['DISCOVERY', 'PLAN_READY'],
    'a person goes on without what cannot be run',
  ),
  row('command.ci.rerun', [NEEDS_HUMAN_STATE], settledOpen, 'CI asked to run again, then settled'),
  row(
    'command.ban.overrule',
    [NEEDS_HUMAN_STATE],
    ['DISCOVERY', 'LOCAL_VALIDATING', 'ITERATING'],
    'an approver: this rule is about something else; read or judged again',
  ),
  row(
    'command.requirement.answer',
    ['PLAN_READY'],
    ['DISCOVERY'],
    'what a person was asked for; read with it again',
  ),
  ...stay(
    'command.requirement.answer',
    ['IMPLEMENTING', 'LOCAL_VALIDATING', 'PUSHED', ...STOPPED],
    'kept; judged anew',
  ),
  row(
    'command.retry',
    [FAILED_RETRYABLE_STATE, NEEDS_HUMAN_STATE],
    [...ACTIVE_STATES, NEEDS_HUMAN_STATE],
    'to a state whose contract, commit or PR exists',
  ),
  row(
    'command.resume',
    ['PAUSED'],
    [...ACTIVE_STATES, NEEDS_HUMAN_STATE, FAILED_RETRYABLE_STATE, 'SKIPPED', FAILED_TERMINAL_STATE, 'PAUSED'],
    'to where it was, or a target; then a kept result and the facts',
  ),
  ...stay('command.budget.raise', live, 'an approver grants more'),
  ...stay('command.permission.revoke', live, 'what was allowed for the run is asked again'),
  row(
    'command.budget.raise',
    [NEEDS_HUMAN_STATE],
    ['DISCOVERY', ...SPENDING, ...WATCHING_STATES],
    'goes on where it stood still for want of it, then settled',
  ),
  row('command.pause', ACTIVE_STATES, ['PAUSED']),
  row('forge.access.observed', ACTIVE_STATES, ['PAUSED'], 'our App may not work there any more'),
  row(
    'forge.access.observed',
    ['PAUSED'],
    [...ACTIVE_STATES, NEEDS_HUMAN_STATE, FAILED_RETRYABLE_STATE, 'SKIPPED', FAILED_TERMINAL_STATE, 'PAUSED'],
    'it may again: to where it was; then a kept result and the facts',
  ),
  row(
    'forge.pull.observed',
    ['PAUSED'],
    [...settledOpen, FAILED_RETRYABLE_STATE],
    'pushes work again: to where it was; then a kept result and the facts',
  ),
  row(
    'forge.pull.observed',
    [...WATCHING_STATES, 'ITERATING', FAILED_RETRYABLE_STATE],
    ['PAUSED'],
    'nothing can be pushed',
  ),
  ...stay('forge.repository.observed', live, 'how it is called, and whether it is read-only'),
  row(
    'forge.repository.observed',
    [...ACTIVE_STATES, FAILED_RETRYABLE_STATE],
    ['PAUSED'],
    'nothing can be pushed',
  ),
  row(
    'forge.repository.observed',
    ['PAUSED'],
    [...ACTIVE_STATES, NEEDS_HUMAN_STATE, FAILED_RETRYABLE_STATE, 'SKIPPED', FAILED_TERMINAL_STATE],
    'pushes work again: to where it was; then a kept result and the facts',
  ),
  ...stay('forge.branch.renamed', [...STATES_BEFORE_PULL, 'PUSHED', ...STOPPED], 'the base has another name'),
  row(
    'worker.base.compared',
    ['ITERATING'],
    settledOpen,
    'compared with its new base; goes on, or has nothing to do there',
  ),
  row('command.skip', [...STATES_BEFORE_PULL, 'PUSHED', ...STOPPED], ['SKIPPED'], 'without a PR'),
  row('command.cancel', live, [FAILED_TERMINAL_STATE]),
  row('command.run.finish', ['PUSHED', ...WATCHING_STATES, NEEDS_HUMAN_STATE], ['DONE']),
  row(
    'worker.step.failed',
    ['QUEUED', 'DISCOVERY', 'IMPLEMENTING', ...CHECKING],
    [FAILED_RETRYABLE_STATE, NEEDS_HUMAN_STATE, FAILED_TERMINAL_STATE],
    'by class and bounds',
  ),
  row('worker.step.failed', ['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'what another engine made goes on'),
  ...stay('worker.step.failed', ['IMPLEMENTING', 'ITERATING'], 'the report is asked for again'),
  row('worker.step.failed', ['PUSHED'], [NEEDS_HUMAN_STATE, FAILED_TERMINAL_STATE], 'a person'),
  row(
    'worker.step.failed',
    WATCHING_STATES,
    [NEEDS_HUMAN_STATE, FAILED_TERMINAL_STATE],
    'CI could not be re-run',
  ),
  ...stay('worker.step.failed', [...CHECKING, 'PUSHED'], 'a new card'),
  row('worker.step.failed', [...CHECKING, 'PUSHED'], ['PAUSED'], 'too many outside failures in a row'),
  ...FACTS,
  ...stay('forge.comment.created', [...WATCHING_STATES, 'ITERATING', ...STOPPED], 'shown to a person'),
  ...stay(
    'forge.visibility.observed',
    [...WATCHING_STATES, 'ITERATING', ...STOPPED],
    'told when nobody else sees it',
  ),
  ...stay('forge.survival.observed', ['DONE'], 'counted'),
  ...stay('worker.usage.reported', RUN_STATES, 'counted'),
  row(
    'worker.usage.reported',
    ['DISCOVERY', ...SPENDING, FAILED_RETRYABLE_STATE],
    [NEEDS_HUMAN_STATE],
    'a budget is used up',
  ),
  ...stay('worker.start.queued', ['QUEUED'], 'waits for a slot, and says for what'),
  ...stay('worker.slot.awaited', [...CHECKING, 'PUSHED', ...WATCHING_STATES], 'waits for its turn to write'),
  ...stay('worker.slot.awaited', ['DISCOVERY', ...AGENT_STATES], 'waits for the provider of its model'),
  row(
    'timer.timeout',
    WORKING_STATES,
    [FAILED_RETRYABLE_STATE, NEEDS_HUMAN_STATE],
    'past the bound a person',
  ),
  ...stay('timer.timeout', WORKING_STATES, 'waits for its turn to write, or for the code host'),
  ...stay('timer.remarks.due', WATCHING_STATES, 'a reviewer waits for an answer'),
  row(
    'timer.retry',
    [FAILED_RETRYABLE_STATE],
    ['QUEUED', ...WORKING_STATES, NEEDS_HUMAN_STATE],
    'where it was',
  ),
  ...stay('timer.reminder', ['PLAN_READY', ...WATCHING_STATES, 'PAUSED', NEEDS_HUMAN_STATE], 'asks again'),
  ...stay(
    'timer.approval.expired',
    [...CHECKING, 'PUSHED', ...WATCHING_STATES],
    'the card closes, a new one asks',
  ),
  ...stay(
    'timer.approval.frozen',
    [...CHECKING, 'PUSHED', ...WATCHING_STATES],
    'the card has so much more time',
  ),
];

const cells = new Map<string, Set<RunState>>();
for (const r of TRANSITION_ROWS)
  for (const from of r.from) {
    const key = `${from} ${r.input}`;
    const to = cells.get(key) ?? new Set<RunState>();
    for (const s of r.to) to.add(s);
    cells.set(key, to);
  }

/** An empty set means a blank cell: the input is refused or ignored. */
export const targetStates = (from: RunState, input: string): ReadonlySet<RunState> =>
  cells.get(`${from} ${input}`) ?? NOWHERE;
const NOWHERE: ReadonlySet<RunState> = new Set();
