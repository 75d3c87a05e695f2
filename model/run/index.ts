/** States of a run. */
export {
  ACTIVE_STATES,
  RUN_STATES,
  type RunState,
  STATE_TRAITS,
  WORKING_STATES,
  isActive,
  isAgentWorking,
  isChecking,
  isSpending,
  isStopped,
  isTerminal,
  isWatching,
  isWorking,
  workerIn,
} from './run-states.ts';
