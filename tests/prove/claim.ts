/**
 * A claim: a small program that tries to refute one sentence about the product, and says how often
 * it tried.
 */
import type { Coverage, Packed } from './coverage.ts';

/**
 * Something measured on the way, with what it must come to; the bar counts in the full run only.
 */
export type Measured = { name: string; value: number; unit: string; bar: { is: '>=' | '<='; at: number } };

export type Outcome = {
  trials: number;
  /** Each begins with what repeats the trial. */
  violations: string[];
  ms: number;
  note: string;
  measured?: Measured[];
  /** What the trials came across. */
  coverage?: Coverage;
};

export type RunOptions = {
  quick: boolean;
  seed: number;
  /** How many trials, when the caller wants another number than the bar's. */
  trials: number | null;
  progress: (done: number, of: number) => void;
};

export type Claim = {
  name: string;
  /** The sentence that every trial tries to refute. */
  says: string;
  /** The fewest trials that count. */
  bar: { quick: number; full: number };
  run: (options: RunOptions) => Promise<Outcome>;
  /** Plays one trial again and says what happened; null when trials have no seeds. */
  repeat?: (seed: number) => Promise<{ lines: string[]; violations: string[] }>;
};

/** One thread's share of the trials. */
export type Job = {
  part: string;
  seed: number;
  from: number;
  count: number;
  share: { of: number; at: number };
  quick: boolean;
};
export type Part = {
  trials: number;
  violations: string[];
  facts: Record<string, number>;
  /** Of this thread alone (ms), whatever else the machine does. */
  cpuMs: number;
  coverage?: Packed;
};
export type Play = (job: Job, progress: (done: number) => void) => Promise<Omit<Part, 'cpuMs'>>;

export const trialsOf = ({ bar }: Pick<Claim, 'bar'>, { quick, trials }: RunOptions): number =>
  trials ?? (quick ? bar.quick : bar.full);

export const timed = async (run: () => Promise<Omit<Outcome, 'ms'>>): Promise<Outcome> => {
  const began = Date.now();
  const outcome = await run();
  return { ...outcome, ms: Date.now() - began };
};

export const factsLine = (facts: Record<string, number>): string =>
  Object.entries(facts)
    .map(([what, n]) => `${n} ${what}`)
    .join(', ');
