/** E14: how long what was published is waited for, by the clock of a test. */
import { expect, it } from 'vitest';
import { createReadBacks } from '../../orchestrator/kernel/gate/retry-read-back.io.ts';
import { OutsideFailure } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = 1_000 * MINUTE;
const claim = { id: 'e' } as ClaimedEffect;

/**
 * `read` is asked at each time (ms since the start), and answers in turn; what comes of it, with
 * waits counted from then.
 */
const asked = async (...answers: (readonly [at: number, answer: 'unseen' | 'there' | Error])[]) => {
  const now = { at: START };
  const backs = createReadBacks<string>({ now: () => now.at });
  const said: unknown[] = [];
  for (const [at, answer] of answers) {
    now.at = START + at;
    const read = async () => {
      if (answer instanceof Error) throw answer;
      return answer === 'there' ? null : answer;
    };
    const outcome = await backs.read(claim, 'sha', read).catch((error: Error) => error.message);
    const waits = outcome !== null && typeof outcome === 'object' && outcome.kind === 'later';
    said.push(waits ? outcome.at - now.at : outcome);
  }
  return { said, made: backs.made(claim), backs };
};
const away = new OutsideFailure('forge_unavailable', 'away');
const wait = (ms: number) => new OutsideFailure('rate_limited', 'wait', { retryAt: START + ms });

it('E14: waits longer each time, up to fifteen seconds, and remembers what was published meanwhile', async () => {
  const { said, made } = await asked(...[0, 1, 3, 7, 15, 30, 45].map((s) => [s * SECOND, 'unseen'] as const));
  expect(said).toEqual([1, 2, 4, 8, 15, 15, 15].map((s) => s * SECOND));
  expect(made).toBe('sha');
});

it('E14: is patient for ninety seconds from the first look, and then says what it saw', async () => {
  expect((await asked([0, 'unseen'], [90 * SECOND - 1, 'unseen'])).said).toEqual([SECOND, 2 * SECOND]);
  const over = await asked([0, 'unseen'], [90 * SECOND, 'unseen']);
  expect(over.said).toEqual([SECOND, 'unseen']);
  expect(over.made).toBeNull();
  expect((await asked([0, away], [90 * SECOND, away])).said).toEqual([SECOND, 'away']);
});

it('E14: forgets what was read back', async () => {
  const { said, made } = await asked([0, 'unseen'], [SECOND, 'there']);
  expect(said).toEqual([SECOND, null]);
  expect(made).toBeNull();
});

it('E14: says why it is read again', async () => {
  const backs = createReadBacks<string>({ now: () => START });
  const later = { kind: 'later', counts: true };
  expect(await backs.read(claim, 'sha', async () => 'unseen')).toMatchObject({
    ...later,
    reason: 'nothing is to be seen of it yet',
  });
  expect(await backs.read(claim, 'sha', () => Promise.reject(away))).toMatchObject({
    ...later,
    reason: 'away',
  });
});

it('F5: comes back when it is asked to, at most after an hour, and is patient from then on', async () => {
  expect((await asked([0, wait(10 * MINUTE)])).said).toEqual([10 * MINUTE]);
  expect((await asked([0, wait(100 * MINUTE)])).said).toEqual([60 * MINUTE]);
  const after = await asked([0, wait(10 * MINUTE)], [11 * MINUTE, away], [11 * MINUTE + 30 * SECOND, away]);
  expect(after.said).toEqual([10 * MINUTE, 2 * SECOND, 'away']);
});

it('F5: to be asked to come back no later than it would is no wait', async () => {
  const now = await asked([0, wait(0)], [89 * SECOND, wait(89 * SECOND)], [90 * SECOND, wait(90 * SECOND)]);
  expect(now.said).toEqual([SECOND, 2 * SECOND, 'wait']);
  const own = await asked([0, away], [90 * SECOND, wait(92 * SECOND)]);
  expect(own.said).toEqual([SECOND, 'wait']);
});

it('S6: a clock that was put back by an hour makes nobody more patient', async () => {
  expect((await asked([0, 'unseen'], [-60 * MINUTE, 'unseen'])).said[1]).toBe('unseen');
  expect((await asked([0, 'unseen'], [1 - 60 * MINUTE, 'unseen'])).said[1]).toBe(2 * SECOND);
});

it('a bug is a bug', async () => {
  const { said } = await asked([0, new TypeError('ours')]);
  expect(said).toEqual(['ours']);
});
