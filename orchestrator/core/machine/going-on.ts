/**
 * How a run that was stopped goes on: where, with which words for its agent, and what of a kept
 * result still counts.
 */
import { enter, type Draft } from './draft.ts';
import { account, ofBudget, type RoundSpent } from './spending.ts';
import { usedUp } from './budget.ts';
import { NO_USAGE } from '../facts.ts';
import type { InputOf, ResultType } from './inputs.ts';
import type { Ruling } from './handler.ts';
import { apply } from './results.ts';
import { firstLine, words } from '../feedback.ts';
import type { Reason } from './reasons.ts';
import { mayEnter } from './may-enter.ts';
import { within } from './rounds.ts';
import { spendsIn, type Run } from './run.ts';
import { isForeign } from './foreign.ts';
import { theirsFirst } from './refusals.ts';
import { iterate, settle } from './settle.ts';
import { ACTIVE, isActive, isAgents, isWatching, STATE, workerIn, type State } from '../states.ts';
import { targets } from './table.ts';

/** Pieces of advice that a run keeps; the newest count. */
const MOST_ADVICE = 5;

export const goBack = (d: Draft, input: InputOf<'command.retry' | 'command.resume'>): Ruling => {
  const { advice, target } = input;
  const retried = input.type === 'command.retry';
  if (retried && isForeign(d.run)) return { refuse: theirsFirst(d.run) };
  const note = advice === undefined ? '' : firstLine(advice);
  const reason = { kind: retried ? 'retried' : 'resumed', by: input.by.name, note } as const;
  return goOn(d, { target, retried, reason, ...(advice === undefined ? {} : { advice }) });
};

type Onward = { target: State | null; retried: boolean; reason: Reason; advice?: string };

/** Where it was, or where somebody says; with a kept result where that still counts. */
export const goOn = (d: Draft, input: Onward): Ruling => {
  const { run } = d;
  const choices: readonly State[] = ACTIVE.filter((s) => mayEnter(run, s));
  const { advice, retried, reason } = input;
  const wanted = input.target ?? defaultTarget(run, choices, advice !== undefined);
  if (!choices.includes(wanted)) {
    return { refuse: { kind: 'cannot_go_on', run: run.id, at: wanted, possible: [...choices] } };
  }
  if (advice !== undefined && STATE[wanted].agent === null) return { refuse: { kind: 'no_reader' } };
  if (wanted === 'IMPLEMENTING' && run.escalation !== null) {
    return { refuse: { kind: 'plan_state_first', run: run.id } };
  }
  const spent = usedUp(run, workerIn(wanted));
  if (spent && spendsIn(wanted)) return { refuse: { kind: 'stopped', by: ofBudget(run, spent) } };
  const { kept, back } = run;
  run.counts = {
    ...run.counts,
    retries: 0,
    reflections: 0,
    repairs: 0,
    stepFixes: 0,
    failedOutside: 0,
    rateWaits: 0,
  };
  if (run.plan && retried) run.counts = { ...run.counts, planRounds: 0 };
  run.waiting = null;
  const heeds = advice !== undefined && isAgents(wanted);
  // What the agent did before it was told otherwise does not stand for what it is to do now.
  // Nor does what was made for a base that the pull request has left.
  const resting =
    kept !== null && !run.baseMove && !heeds && wanted === back && targets(wanted, kept.input.type).size > 0;
  const used = kept && !resting ? usedBy(kept.input) : null;
  if (used) account(d, used);
  if (advice !== undefined) run.advice = [...run.advice, advice].slice(-MOST_ADVICE);
  if (heeds && run.pr && back && isWatching(back)) {
    iterate(d, { kind: 'told', told: words(advice), about: [] });
    settle(d);
    return undefined;
  }
  if (!isAgents(wanted)) leaveConflicts(run);
  // Conflicts are told to the agent with whatever else it is told.
  // So is why a card was denied (P4): advice stands beside it.
  const tells = resolves(run) || run.round.kind === 'rejected';
  if (heeds && !tells && !(run.plan && run.round.kind.startsWith('plan_')))
    run.round = within(run.round, 'advised', words(advice));
  enter(d, wanted, reason, { resting });
  // The kept result stands for this epoch's work, and so does the approval behind it.
  if (resting && run.consumed?.epoch === kept.effectEpoch)
    run.consumed = { ...run.consumed, epoch: run.epoch };
  if (resting && apply(d, kept.input)) enter(d, wanted, reason);
  settle(d);
  return undefined;
};

/** The agent was asked to resolve conflicts, and has not done so yet. */
const resolves = ({ round, merging }: Run): boolean => round.kind === 'merge_base' && !!merging;

/** Half-merged files are no ground for anything else: what was there before counts again. */
const leaveConflicts = (run: Run): void => {
  if (run.round.kind !== 'merge_base') return;
  if (run.merging) run.lay = run.commit?.sha ?? null;
  run.merging = null;
  run.round = within(run.round, 'implement', []);
};

/** What the process behind a kept result used up, whether or not the result counts. */
const usedBy = (input: InputOf<ResultType>): RoundSpent | null => {
  switch (input.type) {
    case 'worker.implementation.completed':
    case 'worker.plan.updated':
    case 'worker.contract.refined':
    case 'worker.permission.asked':
      return input;
    case 'worker.validation.completed':
    case 'worker.base.checked':
      return { ms: input.ms, session: null, usage: NO_USAGE };
    case 'worker.step.failed':
      return input.spent;
    default:
      return null;
  }
};

/**
 * Where a run goes on when nobody said where: where it was; where the rejection it stopped at can
 * be answered; or, when it is told something, where the agent hears it.
 */
const defaultTarget = (run: Run, choices: readonly State[], told: boolean): State => {
  const { back, commit, evaluation, round } = run;
  const rejected =
    round.kind !== 'implement' && evaluation?.passed === true && evaluation.commitSha === commit?.sha;
  // The same bytes are not asked about again: the agent has to do something about the rejection
  // first.
  if ((rejected || told) && back !== null && isActive(back) && STATE[back].agent === null)
    return run.pr ? 'ITERATING' : 'IMPLEMENTING';
  if (back !== null && choices.includes(back)) return back;
  // What could not be proposed is checked and compared once more before an agent is asked again.
  const compared: readonly State[] = back === 'PUSHED' ? ['LOCAL_VALIDATING'] : [];
  const order: readonly State[] = ['CI_WAIT', ...compared, 'IMPLEMENTING', 'DISCOVERY'];
  return order.find((s) => choices.includes(s)) ?? 'QUEUED';
};
