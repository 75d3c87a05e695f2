/** The one way to cut text, to count, to name a span of time, and to wait longer each time. */
import { describe, expect, it } from 'vitest';
import {
  backoffDelay,
  formatCount,
  cutText,
  cutStart,
  formatTimeSpan,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
} from '#model/values';

describe('text for people', () => {
  it('P5: keeps within its length, the ellipsis included, and cuts no character in two', () => {
    expect([cutText('abc', 3), cutText('abcd', 3), cutText('abcd', 1), cutText('abcd', 0)]).toEqual([
      'abc',
      'ab…',
      '…',
      '…',
    ]);
    expect([cutText('a😀b', 3), cutText('😀😀', 3), cutText('😀😀', 2)]).toEqual(['a…', '😀…', '…']);
    expect([cutStart('abcd', 3), cutStart('b😀a', 3), cutStart('abc', 3)]).toEqual(['…cd', '…a', 'abc']);
  });

  it('P5: counts in the singular and in the plural', () => {
    expect([0, 1, 2].map((n) => formatCount(n, 'file'))).toEqual(['0 files', '1 file', '2 files']);
    expect([1, 2].map((n) => formatCount(n, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
  });

  it.each([
    [0, '1 s'],
    [400, '1 s'],
    [90 * SECOND, '90 s'],
    [2 * MINUTE, '2 min'],
    [119 * MINUTE, '119 min'],
    [2 * HOUR, '2 h'],
    [2 * DAY, '48 h'],
  ])('P5: names %s ms as %s', (ms, words) => {
    expect(formatTimeSpan(ms)).toBe(words);
  });
});

describe('a wait', () => {
  it('E17: doubles up to its bound, however often it was waited, and never falls below the first', () => {
    const waits = { first: 1_000, most: 5_000 };
    expect([-1, 0, 1, 2, 3, 2_000].map((done) => backoffDelay(done, waits))).toEqual([
      ...[1_000, 1_000, 2_000, 4_000],
      ...[5_000, 5_000],
    ]);
  });
});
