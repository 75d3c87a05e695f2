/** A claim: a program that tries to refute one sentence about the product. */
import type { Coverage, Packed } from './coverage.ts';

/** A measurement with its bar, which counts in the full run only. */
export type Measured = { name: string; value: number; unit: string; bar: { is: '>=' | '<='; at: number } };

export type Outcome = {
  trials: number;
  /** Each starts with how to repeat its trial. */
  violations: string[];
  ms: number;
  note: string;
  measured?: Measured[];
  coverage?: Coverage;
};

export type RunOptions = {
  quick: boolean;
  seed: number;
  /** Number of trials instead of the bar's. */
  trials: number | null;
  progress: (done: number, of: number) => void;
};

export type Claim = {
  name: string;
  /** The sentence that trials try to refute. */
  says: string;
  /** Minimum number of trials. */
  bar: { quick: number; full: number };
  run: (options: RunOptions) => Promise<Outcome>;
  /** Repeats one trial and describes it; absent for trials without seeds. */
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
  /** CPU time of this thread (ms). */
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
