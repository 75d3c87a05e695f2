/**
 * S6: what our own faults stop is told to a person within a minute, once, and a run never stops
 * looking at the code host.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EffectHandler, type EffectHandlers, createSubmitInput } from '#runtime';
import type { Effect } from '#effects';
import { createEffectRunner, stuckWorkInboxItem } from '../../orchestrator/kernel/runtime/effect-runner.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { connectionInboxItem } from '../../orchestrator/notices/work-notices.ts';
import { noticeHandler } from '../../orchestrator/notices/notice-handlers.ts';
import { observe, openInMemory, wake, write, type Opened } from '../support/ledger.ts';
import { textOf } from '../support/english.ts';

let opened: Opened;
let at = 1_000;
beforeEach(async () => {
  opened = await openInMemory();
  at = 1_000;
});
afterEach(() => opened.close());
const clock = { now: () => at };
const ids = { runId: () => 'r', nonce: () => 'n'.repeat(16) };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const bug: EffectHandler = () => Promise.reject(new TypeError('x is not a function'));

/**
 * Performs the effect every time it is due, for so many ms, and handles what is reported meanwhile.
 */
const live = async (ledger: Ledger, effect: Effect, forMs: number): Promise<ClaimedEffect[]> => {
  await write(ledger, 'r1', { effects: [effect] });
  const handlers = { poll: bug, offer_input: bug, chat_message: bug } as unknown as EffectHandlers;
  const perform = createEffectRunner({
    ledger,
    clock,
    handlers,
    log: silent,
    submit: createSubmitInput({ ledger, clock, ids }),
    report: (note) => ledger.receive([note], at),
  });
  const claims: ClaimedEffect[] = [];
  for (const until = at + forMs; at < until; at += 500) {
    for (const claim of await ledger.claim({ now: at, leaseMs: 60_000, limit: 9, kinds: [effect.do.kind] })) {
      claims.push(claim);
      await perform(claim, new AbortController().signal);
    }
    for (const row of await ledger.inbox(9)) await noticeHandler(row.body)?.(ledger, row, clock);
  }
  return claims;
};
const told = async (ledger: Ledger): Promise<string[]> =>
  (await ledger.query.effects({ kind: 'chat_message' })).flatMap(({ do: { kind, ...rest } }) =>
    kind === 'chat_message' && 'content' in rest && rest.content.view === 'note' && rest.urgent && rest.sound
      ? [textOf(rest.content)]
      : [],
  );

it('S6: a timer that cannot be handled is given up, and a person hears of it', async () => {
  const claims = await live(opened.ledger, wake(0), 60_000);
  expect(claims).toHaveLength(3);
  expect(await told(opened.ledger)).toEqual([expect.stringContaining('x is not a function')]);
  expect(await opened.ledger.query.effects({ state: 'dead' })).toHaveLength(1);
});

it('S6: looks that fail are told of once, and go on for ever', async () => {
  const claims = await live(opened.ledger, observe(), 3_600_000);
  expect(claims.length).toBeGreaterThan(12);
  expect(await told(opened.ledger)).toEqual([expect.stringContaining('cannot look at the code host')]);
  const [effect] = await opened.ledger.query.effects({ kind: 'poll' });
  expect(effect?.state).toBe('pending');
});

it('S6: what was told before a crash is not told again after it', async () => {
  const { ledger } = opened;
  await write(ledger, 'r1', { effects: [wake(0)] });
  const [claim] = await ledger.claim({ now: at, leaseMs: 10, limit: 1, kinds: ['offer_input'] });
  if (!claim) throw new Error('nothing was claimed');
  const note = stuckWorkInboxItem(claim, 'broken');
  await ledger.receive([note], at);
  await ledger.receive([note], at);
  expect(await ledger.inbox(9)).toHaveLength(1);
});

it('O2: that somebody must act is told, and rings, also after it was told that GitHub is away', async () => {
  const { ledger } = opened;
  const news = { kind: 'forge', name: 'GitHub', since: at, backAfterMs: null } as const;
  const away = { ...news, says: 'GitHub failed (502)', person: false };
  const refused = { ...news, says: 'GitHub refused our credential', person: true };
  const back = { ...away, says: 'GitHub as octo', backAfterMs: 60_000 };
  const told: object[] = [];
  for (const one of [away, away, refused, refused, back]) {
    await ledger.receive([connectionInboxItem(one, ['7'])], at);
    for (const row of await ledger.inbox(9)) await noticeHandler(row.body)?.(ledger, row, clock);
    for (const claim of await ledger.claim({ now: at, leaseMs: 1, limit: 9, kinds: ['chat_message'] })) {
      told.push(claim.do);
      await ledger.finish(claim, { kind: 'done', result: { chat: '7', messageId: told.length } }, at);
    }
    at += 60_000;
  }
  expect(told).toMatchObject([
    { content: { says: away.says }, sound: false },
    { content: { says: refused.says }, sound: true, newMessage: true },
    { content: { says: back.says }, sound: false },
  ]);
});

it('S2: what is no input is offered to no run, and nothing of it is kept', async () => {
  const { ledger } = opened;
  await write(ledger, 'r1', {});
  const submit = createSubmitInput({ ledger, clock, ids });
  const before = await ledger.query.events('r1');
  for (const input of [
    { type: 'command.anything' },
    { type: 'command.pause', by: 'Ana' },
    { type: 'forge.head.observed', branch: 7, sha: null },
    { type: 'command.pause', by: { id: 7, name: 'Ana' } },
  ])
    await expect(
      submit({ runId: 'r1', input: input as never, key: 'k', cause: { kind: 'none' } }),
    ).rejects.toThrow();
  expect(await ledger.query.events('r1')).toEqual(before);
});
