/** F5: what stands between our requests that write and the code host. */
import type { WriteBudget } from '../core/write-slots.ts';

/** What each identity has written of late; a restart does not clear it. */
export type WriteBudgetStore = {
  /** Reads, changes and keeps the book of an identity, in one transaction. */
  change<T>(identity: string, by: (book: WriteBudget) => { book: WriteBudget; answer: T }): Promise<T>;
  of(identity: string): Promise<WriteBudget>;
};

/** Lets every writing request of an identity through, one by one and in its turn. */
export type WriteLimiter = {
  /**
   * Sends when it may, one request after the other. Rejects with TurnAwaited when that is not soon,
   * or when who wanted it has lost it meanwhile; then nothing was sent.
   */
  write<T>(identity: string, send: () => Promise<T>): Promise<T>;
  /**
   * The code host asked to be left alone, until `told` (epoch ms) when it said so; gives until when
   * nobody writes.
   */
  refused(identity: string, told: number | null): Promise<number>;
  /** The identity is suspended; gives until when nobody writes. */
  suspended(identity: string): Promise<number>;
  /** What the code host grants until `until` (epoch ms), and how many requests are left of that. */
  left(identity: string, rest: { requests: number; of: number; until: number }): void;
  /** Until when whoever asks now may not even read (epoch ms); 0 when they may. */
  held(identity: string): Promise<number>;
};

/** Nothing went wrong: the work waits for its turn to write, and is done again then. */
export class TurnAwaited extends Error {
  /** Epoch ms. */
  readonly at: number;
  constructor(at: number) {
    super('waits for its turn to write on the code host');
    this.at = at;
  }
}
