/**
 * S1: the states of a run, and one row of each that says what it is. Groups that rules speak of are
 * read from the rows.
 */
import type { Bounds, Worker } from './bounds.ts';

export const STATES = [
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
export type State = (typeof STATES)[number];

type StateRow = {
  /** On its way, standing still until it is let go on, or over. */
  life: 'active' | 'stopped' | 'over';
  /**
   * A process of ours works for the run: it holds a slot of `max_parallel_runs`, and the stay has a
   * time limit.
   */
  works: boolean;
  /**
   * Whether an agent works on the change here, or comes by itself afterwards: then words to it are
   * heard.
   */
  agent: 'works' | 'comes' | null;
  /** The commit is checked and pushed here; a push card may be open. */
  checks: boolean;
  /** The code host is waited for: its checks, its reviewers. */
  watches: boolean;
  /**
   * The bound after which somebody is reminded of the wait; null where no one is, or a card has its
   * own clock.
   */
  reminder: Extract<keyof Bounds, 'ciWaitMs' | 'reviewWaitMs' | 'reminderMs'> | null;
  /** The command by which a person lets the run go on; null where it needs none. */
  onward: 'start' | 'resume' | 'retry' | null;
  /** People are told of a base that moved on, and offered to bring the change onto it. */
  updates: boolean;
  /** The message that people get on entering it, besides the progress. */
  tells: 'attention' | 'ended' | null;
  /** Its reason is the run's last error. */
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
const WAITS = { ...ACTS, watches: true, updates: true } as const;
const STANDS = { ...ROW, life: 'stopped' } as const;
const ENDS = { ...ROW, life: 'over', tells: 'ended' } as const;

export const STATE = {
  QUEUED: { ...ACTS, agent: 'comes' },
  DISCOVERY: { ...ACTS, works: true, agent: 'comes' },
  PLAN_READY: { ...ACTS, works: true, agent: 'comes', onward: 'start' },
  IMPLEMENTING: { ...ACTS, works: true, agent: 'works' },
  LOCAL_VALIDATING: { ...ACTS, works: true, checks: true },
  PUSHED: ACTS,
  CI_WAIT: { ...WAITS, reminder: 'ciWaitMs' },
  REVIEW_WAIT: { ...WAITS, reminder: 'reviewWaitMs' },
  ITERATING: { ...ACTS, works: true, agent: 'works', checks: true },
  PAUSED: { ...STANDS, reminder: 'reminderMs', onward: 'resume', tells: 'attention' },
  DONE: ENDS,
  SKIPPED: ENDS,
  NEEDS_HUMAN_REVIEW: {
    ...STANDS,
    reminder: 'reminderMs',
    onward: 'retry',
    updates: true,
    tells: 'attention',
    wrong: true,
  },
  FAILED_RETRYABLE: { ...STANDS, onward: 'retry', wrong: true },
  FAILED_TERMINAL: { ...ENDS, wrong: true },
} as const satisfies Record<State, StateRow>;

type In<L extends StateRow['life']> = {
  [S in State]: (typeof STATE)[S]['life'] extends L ? S : never;
}[State];
export type ActiveState = In<'active'>;

export const isActive = (state: State): state is ActiveState => STATE[state].life === 'active';
export const isStopped = (state: State): boolean => STATE[state].life === 'stopped';
export const isTerminal = (state: State): boolean => STATE[state].life === 'over';
export const isWorking = (state: State): boolean => STATE[state].works;
export const isChecking = (state: State): boolean => STATE[state].checks;
export const isWatching = (state: State): boolean => STATE[state].watches;
/** An agent works on the change here. */
export const isAgents = (state: State): boolean => STATE[state].agent === 'works';
/** Agents and checks use up budgets here. */
export const isSpending = (state: State): boolean => isAgents(state) || isChecking(state);
/** Whose budget a stay uses up. */
export const workerIn = (state: State): Worker => (isChecking(state) && !isAgents(state) ? 'check' : 'agent');

export const ACTIVE = STATES.filter(isActive);
export const WORKING = STATES.filter(isWorking);
