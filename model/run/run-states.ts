/** States of a run, one row each; groups of states are computed from the rows (S1). */
import type { RunBounds, BudgetWorker } from '#model/limits';

export const RUN_STATES = [
  'QUEUED',
  'DISCOVERY',
  'PLAN_READY',
  'IMPLEMENTING',
  'LOCAL_VALIDATING',
  'PUSHED',
  'CI_WAIT',
  'REVIEW_WAIT',
  'ITERATING',
  'PAUSED',
  'DONE',
  'SKIPPED',
  'NEEDS_HUMAN_REVIEW',
  'FAILED_RETRYABLE',
  'FAILED_TERMINAL',
] as const;
export type RunState = (typeof RUN_STATES)[number];

type StateRow = {
  life: 'active' | 'stopped' | 'over';
  /** A process works: it holds a slot of `max_parallel_runs`, and the stay has a time limit. */
  works: boolean;
  /** An agent works here, or follows automatically: then advice is accepted. */
  agent: 'works' | 'comes' | null;
  /** The commit is checked and pushed here; a push card may be open. */
  checks: boolean;
  watches: boolean;
  /** Bound of the first reminder; null for none, or when a card has its own. */
  reminder: Extract<keyof RunBounds, 'ciWaitMs' | 'reviewWaitMs' | 'reminderMs'> | null;
  onward: 'start' | 'resume' | 'retry' | null;
  /** An outdated base is announced, with an offer to update. */
  updates: boolean;
  /** Message on entering it, besides the progress. */
  tells: 'attention' | 'ended' | null;
  wrong: boolean;
};

const ROW = {
  works: false,
  agent: null,
  checks: false,
  watches: false,
  reminder: null,
  onward: null,
  updates: false,
  tells: null,
  wrong: false,
} as const satisfies Omit<StateRow, 'life'>;
const ACTS = { ...ROW, life: 'active' } as const;
const WAITING_TRAITS = { ...ACTS, watches: true, updates: true } as const;
const STOPPED_TRAITS = { ...ROW, life: 'stopped' } as const;
const ENDS = { ...ROW, life: 'over', tells: 'ended' } as const;

export const STATE_TRAITS = {
  QUEUED: { ...ACTS, agent: 'comes' },
  DISCOVERY: { ...ACTS, works: true, agent: 'comes' },
  PLAN_READY: { ...ACTS, works: true, agent: 'comes', onward: 'start' },
  IMPLEMENTING: { ...ACTS, works: true, agent: 'works' },
  LOCAL_VALIDATING: { ...ACTS, works: true, checks: true },
  PUSHED: ACTS,
  CI_WAIT: { ...WAITING_TRAITS, reminder: 'ciWaitMs' },
  REVIEW_WAIT: { ...WAITING_TRAITS, reminder: 'reviewWaitMs' },
  ITERATING: { ...ACTS, works: true, agent: 'works', checks: true },
  PAUSED: { ...STOPPED_TRAITS, reminder: 'reminderMs', onward: 'resume', tells: 'attention' },
  DONE: ENDS,
  SKIPPED: ENDS,
  NEEDS_HUMAN_REVIEW: {
    ...STOPPED_TRAITS,
    reminder: 'reminderMs',
    onward: 'retry',
    updates: true,
    tells: 'attention',
    wrong: true,
  },
  FAILED_RETRYABLE: { ...STOPPED_TRAITS, onward: 'retry', wrong: true },
  FAILED_TERMINAL: { ...ENDS, wrong: true },
} as const satisfies Record<RunState, StateRow>;

type In<L extends StateRow['life']> = {
  [S in RunState]: (typeof STATE_TRAITS)[S]['life'] extends L ? S : never;
}[RunState];
type ActiveState = In<'active'>;

export const isActive = (state: RunState): state is ActiveState => STATE_TRAITS[state].life === 'active';
export const isStopped = (state: RunState): boolean => STATE_TRAITS[state].life === 'stopped';
export const isTerminal = (state: RunState): boolean => STATE_TRAITS[state].life === 'over';
export const isWorking = (state: RunState): boolean => STATE_TRAITS[state].works;
export const isChecking = (state: RunState): boolean => STATE_TRAITS[state].checks;
export const isWatching = (state: RunState): boolean => STATE_TRAITS[state].watches;
export const isAgentWorking = (state: RunState): boolean => STATE_TRAITS[state].agent === 'works';
export const isSpending = (state: RunState): boolean => isAgentWorking(state) || isChecking(state);
export const workerIn = (state: RunState): BudgetWorker =>
  isChecking(state) && !isAgentWorking(state) ? 'check' : 'agent';

export const ACTIVE_STATES = RUN_STATES.filter(isActive);
export const WORKING_STATES = RUN_STATES.filter(isWorking);
