/** Spending above one run: its limits, who pays, and what is admitted. */
export {
  admitSpending,
  type ExhaustedSpending,
  findExhaustedSpending,
  findNearedSpending,
  SpendingBudgets,
  type Spender,
  type SpendingAdmission,
  type SpendingAmount,
  type SpendingLimit,
  type SpendingStop,
  type SpendingTotal,
  spendingAccountOf,
  spendingLimitKey,
  spendingLimitsFor,
  startOfDay,
  startOfMonth,
} from './spending-limits.ts';
