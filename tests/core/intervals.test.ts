/** Intervals against the values that were published with the methods. */
import { describe, expect, it } from 'vitest';
import {
  shareDifference,
  medianInterval,
  quantileOf,
  measureShare,
  wilsonInterval,
} from '../../orchestrator/reports/confidence-interval.ts';

/** R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3. */
const WILSON = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const;
/** The same, 873-890, table II, method 10. */
const NEWCOMBE = [
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
] as const;

describe('intervals', () => {
  it.each(WILSON)('O7: %i of %i lies between the published shares', (yes, of, low, high) => {
    const found = wilsonInterval(yes, of);
    expect(found?.low).toBeCloseTo(low, 4);
    expect(found?.high).toBeCloseTo(high, 4);
  });

  it.each(NEWCOMBE)(
    'O7: %i/%i against %i/%i differs by as much as was published',
    (a, m, b, n, low, high) => {
      const found = shareDifference({ yes: a, of: m }, { yes: b, of: n });
      expect(found?.low).toBeCloseTo(low, 4);
      expect(found?.high).toBeCloseTo(high, 4);
    },
  );

  it('nothing counted has no interval, and none counted proves little', () => {
    expect(measureShare(0, 0)).toEqual({ yes: 0, of: 0, low: null, high: null });
    expect(shareDifference({ yes: 0, of: 0 }, { yes: 1, of: 2 })).toBeNull();
    expect(wilsonInterval(10, 10)).toMatchObject({ high: 1 });
    expect(wilsonInterval(10, 10)?.low).toBeCloseTo(0.7225, 4);
  });

  it('a quantile is one of the values', () => {
    expect([quantileOf([], 0.5), quantileOf([7], 0.9), quantileOf([4, 1, 3, 2], 0.5)]).toEqual([null, 7, 2]);
    expect(quantileOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 100], 0.9)).toBe(9);
  });
});

describe('a median', () => {
  /** Which values from each end bound it: W. J. Conover, Practical Nonparametric Statistics. */
  const ENDS = [
    [6, 1],
    [8, 1],
    [9, 2],
    [10, 2],
    [15, 4],
    [20, 6],
    [25, 8],
    [50, 18],
    [100, 40],
  ] as const;
  it.each(ENDS)('O7: of %i values lies between the %ith from below and from above', (n, k) => {
    const values = Array.from({ length: n }, (_, i) => n - i);
    expect(medianInterval(values)).toMatchObject({ of: n, low: k, high: n + 1 - k });
  });

  it('O7: of so few values cannot be bounded', () => {
    expect(medianInterval([3, 1, 2, 5, 4])).toEqual({ of: 5, p50: 3, low: null, high: null });
    expect(medianInterval([])).toEqual({ of: 0, p50: null, low: null, high: null });
  });

  it('O7: of many values, the exact bounds go over into those of the normal form', () => {
    const bounds = (n: number): number => medianInterval(Array.from({ length: n }, (_, i) => i + 1)).low ?? 0;
    expect([bounds(499), bounds(500), bounds(501), bounds(502)]).toEqual([228, 228, 228, 229]);
  });
});
