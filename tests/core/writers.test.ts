/** F5: the book of one who writes on a code host: when the next may go, and who goes first. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#model/values';
import { MAX_WRITES_PER_MINUTE, MAX_WRITES_PER_HOUR } from '../../model/limits/write-slots.ts';
import {
  MIN_WRITE_GAP_MS,
  recordAccepted,
  admitWriter,
  requestsBlockedUntil,
  EMPTY_WRITE_BUDGET,
  queueWriter,
  applyHostBlock,
  type WriteBudget,
  type WriterRank,
} from '#model/limits';

const AT = 1_800_000_000_000;
const goes = (book: WriteBudget, now: number, key: string | null = null, rank: WriterRank = 'other') =>
  admitWriter(book, { key, rank, now });
const waits = (book: WriteBudget, now: number, key: string, rank: WriterRank = 'person') =>
  queueWriter(book, { key, rank, now });
/** As many as may go, each as soon as it may; gives when each went. */
const send = (n: number, from = AT): { book: WriteBudget; times: number[] } => {
  let [book, now] = [EMPTY_WRITE_BUDGET, from];
  const times: number[] = [];
  while (times.length < n) {
    const said = goes(book, now);
    book = said.book;
    if (said.answer.kind === 'wait') now = said.answer.at;
    else times.push(now);
  }
  return { book, times };
};
const most = (times: readonly number[], window: number): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + window).length));

describe('the pace', () => {
  it('F5: lets a second pass between two, and never more than 80 in a minute or 500 in an hour', () => {
    const { times } = send(1_200);
    expect(Math.min(...times.slice(1).map((at, i) => at - (times[i] ?? 0)))).toBe(MIN_WRITE_GAP_MS);
    expect(most(times, MINUTE)).toBeLessThanOrEqual(MAX_WRITES_PER_MINUTE);
    expect(most(times, HOUR)).toBe(MAX_WRITES_PER_HOUR);
    // 500 need 499 gaps, and the next 500 the hour after them.
    expect((times[499] ?? 0) - AT).toBe(499 * MIN_WRITE_GAP_MS);
    expect((times[999] ?? 0) - AT).toBeLessThan(HOUR + 500 * MIN_WRITE_GAP_MS + 2 * SECOND);
  });

  it('F5: a clock that was put back makes nobody wait for it', () => {
    const { book, times } = send(10);
    const earlier = (times[0] ?? 0) - 3 * HOUR;
    expect(goes(book, earlier).answer).toMatchObject({ at: earlier + MIN_WRITE_GAP_MS });
    const told = applyHostBlock(EMPTY_WRITE_BUDGET, AT + HOUR, AT);
    expect(requestsBlockedUntil(told, AT)).toBe(AT + HOUR);
    expect(requestsBlockedUntil(told, AT - 365 * DAY)).toBe(0);
    expect(goes(told, AT - 365 * DAY).answer).toEqual({ kind: 'go' });
  });
});

describe('the line', () => {
  it('F5: says when each may go and after how many, and lets them go in that order', () => {
    let { book } = send(1);
    for (const [i, key] of ['a', 'b', 'c'].entries()) {
      const said = waits(book, AT, key);
      expect(said.answer).toEqual({ kind: 'wait', at: AT + (i + 1) * MIN_WRITE_GAP_MS, before: i });
      book = said.book;
    }
    expect(goes(book, AT + MIN_WRITE_GAP_MS, 'c', 'person').answer.kind).toBe('wait');
    expect(goes(book, AT + MIN_WRITE_GAP_MS, 'a', 'person').answer.kind).toBe('go');
  });

  it('F5: what a person waits for goes before what nobody waits for', () => {
    let { book } = send(1);
    book = waits(book, AT, 'care', 'other').book;
    const tap = waits(book, AT, 'tap', 'person');
    expect(tap.answer).toMatchObject({ before: 0 });
    expect(waits(tap.book, AT, 'care', 'other').answer).toMatchObject({
      before: 1,
      at: AT + 2 * MIN_WRITE_GAP_MS,
    });
  });

  it('F5: whoever does not come keeps nobody waiting, and has not lost its place when it comes', () => {
    let { book } = send(1);
    book = waits(book, AT, 'gone').book;
    book = waits(book, AT, 'next').book;
    const late = AT + MIN_WRITE_GAP_MS + 3 * SECOND;
    expect(goes(book, late, 'next', 'person').answer.kind).toBe('go');
    expect(waits(book, late, 'gone').answer.kind).toBe('go');
  });
});

describe('a code host that asks to be left alone', () => {
  const told = applyHostBlock(send(3).book, AT + 10 * MINUTE, AT + 5 * SECOND);

  it('F5: is left alone by everybody until the time that it told', () => {
    for (const rank of ['person', 'other'] as const) {
      for (const after of [0, MINUTE, 10 * MINUTE - 1])
        expect(goes(told, AT + Math.max(after, 5 * SECOND), 'k', rank).answer).toMatchObject({
          at: AT + 10 * MINUTE,
        });
      expect(goes(told, AT + 10 * MINUTE, 'k', rank).answer.kind).toBe('go');
    }
  });

  it('F5: is left alone for a minute when it tells no time, and for twice as long each time again', () => {
    let [book, now] = [EMPTY_WRITE_BUDGET, AT];
    const waited: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      book = applyHostBlock(book, null, now);
      // The others that were on their way say nothing new.
      book = applyHostBlock(applyHostBlock(book, null, now + 1), null, now + 2);
      waited.push((book.blockedUntil - now) / MINUTE);
      now = book.blockedUntil;
    }
    expect(waited).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(applyHostBlock(recordAccepted(book), null, now).blockedUntil - now).toBe(MINUTE);
  });

  it('F5: a shorter time told by one does not shorten what another was told', () => {
    expect(applyHostBlock(told, AT + MINUTE, AT + 6 * SECOND).blockedUntil).toBe(AT + 10 * MINUTE);
  });
});

it('F5: whatever comes, no window holds more than it may and nobody goes while all are held', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('go' as const),
      key: fc.integer({ min: 0, max: 9 }),
      person: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 20_000 }) }),
    fc.record({ kind: fc.constant('held' as const), ms: fc.option(fc.integer({ min: 0, max: 200_000 })) }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 400 }), (steps) => {
      let [book, now, until] = [EMPTY_WRITE_BUDGET, AT, 0];
      const times: number[] = [];
      for (const one of steps) {
        if (one.kind === 'pass') now += one.ms;
        else if (one.kind === 'held') {
          book = applyHostBlock(book, one.ms === null ? null : now + one.ms, now);
          until = book.blockedUntil;
        } else {
          const said = goes(book, now, `k${one.key}`, one.person ? 'person' : 'other');
          book = said.book;
          if (said.answer.kind === 'go') {
            expect(now).toBeGreaterThanOrEqual(until);
            times.push(now);
          } else expect(said.answer.at).toBeGreaterThanOrEqual(now);
        }
      }
      times
        .slice(1)
        .forEach((at, i) => expect(at - (times[i] ?? 0)).toBeGreaterThanOrEqual(MIN_WRITE_GAP_MS));
    }),
    { numRuns: 50 },
  );
});
