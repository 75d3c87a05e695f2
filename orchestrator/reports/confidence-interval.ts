/** Computes 95 % intervals for shares, their differences and medians. */

/** The 97.5th percentile of the standard normal distribution. */
const NORMAL_QUANTILE = 1.959963984540054;

export type MeasuredShare = { yes: number; of: number; low: number | null; high: number | null };
export type ConfidenceInterval = { low: number; high: number };

export const wilsonInterval = (yes: number, of: number): ConfidenceInterval | null => {
  if (of === 0) return null;
  const p = yes / of;
  const zz = NORMAL_QUANTILE * NORMAL_QUANTILE;
  const middle = (p + zz / (2 * of)) / (1 + zz / of);
  const half = (NORMAL_QUANTILE / (1 + zz / of)) * Math.sqrt((p * (1 - p)) / of + zz / (4 * of * of));
  return {
    low: yes === 0 ? 0 : Math.max(0, middle - half),
    high: yes === of ? 1 : Math.min(1, middle + half),
  };
};

export const measureShare = (yes: number, of: number): MeasuredShare => {
  const found = wilsonInterval(yes, of);
  return { yes, of, low: found?.low ?? null, high: found?.high ?? null };
};

/** Method 10 of R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890. Null for no data. */
export const shareDifference = (
  share: Pick<MeasuredShare, 'yes' | 'of'>,
  otherShare: Pick<MeasuredShare, 'yes' | 'of'>,
): (ConfidenceInterval & { by: number }) | null => {
  const [one, two] = [wilsonInterval(share.yes, share.of), wilsonInterval(otherShare.yes, otherShare.of)];
  if (!one || !two) return null;
  const [p, q] = [share.yes / share.of, otherShare.yes / otherShare.of];
  return {
    by: p - q,
    low: p - q - Math.hypot(p - one.low, two.high - q),
    high: p - q + Math.hypot(one.high - p, q - two.low),
  };
};

export const quantileOf = (values: readonly number[], part: number): number | null => {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null;
};

export type MedianInterval = { of: number; p50: number | null; low: number | null; high: number | null };
/** Larger samples use the normal approximation of the binomial. */
const MAX_EXACT_SAMPLES = 500;
/** Number of values on each side outside of the median's 95 % interval. */
const countOutside = (size: number): number => {
  if (size > MAX_EXACT_SAMPLES)
    return Math.max(0, Math.floor((size - NORMAL_QUANTILE * Math.sqrt(size)) / 2));
  let [k, term] = [0, 0.5 ** size];
  for (let below = term; below <= 0.025; k += 1) {
    term *= (size - k) / (k + 1);
    below += term;
  }
  return k;
};
/** Order statistics: H. A. David and H. N. Nagaraja, Order Statistics (2003), section 7.1. */
export const medianInterval = (values: readonly number[]): MedianInterval => {
  const sorted = [...values].sort((x, y) => x - y);
  const k = sorted.length === 0 ? 0 : countOutside(sorted.length);
  const [low, high] = k === 0 ? [null, null] : [sorted[k - 1] ?? null, sorted[sorted.length - k] ?? null];
  return { of: sorted.length, p50: quantileOf(sorted, 0.5), low, high };
};
