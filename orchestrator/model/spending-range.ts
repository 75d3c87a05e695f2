export type SpendingRange = { low: number; high: number };
/** `costUsd` is null where engines do not say what they cost; the limits are the order's. */
export type ExpectedSpending = { runs: number; ms: SpendingRange; costUsd: SpendingRange | null };
export type OrderExpectation = ExpectedSpending & { limitMs: number; limitUsd: number | null };
