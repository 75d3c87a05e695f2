/** Time, ids and timers: injected, so that the same code runs on a virtual clock. */

export type SystemClock = { now(): number };
export type IdSource = {
  /** Short, readable, random: a run's name in chat and in its branch. */
  runId(): string;
  /** 16 unguessable characters of [A-Za-z0-9_-]. */
  nonce(): string;
};
/** Lets the prover decide what happens next; in production it is `setTimeout`. */
export type TimerPort = { after(ms: number, f: () => void): { cancel(): void } };
