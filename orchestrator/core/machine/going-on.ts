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
    return { refuse: { kind: 'cannot_continue', run: run.id, at: wanted, possible: [...choices] } };
  }
  if (advice !== undefined && STATE[wanted].agent === null) return { refuse: { kind: 'no_reader' } };
  if (wanted === 'IMPLEMENTING' && run.target.escalation !== null) {
    return { refuse: { kind: 'plan_state_first', run: run.id } };
  }
  const spent = usedUp(run, workerIn(wanted));
  if (spent && spendsIn(wanted)) return { refuse: { kind: 'run_stopped', by: ofBudget(run, spent) } };
  const {
    lifecycle: { deferredResult: kept, resumeState: back },
  } = run;
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
  const heeds = advice !== undefined && isAgents(wanted);
  // What the agent did before it was told otherwise does not stand for what it is to do now.
  // Nor does what was made for a base that the pull request has left.
  const resting =
    kept !== null &&
    !run.target.pendingBaseChange &&
    !heeds &&
    wanted === back &&
    targets(wanted, kept.input.type).size > 0;
  const used = kept && !resting ? usedBy(kept.input) : null;
  if (used) account(d, used);
  if (advice !== undefined) run.agent.advice = [...run.agent.advice, advice].slice(-MOST_ADVICE);
  if (heeds && run.upstream.pullRequest && back && isWatching(back)) {
    iterate(d, { kind: 'person_request', feedback: words(advice), purpose: [] });
    settle(d);
    return undefined;
  }
  if (!isAgents(wanted)) leaveConflicts(run);
  // Conflicts are told to the agent with whatever else it is told.
  // So is why a card was denied (P4): advice stands beside it.
  const tells = resolves(run) || run.agent.round.kind === 'rejection_fix';
  if (heeds && !tells && !(run.agent.plan && run.agent.round.kind.startsWith('plan_')))
    run.agent.round = within(run.agent.round, 'person_advice', words(advice));
  enter(d, wanted, reason, { resting });
  // The kept result stands for this epoch's work, and so does the approval behind it.
  if (resting && run.gate.consumedApproval?.epoch === kept.effectEpoch)
    run.gate.consumedApproval = { ...run.gate.consumedApproval, epoch: run.lifecycle.epoch };
  if (resting && apply(d, kept.input)) enter(d, wanted, reason);
  settle(d);
  return undefined;
};

/** The agent was asked to resolve conflicts, and has not done so yet. */
const resolves = ({ agent: { round }, change: { pendingMerge: merging } }: Run): boolean =>
  round.kind === 'merge_base' && !!merging;

/** Half-merged files are no ground for anything else: what was there before counts again. */
const leaveConflicts = (run: Run): void => {
  if (run.agent.round.kind !== 'merge_base') return;
  if (run.change.pendingMerge) run.change.resetTo = run.change.commit?.sha ?? null;
  run.change.pendingMerge = null;
  run.agent.round = within(run.agent.round, 'implement', []);
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
      return input.usageSoFar;
    default:
      return null;
  }
};

/**
 * Where a run goes on when nobody said where: where it was; where the rejection it stopped at can
 * be answered; or, when it is told something, where the agent hears it.
 */
const defaultTarget = (run: Run, choices: readonly State[], told: boolean): State => {
  const {
    lifecycle: { resumeState: back },
    change: { commit, evaluation },
    agent: { round },
  } = run;
  const rejected =
    round.kind !== 'implement' && evaluation?.passed === true && evaluation.commitSha === commit?.sha;
  // The same bytes are not asked about again: the agent has to do something about the rejection
  // first.
  if ((rejected || told) && back !== null && isActive(back) && STATE[back].agent === null)
    return run.upstream.pullRequest ? 'ITERATING' : 'IMPLEMENTING';
  if (back !== null && choices.includes(back)) return back;
  // What could not be proposed is checked and compared once more before an agent is asked again.
  const compared: readonly State[] = back === 'PUSHED' ? ['LOCAL_VALIDATING'] : [];
  const order: readonly State[] = ['CI_WAIT', ...compared, 'IMPLEMENTING', 'DISCOVERY'];
  return order.find((s) => choices.includes(s)) ?? 'QUEUED';
};
