/** S1: the states of a run, and the groups of them that rules speak of. */
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

export const TERMINAL = ['DONE', 'SKIPPED', 'FAILED_TERMINAL'] as const satisfies readonly State[];
export const ACTIVE = [
  'QUEUED',
  'DISCOVERY',
  'PLAN_READY',
  'IMPLEMENTING',
  'LOCAL_VALIDATING',
  'PUSHED',
  'CI_WAIT',
  'REVIEW_WAIT',
  'ITERATING',
] as const satisfies readonly State[];
export type ActiveState = (typeof ACTIVE)[number];
/** States in which a process of ours works for the run; they hold a slot of `max_parallel_runs` and have a time limit. */
export const WORKING = [
  'DISCOVERY',
  'PLAN_READY',
  'IMPLEMENTING',
  'LOCAL_VALIDATING',
  'ITERATING',
] as const satisfies readonly State[];
/** States whose commit is checked and pushed; a push card may be open there. */
export const CHECKING = ['LOCAL_VALIDATING', 'ITERATING'] as const satisfies readonly State[];
/** States in which agents and checks use up budgets. */
export const SPENDING = ['IMPLEMENTING', 'LOCAL_VALIDATING', 'ITERATING'] as const satisfies readonly State[];
/** States in which a person, or the world, is waited for. */
export const WAITING = [
  'PUSHED',
  'CI_WAIT',
  'REVIEW_WAIT',
  'PAUSED',
  'NEEDS_HUMAN_REVIEW',
] as const satisfies readonly State[];

const among =
  (group: readonly State[]) =>
  (state: State): boolean =>
    group.includes(state);
export const isTerminal = among(TERMINAL);
export const isWorking = among(WORKING);
export const isSpending = among(SPENDING);
export const isChecking = among(CHECKING);
export const isWaiting = among(WAITING);
export const isActive = (state: State): state is ActiveState => among(ACTIVE)(state);
