/** Groups of states that rows of inputs name. */
import {
  isAgentWorking,
  isChecking,
  isSpending,
  isStopped,
  isTerminal,
  isWatching,
  RUN_STATES,
  type RunState,
} from '#model/run';

export type States = readonly RunState[];

export const TERMINAL: States = RUN_STATES.filter(isTerminal);
export const LIVE: States = RUN_STATES.filter((state) => !isTerminal(state));
export const AGENTS: States = RUN_STATES.filter(isAgentWorking);
export const CHECKING: States = RUN_STATES.filter(isChecking);
export const SPENDING: States = RUN_STATES.filter(isSpending);
export const WATCHING: States = RUN_STATES.filter(isWatching);
export const STOPPED: States = RUN_STATES.filter(isStopped);
/** States without a pull request: its number enters only as our own call's result (G1). */
export const BEFORE_PULL: States = ['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING'];
export const OPENED: States = [...WATCHING, 'ITERATING', ...STOPPED];
export const SETTLED: States = [...WATCHING, 'ITERATING', 'NEEDS_HUMAN_REVIEW'];
