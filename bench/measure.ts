/** Measures on a busy machine: alternating pairs, medians, spreads. */

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns NaN for an empty list. */
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  if (q !== 0.5 || sorted.length % 2 === 1)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
  return ((sorted[sorted.length / 2 - 1] ?? NaN) + (sorted[sorted.length / 2] ?? NaN)) / 2;
};

export type Paired = {
  a: number;
  b: number;
  /** Median, minimum and maximum of the ratios a / b of neighbours in time. */
  ratio: number;
  least: number;
  most: number;
};

/** Order A B B A A B …, so that slowdowns affect both. The first pair is discarded. */
export const inPairs = async (
  pairs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<Paired> => {
  const seen: { a: number; b: number }[] = [];
  for (let i = 0; i <= pairs; i += 1) {
    const first = i % 2 === 0 ? await a() : await b();
    const second = i % 2 === 0 ? await b() : await a();
    if (i > 0) seen.push(i % 2 === 0 ? { a: first, b: second } : { a: second, b: first });
  }
  const ratios = seen.map((pair) => pair.a / pair.b);
  return {
    a: median(seen.map((pair) => pair.a)),
    b: median(seen.map((pair) => pair.b)),
    ratio: median(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
  };
};

export const spread = ({ least, most }: Paired): string => `pairs ${least.toFixed(2)} to ${most.toFixed(2)}`;
export const timed = async (work: () => unknown): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
export const round = (value: number): string => Math.round(value).toLocaleString('en');
