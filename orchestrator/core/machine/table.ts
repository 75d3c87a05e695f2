/**
 * S2: the transition table. It is data: the machine refuses what it does not list, tests walk it,
 * docs are drawn from it.
 */
import {
  ACTIVE,
  isAgents,
  STATES,
  WORKING,
  isChecking,
  isSpending,
  isStopped,
  isTerminal,
  isWatching,
  type State,
} from '../states.ts';
import type { InputType } from './inputs.ts';

export type Row = { input: InputType; from: readonly State[]; to: readonly State[]; note: string };

const TERMINAL = STATES.filter(isTerminal);
const AGENTS = STATES.filter(isAgents);
const CHECKING = STATES.filter(isChecking);
const SPENDING = STATES.filter(isSpending);
const live = STATES.filter((s) => !isTerminal(s));
const row = (input: InputType, from: readonly State[], to: readonly State[], note = ''): Row => ({
  input,
  from,
  to,
  note,
});
const stay = (input: InputType, from: readonly State[], note = ''): Row[] =>
  from.map((s) => row(input, [s], [s], note));

const NHR = 'NEEDS_HUMAN_REVIEW';
const RETRY = 'FAILED_RETRYABLE';
const DEAD = 'FAILED_TERMINAL';
/** Before a pull request: its number enters a run only as the result of our own call (G1). */
const EARLY: readonly State[] = ['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING'];
const OPEN = STATES.filter(isWatching);
const STOPPED = STATES.filter(isStopped);
const settledOpen: readonly State[] = [...OPEN, 'ITERATING', NHR];
const worker = (step: 'discovery' | 'implementation' | 'validation'): InputType => `worker.${step}.completed`;

/**
 * Facts of the forge fold in everywhere; what they lead to by settling is listed where it can
 * happen.
 */
const FACTS: readonly Row[] = [
  ...stay('forge.pull.observed', live, 'a fact'),
  row('forge.pull.observed', [...OPEN, 'ITERATING', ...STOPPED], ['DONE', DEAD], 'merged, closed'),
  row('forge.pull.observed', [...OPEN, 'ITERATING', RETRY], [NHR], 'a head that is not ours'),
  row('forge.pull.observed', OPEN, ['ITERATING'], 'red on the old base: compared with the new one'),
  ...stay('forge.head.observed', live, 'a fact'),
  row(
    'forge.head.observed',
    live.filter((s) => s !== 'PAUSED'),
    [NHR],
    'a head that is not ours',
  ),
  ...stay('forge.check.completed', live, 'a fact'),
  ...stay('forge.ci.observed', live, 'a fact'),
  ...stay('forge.review.submitted', live, 'a fact'),
  ...stay('forge.poll.failed', live, 'told once a spell'),
  ...stay('forge.poll.recovered', live, 'told too'),
  row('forge.ci.observed', OPEN, settledOpen, 'verdict'),
  row('forge.ci.observed', [NHR], ['REVIEW_WAIT'], 'passed when somebody else ran it again'),
  row('forge.check.completed', OPEN, ['CI_WAIT', 'ITERATING', NHR], 'red, or running again'),
  row('forge.review.submitted', OPEN, ['ITERATING', NHR], 'changes requested'),
];

export const ROWS: readonly Row[] = [
  row('command.discovery.start', ['QUEUED'], ['DISCOVERY'], 'auto when a slot is free'),
  row(
    worker('discovery'),
    ['DISCOVERY'],
    ['DISCOVERY', 'SKIPPED', NHR],
    'contract; or archived, banned, there twice, or no budget left for the base',
  ),
  row('worker.base.checked', ['DISCOVERY'], ['PLAN_READY', NHR], 'or what it lacks'),
  ...stay('worker.base.checked', ['DISCOVERY'], 'the agent reads on'),
  ...stay('worker.base.checked', ['PAUSED'], 'kept for resume'),
  row('worker.contract.refined', ['DISCOVERY'], ['DISCOVERY', 'PLAN_READY', NHR], 'once more; the contract'),
  ...stay('worker.contract.refined', ['PAUSED'], 'kept for resume'),
  row(
    'command.implementation.start',
    ['PLAN_READY'],
    ['IMPLEMENTING'],
    'auto, after the plan card when escalated',
  ),
  row(worker('implementation'), ['IMPLEMENTING'], ['LOCAL_VALIDATING', NHR], 'commit, or no changes'),
  ...stay(worker('implementation'), ['IMPLEMENTING'], 'a step of a plan, or an engine, that changed nothing'),
  row(worker('implementation'), ['ITERATING'], ['ITERATING', NHR], 'commit, or no changes'),
  row(
    'worker.plan.updated',
    ['IMPLEMENTING'],
    ['IMPLEMENTING', 'LOCAL_VALIDATING', NHR],
    'the next step, or the end of the plan',
  ),
  ...stay('worker.plan.updated', ['PAUSED'], 'kept for resume'),
  row('command.validation.accept', ['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'human'),
  row(
    worker('validation'),
    ['LOCAL_VALIDATING'],
    ['LOCAL_VALIDATING', 'IMPLEMENTING', NHR],
    'green; red; denied, or past the bound',
  ),
  row(worker('validation'), ['ITERATING'], ['ITERATING', NHR], 'green or red; denied, or past the bound'),
  ...(['discovery', 'implementation', 'validation'] as const).flatMap((s) =>
    stay(worker(s), ['PAUSED'], 'kept for resume'),
  ),
  ...stay('worker.step.failed', ['PAUSED'], 'kept for resume'),
  row('worker.permission.asked', AGENTS, [NHR], 'a person is asked, or no budget is left'),
  ...stay('worker.permission.asked', ['PAUSED'], 'kept for resume'),
  ...stay('worker.permission.used', AGENTS, 'before what it is for'),
  row('command.permission.answer', [NHR], AGENTS, 'yes or no; the agent goes on with it'),
  ...stay('command.push.approve', CHECKING, 'approval'),
  row('worker.push.completed', ['LOCAL_VALIDATING'], ['PUSHED', NHR], 'head read back'),
  row('worker.push.completed', ['ITERATING'], settledOpen, 'head read back, then settled'),
  ...stay('worker.push.completed', [...EARLY, 'ITERATING', ...STOPPED], 'late: a fact, noted'),
  ...stay('command.pr.create', ['PUSHED'], 'approval'),
  ...stay('command.pr.create', ['LOCAL_VALIDATING'], 'approval of push and opening'),
  ...stay(
    'command.proposal.modify',
    ['LOCAL_VALIDATING', 'PUSHED'],
    'other words, to be judged and asked about',
  ),
  ...(['LOCAL_VALIDATING', 'PUSHED'] as const).map((s) =>
    row('worker.proposal.modified', [s], [s, NHR], 'a new card, or why there is none'),
  ),
  row(
    'worker.pr.opened',
    ['PUSHED'],
    [...settledOpen, 'PAUSED', 'DONE', DEAD],
    'result of the effect that consumed the approval; what was moved meanwhile; then settled',
  ),
  row('worker.pr.opened', EARLY, [NHR, 'DONE', DEAD], 'could not be stopped any more, then settled'),
  ...stay('worker.pr.opened', [...STOPPED, ...TERMINAL], 'could not be stopped any more: noted'),
  row('worker.pr.opened', STOPPED, ['DONE', DEAD], 'settled'),
  row('worker.pr.opened', [RETRY], ['PAUSED'], 'nothing can be pushed'),
  row('command.deny', ['PUSHED'], ['IMPLEMENTING', NHR, DEAD], 'asks for changes; reason; --final'),
  row('command.deny', ['LOCAL_VALIDATING'], ['IMPLEMENTING', NHR, DEAD], 'card of a push, or of both'),
  row('command.deny', ['ITERATING'], ['ITERATING', NHR, DEAD], 'push card'),
  row('command.iterate', OPEN, ['ITERATING', NHR], 'a tap on a comment'),
  ...stay('command.review.choose', [...OPEN, 'ITERATING', ...STOPPED], 'what to do about a remark'),
  ...stay('command.review.begin', OPEN, 'answers, or nothing'),
  row('command.review.begin', OPEN, ['ITERATING', NHR], 'a fix'),
  row('worker.ci.compared', ['ITERATING'], settledOpen, 'red on the base too, or maybe flaky; then settled'),
  ...stay('worker.ci.compared', ['PAUSED'], 'kept for resume'),
  ...stay('worker.replies.sealed', OPEN, 'a card with the answers'),
  ...stay('command.reply.approve', OPEN, 'approval'),
  row('command.deny', OPEN, settledOpen, 'the answers stay unsaid; asked for something else, then settled'),
  ...stay('worker.replies.posted', [...STATES], 'what became of the answers'),
  row('worker.replies.posted', OPEN, settledOpen, 'then settled'),
  row(
    'command.base.update',
    ['LOCAL_VALIDATING', 'PUSHED', NHR],
    ['IMPLEMENTING'],
    'merges the base before there is a pull request',
  ),
  row('command.base.update', [...OPEN, 'ITERATING', NHR], ['ITERATING'], 'merges the base'),
  row(
    'worker.base.merged',
    ['IMPLEMENTING'],
    ['IMPLEMENTING', 'LOCAL_VALIDATING', NHR],
    'the agent resolves conflicts; nothing conflicts; or no agent may work any more',
  ),
  row('worker.base.merged', ['ITERATING'], settledOpen, 'checked; or the base has nothing new, then settled'),
  ...stay('worker.base.merged', ['PAUSED'], 'kept for resume'),
  ...stay('command.head.adopt', [NHR], 'a head that was shown, signed by a tap'),
  row('worker.head.read', [NHR], [NHR, 'LOCAL_VALIDATING', ...OPEN, 'ITERATING'], 'shown; or gone on from'),
  ...stay('worker.step.failed', [NHR], 'their commit could not be read'),
  row(
    'command.checks.waive',
    [NHR],
    ['DISCOVERY', 'PLAN_READY'],
    'a person goes on without what cannot be run',
  ),
  row('command.ci.rerun', [NHR], settledOpen, 'CI asked to run again, then settled'),
  row(
    'command.ban.overrule',
    [NHR],
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
  row('command.retry', [RETRY, NHR], [...ACTIVE, NHR], 'to a state whose contract, commit or PR exists'),
  row(
    'command.resume',
    ['PAUSED'],
    [...ACTIVE, NHR, RETRY, 'SKIPPED', DEAD, 'PAUSED'],
    'to where it was, or a target; then a kept result and the facts',
  ),
  ...stay('command.budget.raise', live, 'an approver grants more'),
  ...stay('command.permission.revoke', live, 'what was allowed for the run is asked again'),
  row(
    'command.budget.raise',
    [NHR],
    ['DISCOVERY', ...SPENDING, ...OPEN],
    'goes on where it stood still for want of it, then settled',
  ),
  row('command.pause', ACTIVE, ['PAUSED']),
  row('forge.access.observed', ACTIVE, ['PAUSED'], 'our App may not work there any more'),
  row(
    'forge.access.observed',
    ['PAUSED'],
    [...ACTIVE, NHR, RETRY, 'SKIPPED', DEAD, 'PAUSED'],
    'it may again: to where it was; then a kept result and the facts',
  ),
  row(
    'forge.pull.observed',
    ['PAUSED'],
    [...settledOpen, RETRY],
    'pushes work again: to where it was; then a kept result and the facts',
  ),
  row('forge.pull.observed', [...OPEN, 'ITERATING', RETRY], ['PAUSED'], 'nothing can be pushed'),
  ...stay('forge.repository.observed', live, 'how it is called, and whether it is read-only'),
  row('forge.repository.observed', [...ACTIVE, RETRY], ['PAUSED'], 'nothing can be pushed'),
  row(
    'forge.repository.observed',
    ['PAUSED'],
    [...ACTIVE, NHR, RETRY, 'SKIPPED', DEAD],
    'pushes work again: to where it was; then a kept result and the facts',
  ),
  ...stay('forge.branch.renamed', [...EARLY, 'PUSHED', ...STOPPED], 'the base has another name'),
  row(
    'worker.base.compared',
    ['ITERATING'],
    settledOpen,
    'compared with its new base; goes on, or has nothing to do there',
  ),
  row('command.skip', [...EARLY, 'PUSHED', ...STOPPED], ['SKIPPED'], 'without a PR'),
  row('command.cancel', live, [DEAD]),
  row('command.run.finish', ['PUSHED', ...OPEN, NHR], ['DONE']),
  row(
    'worker.step.failed',
    ['QUEUED', 'DISCOVERY', 'IMPLEMENTING', ...CHECKING],
    [RETRY, NHR, DEAD],
    'by class and bounds',
  ),
  row('worker.step.failed', ['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'what another engine made goes on'),
  ...stay('worker.step.failed', ['IMPLEMENTING', 'ITERATING'], 'the report is asked for again'),
  row('worker.step.failed', ['PUSHED'], [NHR, DEAD], 'a person'),
  row('worker.step.failed', OPEN, [NHR, DEAD], 'CI could not be re-run'),
  ...stay('worker.step.failed', [...CHECKING, 'PUSHED'], 'a new card'),
  row('worker.step.failed', [...CHECKING, 'PUSHED'], ['PAUSED'], 'too many outside failures in a row'),
  ...FACTS,
  ...stay('forge.comment.created', [...OPEN, 'ITERATING', ...STOPPED], 'shown to a person'),
  ...stay('forge.visibility.observed', [...OPEN, 'ITERATING', ...STOPPED], 'told when nobody else sees it'),
  ...stay('worker.usage.reported', STATES, 'counted'),
  row('worker.usage.reported', ['DISCOVERY', ...SPENDING, RETRY], [NHR], 'a budget is used up'),
  ...stay('worker.start.queued', ['QUEUED'], 'waits for a slot, and says for what'),
  ...stay('worker.slot.awaited', [...CHECKING, 'PUSHED', ...OPEN], 'waits for its turn to write'),
  ...stay('worker.slot.awaited', ['DISCOVERY', ...AGENTS], 'waits for the provider of its model'),
  row('timer.timeout', WORKING, [RETRY, NHR], 'past the bound a person'),
  ...stay('timer.timeout', WORKING, 'waits for its turn to write, or for the code host'),
  row('timer.retry', [RETRY], ['QUEUED', ...WORKING, NHR], 'where it was'),
  ...stay('timer.reminder', ['PLAN_READY', ...OPEN, 'PAUSED', NHR], 'asks again'),
  ...stay('timer.approval.expired', [...CHECKING, 'PUSHED', ...OPEN], 'the card closes, a new one asks'),
  ...stay('timer.approval.frozen', [...CHECKING, 'PUSHED', ...OPEN], 'the card has so much more time'),
];

const cells = new Map<string, Set<State>>();
for (const r of ROWS)
  for (const from of r.from) {
    const key = `${from} ${r.input}`;
    const to = cells.get(key) ?? new Set<State>();
    for (const s of r.to) to.add(s);
    cells.set(key, to);
  }

/**
 * The states an input may lead to from a state; empty means that the cell is blank and the input is
 * refused or ignored.
 */
export const targets = (from: State, input: string): ReadonlySet<State> =>
  cells.get(`${from} ${input}`) ?? NOWHERE;
const NOWHERE: ReadonlySet<State> = new Set();
