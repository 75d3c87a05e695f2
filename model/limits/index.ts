/** Limits: the bounds of a run, amounts of budgets, slots for writing to the code host. */
export {
  BUDGET_BOUNDS,
  type GrantedBudget,
  withGrantedBudgets,
  budgetsBeyond,
  toStoredAmount,
  toShownAmount,
  mayBeUnlimited,
  readAmount,
  parseGrantedBudget,
} from './budget-amounts.ts';
export {
  BUDGET_KINDS,
  BUDGET_WORKERS,
  BudgetKind,
  type BudgetWorker,
  type RaisedBounds,
  RunBounds,
} from './run-bounds.ts';
export { clampTimesToNow, windowFreeAt } from './time-window.ts';
export {
  EMPTY_WRITE_BUDGET,
  MIN_WRITE_GAP_MS,
  RecordedOpening,
  WriteBudget,
  WriteSlotWait,
  type WriterRank,
  admitWriter,
  isOpeningDelay,
  queueWriter,
  requestsBlockedUntil,
  recordAccepted,
  applyHostBlock,
  applySuspension,
} from './write-slots.ts';
