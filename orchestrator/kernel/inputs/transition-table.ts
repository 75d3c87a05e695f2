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
} from '#model/run';
import type { InputType } from './inputs.ts';

type States = readonly RunState[];
export type TransitionRow = { input: InputType; from: States; to: States; note: string };

const TERMINAL = RUN_STATES.filter(isTerminal);
const AGENTS = RUN_STATES.filter(isAgents);
const CHECKING = RUN_STATES.filter(isChecking);
const SPENDING = RUN_STATES.filter(isSpending);
const live = RUN_STATES.filter((s) => !isTerminal(s));
type Row = [input: InputType, from: States, to: States, note?: string];
const row = (...[input, from, to, note = '']: Row): TransitionRow => ({ input, from, to, note });
const stay = (input: InputType, from: States, note = ''): TransitionRow[] =>
  from.map((s) => row(input, [s], [s], note));

const HUMAN = 'NEEDS_HUMAN_REVIEW';
const RETRYABLE = 'FAILED_RETRYABLE';
const FAILED = 'FAILED_TERMINAL';
/** States without a pull request: its number enters only as our own call's result (G1). */
const BEFORE_PULL: States = ['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING'];
const WATCHING = RUN_STATES.filter(isWatching);
const STOPPED = RUN_STATES.filter(isStopped);
const OPENED: States = [...WATCHING, 'ITERATING', ...STOPPED];
const SETTLED: States = [...WATCHING, 'ITERATING', HUMAN];
const worker = (step: 'discovery' | 'implementation' | 'validation'): InputType => `worker.${step}.completed`;

/** Results that a paused run keeps until it is resumed. */
const KEPT: readonly InputType[] = [
  worker('discovery'),
  worker('implementation'),
  worker('validation'),
  'worker.base.checked',
  'worker.contract.refined',
  'worker.plan.updated',
  'worker.step.failed',
  'worker.permission.asked',
  'worker.ci.compared',
  'worker.base.merged',
];

/** Facts of the code host fold in everywhere; moves by settling are listed as well. */
const FACTS: readonly TransitionRow[] = [
  ...stay('forge.pull.observed', live, 'a fact'),
  row('forge.pull.observed', OPENED, ['DONE', FAILED], 'merged, closed'),
  row('forge.pull.observed', [...WATCHING, 'ITERATING', RETRYABLE], [HUMAN], 'a head that is not ours'),
  row('forge.pull.observed', WATCHING, ['ITERATING'], 'red on the old base: compared with the new one'),
  ...stay('forge.head.observed', live, 'a fact'),
  row(
    'forge.head.observed',
    live.filter((s) => s !== 'PAUSED'),
    [HUMAN],
    'a head that is not ours',
  ),
  ...stay('forge.check.observed', live, 'a fact'),
  ...stay('forge.ci.observed', live, 'a fact'),
  ...stay('forge.review.submitted', live, 'a fact'),
  ...stay('forge.poll.failed', live, 'told once a spell'),
  ...stay('forge.poll.recovered', live, 'told too'),
  row('forge.ci.observed', WATCHING, SETTLED, 'verdict'),
  row('forge.ci.observed', [HUMAN], ['REVIEW_WAIT'], 'passed when somebody else ran it again'),
  row('forge.check.observed', WATCHING, ['CI_WAIT', 'ITERATING', HUMAN], 'red, or running again'),
  row('forge.review.submitted', WATCHING, ['ITERATING', HUMAN], 'changes requested'),
];

/** S11: the only way out of a terminal state: the code host took back the end that it gave. */
const REOPENED: readonly TransitionRow[] = [
  row('forge.pull.reopened', [FAILED], [...SETTLED, 'PAUSED'], 'open again: followed again, then settled'),
  row('forge.pull.reopened', [FAILED], ['DONE'], 'merged after all'),
];

export const TRANSITION_ROWS: readonly TransitionRow[] = [
  row('command.discovery.start', ['QUEUED'], ['DISCOVERY'], 'auto when a slot is free'),
  row(
    worker('discovery'),
    ['DISCOVERY'],
    ['DISCOVERY', 'SKIPPED', HUMAN],
    'contract; or archived, banned, there twice, or no budget left for the base',
  ),
  row('worker.base.checked', ['DISCOVERY'], ['PLAN_READY', HUMAN], 'or what it lacks'),
  ...stay('worker.base.checked', ['DISCOVERY'], 'the agent reads on'),
  row(
    'worker.contract.refined',
    ['DISCOVERY'],
    ['DISCOVERY', 'PLAN_READY', HUMAN],
    'once more; the contract',
  ),
  row(
    'command.implementation.start',
    ['PLAN_READY'],
    ['IMPLEMENTING'],
    'auto, after the plan card when escalated',
  ),
  row(
    worker('implementation'),
    ['IMPLEMENTING'],
    ['LOCAL_VALIDATING', HUMAN, 'SKIPPED'],
    'commit, no changes, or nothing to revert',
  ),
  ...stay(worker('implementation'), ['IMPLEMENTING'], 'a step of a plan, or an engine, that changed nothing'),
  row(worker('implementation'), ['ITERATING'], ['ITERATING', HUMAN], 'commit, or no changes'),
  row(
    'worker.plan.updated',
    ['IMPLEMENTING'],
    ['IMPLEMENTING', 'LOCAL_VALIDATING', HUMAN],
    'the next step, or the end of the plan',
  ),
  row('command.validation.accept', ['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'human'),
  row(
    worker('validation'),
    ['LOCAL_VALIDATING'],
    ['LOCAL_VALIDATING', 'IMPLEMENTING', HUMAN],
    'green; red; denied, or past the bound',
  ),
  row(worker('validation'), ['ITERATING'], ['ITERATING', HUMAN], 'green or red; denied, or past the bound'),
  row('worker.permission.asked', AGENTS, [HUMAN], 'a person is asked, or no budget is left'),
  ...stay('worker.permission.used', AGENTS, 'before what it is for'),
  ...stay('worker.call.repeated', ['DISCOVERY', ...AGENTS], 'told; the agent works on'),
  row('command.permission.answer', [HUMAN], AGENTS, 'yes or no; the agent goes on with it'),
  ...stay('command.push.approve', CHECKING, 'approval'),
  row('worker.push.completed', ['LOCAL_VALIDATING'], ['PUSHED', HUMAN], 'head read back'),
  row('worker.push.completed', ['ITERATING'], SETTLED, 'head read back, then settled'),
  ...stay('worker.push.completed', [...BEFORE_PULL, 'ITERATING', ...STOPPED], 'late: a fact, noted'),
  ...stay('command.pr.approve', ['PUSHED'], 'approval'),
  ...stay('command.pr.approve', ['LOCAL_VALIDATING'], 'approval of push and opening'),
  ...stay(
    'command.proposal.modify',
    ['LOCAL_VALIDATING', 'PUSHED'],
    'other words, to be judged and asked about',
  ),
  ...(['LOCAL_VALIDATING', 'PUSHED'] as const).map((s) =>
    row('worker.proposal.modified', [s], [s, HUMAN], 'a new card, or why there is none'),
  ),
  row(
    'worker.pr.opened',
    ['PUSHED'],
    [...SETTLED, 'PAUSED', 'DONE', FAILED],
    'result of the effect that consumed the approval; what was moved meanwhile; then settled',
  ),
  row(
    'worker.pr.opened',
    BEFORE_PULL,
    [HUMAN, 'DONE', FAILED],
    'could not be stopped any more, then settled',
  ),
  ...stay('worker.pr.opened', [...STOPPED, ...TERMINAL], 'could not be stopped any more: noted'),
  row('worker.pr.opened', STOPPED, ['DONE', FAILED], 'settled'),
  row('worker.pr.opened', [RETRYABLE], ['PAUSED'], 'nothing can be pushed'),
  row('command.deny', ['PUSHED'], ['IMPLEMENTING', HUMAN, FAILED], 'asks for changes; reason; --final'),
  row('command.deny', ['LOCAL_VALIDATING'], ['IMPLEMENTING', HUMAN, FAILED], 'card of a push, or of both'),
  row('command.deny', ['ITERATING'], ['ITERATING', HUMAN, FAILED], 'push card'),
  row('command.iterate', WATCHING, ['ITERATING', HUMAN], 'a tap on a comment'),
  ...stay('command.review.choose', OPENED, 'what to do about a remark'),
  ...stay('command.remarks.answered', OPENED, 'answered on the code host'),
  ...stay('command.comment.answer', OPENED, 'words for a comment; a card signs them'),
  ...stay('command.review.begin', WATCHING, 'answers, or nothing'),
  row('command.review.begin', WATCHING, ['ITERATING', HUMAN], 'a fix'),
  row('worker.ci.compared', ['ITERATING'], SETTLED, 'red on the base too, or maybe flaky; then settled'),
  ...stay('worker.replies.sealed', WATCHING, 'a card with the answers'),
  ...stay('command.reply.approve', WATCHING, 'approval'),
  row('command.deny', WATCHING, SETTLED, 'the answers stay unsaid; asked for something else, then settled'),
  ...stay('worker.replies.posted', [...RUN_STATES], 'what became of the answers'),
  row('worker.replies.posted', WATCHING, SETTLED, 'then settled'),
  row(
    'command.base.update',
    ['LOCAL_VALIDATING', 'PUSHED', HUMAN],
    ['IMPLEMENTING'],
    'merges the base before there is a pull request',
  ),
  row('command.base.update', [...WATCHING, 'ITERATING', HUMAN], ['ITERATING'], 'merges the base'),
  row(
    'worker.base.merged',
    ['IMPLEMENTING'],
    ['IMPLEMENTING', 'LOCAL_VALIDATING', HUMAN],
    'the agent resolves conflicts; nothing conflicts; or no agent may work any more',
  ),
  row('worker.base.merged', ['ITERATING'], SETTLED, 'checked; or the base has nothing new, then settled'),
  ...stay('command.head.adopt', [HUMAN], 'a head that was shown, signed by a tap'),
  row(
    'worker.head.read',
    [HUMAN],
    [HUMAN, 'IMPLEMENTING', 'LOCAL_VALIDATING', ...WATCHING, 'ITERATING'],
    'shown; or gone on from',
  ),
  ...stay('worker.step.failed', [HUMAN], 'their commit could not be read'),
  row(
    'command.checks.waive',
    [HUMAN],
    ['DISCOVERY', 'PLAN_READY'],
    'a person goes on without what cannot be run',
  ),
  row('command.ci.rerun', [HUMAN], SETTLED, 'CI asked to run again, then settled'),
  row(
    'command.ban.overrule',
    [HUMAN],
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
    [RETRYABLE, HUMAN],
    [...ACTIVE_STATES, HUMAN],
    'to a state whose contract, commit or PR exists',
  ),
  row(
    'command.resume',
    ['PAUSED'],
    [...ACTIVE_STATES, HUMAN, RETRYABLE, 'SKIPPED', FAILED, 'PAUSED'],
    'to where it was, or a target; then a kept result and the facts',
  ),
  ...stay('command.budget.raise', live, 'an approver grants more'),
  ...stay('command.permission.revoke', live, 'what was allowed for the run is asked again'),
  row(
    'command.budget.raise',
    [HUMAN],
    ['DISCOVERY', ...SPENDING, ...WATCHING],
    'goes on where it stood still for want of it, then settled',
  ),
  row('command.pause', ACTIVE_STATES, ['PAUSED']),
  row('forge.access.observed', ACTIVE_STATES, ['PAUSED'], 'our App may not work there any more'),
  row(
    'forge.access.observed',
    ['PAUSED'],
    [...ACTIVE_STATES, HUMAN, RETRYABLE, 'SKIPPED', FAILED, 'PAUSED'],
    'it may again: to where it was; then a kept result and the facts',
  ),
  row(
    'forge.pull.observed',
    ['PAUSED'],
    [...SETTLED, RETRYABLE],
    'pushes work again: to where it was; then a kept result and the facts',
  ),
  row('forge.pull.observed', [...WATCHING, 'ITERATING', RETRYABLE], ['PAUSED'], 'nothing can be pushed'),
  ...stay('forge.repository.observed', live, 'how it is called, and whether it is read-only'),
  row('forge.repository.observed', [...ACTIVE_STATES, RETRYABLE], ['PAUSED'], 'nothing can be pushed'),
  row(
    'forge.repository.observed',
    ['PAUSED'],
    [...ACTIVE_STATES, HUMAN, RETRYABLE, 'SKIPPED', FAILED],
    'pushes work again: to where it was; then a kept result and the facts',
  ),
  ...stay('forge.branch.renamed', [...BEFORE_PULL, 'PUSHED', ...STOPPED], 'the base has another name'),
  row(
    'worker.base.compared',
    ['ITERATING'],
    SETTLED,
    'compared with its new base; goes on, or has nothing to do there',
  ),
  row('command.skip', [...BEFORE_PULL, 'PUSHED', ...STOPPED], ['SKIPPED'], 'without a PR'),
  row('command.cancel', live, [FAILED]),
  row('command.run.finish', ['PUSHED', ...WATCHING, HUMAN], ['DONE']),
  row(
    'worker.step.failed',
    ['QUEUED', 'DISCOVERY', 'IMPLEMENTING', ...CHECKING],
    [RETRYABLE, HUMAN, FAILED],
    'by class and bounds',
  ),
  row('worker.step.failed', ['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'what another engine made goes on'),
  ...stay('worker.step.failed', ['IMPLEMENTING', 'ITERATING'], 'the report is asked for again'),
  row('worker.step.failed', ['PUSHED'], [HUMAN, FAILED], 'a person'),
  row('worker.step.failed', WATCHING, [HUMAN, FAILED], 'CI could not be re-run'),
  ...stay('worker.step.failed', [...CHECKING, 'PUSHED'], 'a new card'),
  row('worker.step.failed', [...CHECKING, 'PUSHED'], ['PAUSED'], 'too many outside failures in a row'),
  ...KEPT.flatMap((type) => stay(type, ['PAUSED'], 'kept for resume')),
  ...FACTS,
  ...REOPENED,
  ...stay('forge.comment.created', OPENED, 'shown to a person'),
  ...stay('forge.visibility.observed', OPENED, 'told when nobody else sees it'),
  ...stay('forge.survival.observed', ['DONE'], 'counted'),
  ...stay('worker.usage.reported', RUN_STATES, 'counted'),
  row('worker.usage.reported', ['DISCOVERY', ...SPENDING, RETRYABLE], [HUMAN], 'a budget is used up'),
  ...stay('worker.start.queued', ['QUEUED'], 'waits for a slot, and says for what'),
  ...stay('worker.slot.awaited', [...CHECKING, 'PUSHED', ...WATCHING], 'waits for its turn to write'),
  ...stay('worker.slot.awaited', ['DISCOVERY', ...AGENTS], 'waits for the provider of its model'),
  row('timer.timeout', WORKING_STATES, [RETRYABLE, HUMAN], 'past the bound a person'),
  ...stay('timer.timeout', WORKING_STATES, 'waits for its turn to write, or for the code host'),
  ...stay('timer.remarks.due', WATCHING, 'a reviewer waits for an answer'),
  row('timer.retry', [RETRYABLE], ['QUEUED', ...WORKING_STATES, HUMAN], 'where it was'),
  ...stay('timer.reminder', ['PLAN_READY', ...WATCHING, 'PAUSED', HUMAN], 'asks again'),
  ...stay('timer.approval.expired', [...CHECKING, 'PUSHED', ...WATCHING], 'the card closes, a new one asks'),
  ...stay('timer.approval.frozen', [...CHECKING, 'PUSHED', ...WATCHING], 'the card has so much more time'),
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
