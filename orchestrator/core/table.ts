/** S2: the transition table. It is data: the machine refuses what it does not list, tests walk it, docs are drawn from it. */
import { ACTIVE, STATES, TERMINAL, WORKING, isTerminal, type State } from './states.ts';
import type { InputType } from './inputs.ts';

export type Row = { input: InputType; from: readonly State[]; to: readonly State[]; note: string };

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
const CARD: readonly State[] = ['LOCAL_VALIDATING', 'ITERATING'];
const OPEN: readonly State[] = ['CI_WAIT', 'REVIEW_WAIT'];
/** Where the forge's facts may lead by settling, from each live state. */
const settled = (input: InputType): Row[] =>
  live.flatMap((s) => [
    row(input, [s], [s, 'DONE', DEAD], 'PR merged or closed'),
    ...(s === 'PAUSED' ? [] : [row(input, [s], [NHR], 'a head that is not ours, or bounds reached')]),
    ...(s === 'CI_WAIT' ? [row(input, [s], ['REVIEW_WAIT', 'ITERATING'], 'verdict')] : []),
    ...(s === 'REVIEW_WAIT' ? [row(input, [s], ['CI_WAIT', 'ITERATING'], 'verdict or review')] : []),
  ]);

export const ROWS: readonly Row[] = [
  row('command.start.discovery', ['QUEUED'], ['DISCOVERY'], 'auto when a slot is free'),
  row(
    'worker.discovery.completed',
    ['DISCOVERY'],
    ['PLAN_READY', 'SKIPPED'],
    'contract, or banned / archived',
  ),
  row(
    'command.start.implementation',
    ['PLAN_READY'],
    ['IMPLEMENTING'],
    'auto, after the plan card when escalated',
  ),
  row(
    'worker.implementation.completed',
    ['IMPLEMENTING'],
    ['LOCAL_VALIDATING', NHR],
    'commit, or no changes',
  ),
  row('worker.implementation.completed', ['ITERATING'], ['ITERATING', NHR], 'commit, or no changes'),
  row('command.local.validation.passed', ['IMPLEMENTING'], ['LOCAL_VALIDATING'], 'human'),
  row(
    'worker.validation.completed',
    ['LOCAL_VALIDATING'],
    ['LOCAL_VALIDATING', 'IMPLEMENTING', NHR],
    'green, red, bound',
  ),
  row('worker.validation.completed', ['ITERATING'], ['ITERATING', NHR], 'green or red, bound'),
  ...stay('command.push.approve', CARD, 'approval'),
  row('worker.push.completed', ['LOCAL_VALIDATING'], ['PUSHED'], 'head read back'),
  row(
    'worker.push.completed',
    ['ITERATING'],
    ['CI_WAIT', 'REVIEW_WAIT', 'ITERATING', NHR],
    'head read back, then settled',
  ),
  ...stay('worker.push.completed', ['PAUSED', RETRY, NHR], 'a fact, noted'),
  ...stay('command.pr.create', ['PUSHED'], 'approval'),
  row(
    'worker.pr.opened',
    ['PUSHED'],
    ['CI_WAIT', 'REVIEW_WAIT', 'ITERATING', NHR],
    'result of the effect that consumed the approval, then settled',
  ),
  ...stay('worker.pr.opened', ['PAUSED', RETRY, NHR, ...TERMINAL], 'a fact, noted'),
  row('command.deny', ['PUSHED'], [NHR, DEAD], 'reason; --final'),
  row('command.deny', ['LOCAL_VALIDATING'], ['IMPLEMENTING', NHR, DEAD], 'push card'),
  row('command.deny', ['ITERATING'], ['ITERATING', NHR, DEAD], 'push card'),
  row('command.iterate', OPEN, ['ITERATING', NHR], 'a tap on a comment'),
  row('command.ci.rerun', [NHR], ['CI_WAIT'], 'CI asked to run again'),
  row('command.retry', [RETRY, NHR], [...ACTIVE, NHR], 'to a state whose contract, commit or PR exists'),
  row('command.resume', ['PAUSED'], [...ACTIVE, NHR, RETRY], 'to where it was, or a target'),
  row('command.pause', ACTIVE, ['PAUSED']),
  row('command.skip', live, ['SKIPPED'], 'without a PR'),
  row('command.cancel', live, [DEAD]),
  row('command.mark.done', ['PUSHED', 'CI_WAIT', 'REVIEW_WAIT', NHR], ['DONE']),
  row('worker.step.failed', WORKING, [RETRY, NHR, DEAD, 'PAUSED'], 'by class and bounds'),
  row('worker.step.failed', ['PUSHED'], ['PUSHED', NHR, DEAD, 'PAUSED'], 'new card, or a person'),
  row('worker.step.failed', OPEN, [NHR, DEAD], 'CI could not be re-run'),
  ...settled('github.pull.observed'),
  ...settled('github.head.observed'),
  ...settled('github.check.completed'),
  ...settled('github.ci.observed'),
  ...settled('github.review.submitted'),
  ...stay('github.comment.created', live, 'shown to a person'),
  row('timer.timeout', WORKING, [RETRY, NHR], 'past the bound a person'),
  row('timer.retry', [RETRY], [...ACTIVE, NHR], 'where it was'),
  ...stay('timer.reminder', ['PLAN_READY', 'CI_WAIT', 'REVIEW_WAIT', 'PAUSED', NHR], 'asks again'),
  ...stay('timer.approval.expired', [...CARD, 'PUSHED'], 'the card closes, a new one asks'),
  row('timer.settle', ['CI_WAIT'], ['CI_WAIT', 'REVIEW_WAIT', 'ITERATING', NHR], 'settle time is over'),
  row('timer.settle', ['REVIEW_WAIT'], ['REVIEW_WAIT', 'CI_WAIT', 'ITERATING', NHR], 'settle time is over'),
];

const cells = new Map<string, Set<State>>();
for (const r of ROWS)
  for (const from of r.from) {
    const key = `${from} ${r.input}`;
    const to = cells.get(key) ?? new Set<State>();
    for (const s of r.to) to.add(s);
    cells.set(key, to);
  }

/** The states an input may lead to from a state; empty means that the cell is blank and the input is refused or ignored. */
export const targets = (from: State, input: InputType): ReadonlySet<State> =>
  cells.get(`${from} ${input}`) ?? new Set();
