/** Clock and timers are injected, so that the same code runs on a virtual clock. */

export type SystemClock = { now(): number };
/** `setTimeout` in production; the prover's scheduler in tests. */
export type TimerPort = { after(ms: number, f: () => void): { cancel(): void } };
