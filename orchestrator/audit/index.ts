/** Folds the ledger again and says where it differs from what is stored. */
export { findChangedRuns, type ChangedRun } from './changed-runs.ts';
export { findTurnDifferences, type TurnDifference, type TurnDifferences } from './redecide-turns.ts';
export { findDecisionDifferences, type DecisionDifference } from './redecide.ts';
export { replayEdits, type EditReplay, type EditSources } from './replay-edits.ts';
export { foldTurns, type TurnFinding } from './replay-turns.ts';
export {
  replayRuns,
  replayShare,
  type ReplayResult,
  type ReplayFinding,
  type ReplayShare,
  type ReplayHelpers,
  type ShareResult,
} from './replay.ts';
