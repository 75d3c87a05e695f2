/** Clock, ids and timers are injected, so that the same code runs on a virtual clock. */

export type SystemClock = { now(): number };
export type IdSource = {
  /** Short and readable: names a run in chat and in its branch. */
  runId(): string;
  /** 16 unguessable characters of [A-Za-z0-9_-]. */
  nonce(): string;
};
/** `setTimeout` in production; the prover's scheduler in tests. */
export type TimerPort = { after(ms: number, f: () => void): { cancel(): void } };
