/** Rate limits of our writing requests to the code host (F5). */
import type { WriteBudget, WriteSlotWait } from '#model/limits';
import type { ClaimedEffect } from '#ports/steps';

/** Recent writes per identity; they survive a restart. */
export type WriteBudgetStore = {
  /** Read-modify-write of an identity's book, in one transaction. */
  change<T>(identity: string, by: (book: WriteBudget) => { book: WriteBudget; answer: T }): Promise<T>;
  of(identity: string): Promise<WriteBudget>;
};

export type WriteLimiter = {
  /** Rejects with TurnAwaited, with nothing sent, when the wait is long or the lease was lost. */
  write<T>(identity: string, send: () => Promise<T>): Promise<T>;
  /** Reports a rate limit, until `told` (epoch ms) if given; returns the end of the pause. */
  refused(identity: string, told: number | null): Promise<number>;
  /** Reports a suspension; returns the end of the pause. */
  suspended(identity: string): Promise<number>;
  /** Requests left of the quota that ends at `until` (epoch ms). */
  left(identity: string, rest: { requests: number; of: number; until: number }): void;
  /** End of the pause that applies to reads as well (epoch ms); 0 when there is none. */
  holdUntil(identity: string): Promise<number>;
};

/** What holds work back: it is looked at again at `at` (epoch ms), and shown with this reason. */
export type WriteHold = { at: number; turn: WriteSlotWait };
/** One limit: a row of those that are asked before work begins. Null: go on. */
export type WriteLimit = { holds(claim: ClaimedEffect): Promise<WriteHold | null> };

export type WriterLease = { live: () => Promise<boolean>; signal: AbortSignal };
export type WriteScheduler = {
  limiter: WriteLimiter;
  /** Time to retry work with a longer wait; null to go on. */
  comesBack(claim: ClaimedEffect): Promise<WriteHold | null>;
  /** Writes inside `go` count as the claim's. */
  within<T>(writer: WriterLease & { claim: ClaimedEffect }, go: () => Promise<T>): Promise<T>;
};

/** Not an error: the work waits for its turn and runs again then. */
export class TurnAwaited extends Error {
  /** Epoch ms. */
  readonly at: number;
  constructor(at: number) {
    super('waits for its turn to write on the code host');
    this.at = at;
  }
}
