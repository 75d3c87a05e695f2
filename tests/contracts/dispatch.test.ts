/**
 * Dispatch: leases kept and lost, work stopped when its run has moved on, a shutdown that loses
 * nothing, and tries that end.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect, EffectKind } from '#effects';
import { LEASE_MS } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { type EffectHandler, type EffectHandlers, createSubmitInput } from '#runtime';
import { createDispatch, type EffectDispatcher } from '../../orchestrator/kernel/runtime/dispatch.ts';
import { withQuestionEnded } from '../../orchestrator/kernel/rounds/answer-question.effect.ts';
import { createEffectRunner } from '../../orchestrator/kernel/runtime/effect-runner.ts';
import { OutsideFailure } from '#ports/forge';
import { NO_HANDLING_WATCH, type HandlingWatch } from '#ports/steps';
import { noticeHandler } from '../../orchestrator/notices/notice-handlers.ts';
import { enter, openInMemory, tell, wake, write, type Opened } from '../support/ledger.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../../orchestrator/kernel/run/round-table.ts';

let opened: Opened;
let at = 1_000;
/** What waits for the clock, and when it rings. */
let alarms: { at: number; ring: () => void }[] = [];
beforeEach(async () => {
  opened = await openInMemory();
  at = 1_000;
  alarms = [];
});
afterEach(() => opened.close());
const clock = { now: () => at };
const ids = { runId: () => 'r', nonce: () => 'n'.repeat(16) };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const timers = {
  after: (ms: number, ring: () => void) => {
    const alarm = { at: at + ms, ring };
    alarms.push(alarm);
    return { cancel: () => void (alarms = alarms.filter((one) => one !== alarm)) };
  },
};
const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
};
/** Time passes, and what is due rings in its order. */
const passes = async (ms: number): Promise<void> => {
  const until = at + ms;
  for (;;) {
    const [first] = alarms.filter((one) => one.at <= until).sort((a, b) => a.at - b.at);
    if (!first) break;
    alarms = alarms.filter((one) => one !== first);
    at = Math.max(at, first.at);
    first.ring();
    await turns();
  }
  at = until;
};

const IMPLEMENT: Effect = { do: { kind: 'implement', round: ROUND_WITHOUT_FEEDBACK }, dueAt: 0 };
const OPEN: Effect = { do: { kind: 'open_pr', approvalId: 'a', digest: 'd' }, dueAt: 0 };

/** Works until it is let go or stopped. */
const createWork = () => {
  const seen = { begun: 0, stopped: 0, ended: 0 };
  const ends: (() => void)[] = [];
  const handler: EffectHandler = async (_, signal) => {
    seen.begun += 1;
    await new Promise<void>((resolve) => {
      ends.push(resolve);
      signal.addEventListener('abort', () => void ((seen.stopped += 1), setImmediate(resolve)));
    });
    seen.ended += 1;
    return { kind: 'done', result: null };
  };
  return { seen, handler, finish: () => ends.splice(0).forEach((end) => end()) };
};
const dispatching = (
  kinds: readonly EffectKind[],
  handler: EffectHandler,
  heavyCap = 3,
  more: Partial<EffectHandlers> = {},
  watch: HandlingWatch = NO_HANDLING_WATCH,
): EffectDispatcher => {
  const { ledger } = opened;
  return createDispatch({
    ledger,
    clock,
    timers,
    log: silent,
    heavyCap,
    watch,
    report: async () => undefined,
    submit: createSubmitInput({ ledger, clock, ids }),
    handlers: {
      ...Object.fromEntries(kinds.map((kind) => [kind, handler])),
      ...more,
    } as unknown as EffectHandlers,
  });
};
const states = async (): Promise<string[]> => (await opened.ledger.query.effects({})).map((e) => e.state);

describe('what is at work', () => {
  it('L4, L8: what becomes due while others are claimed begins, though something else takes long', async () => {
    const { seen, handler } = createWork();
    const { ledger } = opened;
    await write(ledger, 'r1', { effects: [IMPLEMENT] });
    await write(ledger, 'r2', { effects: [{ ...OPEN, dueAt: at + 1_000 }] });
    const begun: string[] = [];
    const opens: EffectHandler = async ({ do: { kind } }) => {
      begun.push(kind);
      return { kind: 'done', result: null };
    };
    // Nothing was due when it was claimed, and something is when the next time is looked up.
    opened.ledger = {
      ...ledger,
      nextDue: async (...of) => {
        const due = await ledger.nextDue(...of);
        if (at === 1_999) at = 2_000;
        return due;
      },
    };
    const dispatch = dispatching(['implement'], handler, 3, { open_pr: opens });
    dispatch.wake();
    await turns();
    await passes(999);
    dispatch.wake();
    await turns();
    await passes(10);
    expect(seen.begun).toBe(1);
    expect(begun).toEqual(['open_pr']);
    await dispatch.stop();
  });

  it('L8: what is due later begins then, though something of another kind waits for a place', async () => {
    const { handler } = createWork();
    const { ledger } = opened;
    for (const id of ['r1', 'r2']) await write(ledger, id, { effects: [IMPLEMENT] });
    await write(ledger, 'r3', { effects: [{ ...OPEN, dueAt: at + 1_000 }] });
    const begun: string[] = [];
    const opens: EffectHandler = async ({ do: { kind } }) => {
      begun.push(kind);
      return { kind: 'done', result: null };
    };
    const dispatch = dispatching(['implement'], handler, 1, { open_pr: opens });
    dispatch.wake();
    await turns();
    await passes(1_500);
    expect(begun).toEqual(['open_pr']);
    await dispatch.stop();
  });

  it('L6: is done again after a shutdown, which waits for its end', async () => {
    const { seen, handler } = createWork();
    await write(opened.ledger, 'r1', { effects: [IMPLEMENT] });
    const dispatch = dispatching(['implement'], handler);
    dispatch.wake();
    await turns();
    await dispatch.stop();
    expect(seen).toEqual({ begun: 1, stopped: 1, ended: 1 });
    expect(await states()).toEqual(['claimed']);
    expect(await (await opened.restart()).recover(at)).toMatchObject({ freed: 1 });
  });

  it('L6: leaves no alarm behind, which would keep the process alive, though the ledger was away in between', async () => {
    const { handler } = createWork();
    await write(opened.ledger, 'r1', { effects: [{ ...IMPLEMENT, dueAt: at + LEASE_MS }] });
    const claim = opened.ledger.claim.bind(opened.ledger);
    const dispatch = dispatching(['implement'], handler);
    dispatch.wake();
    await turns();
    opened.ledger.claim = async () => Promise.reject(new Error('away'));
    dispatch.wake();
    await turns();
    expect(alarms).toHaveLength(1);
    await dispatch.stop();
    opened.ledger.claim = claim;
    expect(alarms).toEqual([]);
  });

  it.each([
    ['answered late', (renewed: Promise<boolean>) => renewed],
    ['refused', () => Promise.reject(new Error('the database is closed'))],
  ])('L4: a renewal under way when its work ends, and %s, begins no other', async (_, answers) => {
    const { handler, finish } = createWork();
    await write(opened.ledger, 'r1', { effects: [IMPLEMENT] });
    const renew = opened.ledger.renew.bind(opened.ledger);
    const dispatch = dispatching(['implement'], handler);
    dispatch.wake();
    await turns();
    const held = Promise.withResolvers<undefined>();
    opened.ledger.renew = (...asked) => held.promise.then(() => answers(renew(...asked)));
    await passes(LEASE_MS / 3);
    finish();
    await turns();
    held.resolve(undefined);
    await dispatch.stop();
    await turns();
    expect(alarms).toEqual([]);
  });

  it('E21: a question holds up no opening, outlives a state that waits, and stops once it is not open any more', async () => {
    const question = { id: 'q', text: 'Why?', by: 'Ana', chat: null, askedAt: 1, outcome: null };
    const asked: Effect = { do: { kind: 'answer_question', question: 'q', askedAt: 1 }, dueAt: 0 };
    const answering = createWork();
    const publishing = createWork();
    const run = { agent: { personQuestions: [question] } };
    await write(opened.ledger, 'r1', { run, effects: [asked, OPEN] });
    const handler: EffectHandler = (claim, signal) =>
      (claim.do.kind === 'open_pr' ? publishing : answering).handler(claim, signal);
    const dispatch = dispatching(['answer_question', 'open_pr'], handler);
    dispatch.wake();
    await turns();
    expect([answering.seen.begun, publishing.seen.begun]).toEqual([1, 1]);
    publishing.finish();
    await turns();
    const waits = await enter(opened.ledger, 'r1', 'CI_WAIT');
    if (waits.kind === 'written') dispatch.onWritten(waits.run, waits.before);
    await passes(LEASE_MS);
    await turns();
    expect(answering.seen.stopped).toBe(0);
    const ended = { agent: { personQuestions: [{ ...question, outcome: { kind: 'moved_on' as const } }] } };
    const works = await enter(opened.ledger, 'r1', 'ITERATING', { run: ended });
    if (works.kind === 'written') dispatch.onWritten(works.run, works.before);
    await turns();
    expect(answering.seen).toEqual({ begun: 1, stopped: 1, ended: 1 });
    await dispatch.stop();
  });

  it('E21: nothing works in the files before a question that is being stopped has put them back', async () => {
    const asked: Effect = { do: { kind: 'answer_question', question: 'q', askedAt: 1 }, dueAt: 0 };
    const answering = createWork();
    const working = createWork();
    const parts = { ledger: opened.ledger, clock };
    await write(opened.ledger, 'r1', { effects: [asked, IMPLEMENT] });
    const dispatch = dispatching(['answer_question'], answering.handler, 3, {
      implement: withQuestionEnded(parts, working.handler as EffectHandler<'implement'>),
    });
    dispatch.wake();
    await turns();
    await passes(2_000);
    expect([answering.seen.begun, working.seen.begun]).toEqual([1, 0]);
    answering.finish();
    await turns();
    await passes(2_000);
    expect([answering.seen.ended, working.seen.begun]).toEqual([1, 1]);
    await dispatch.stop();
  });

  it('L4: keeps its lease for as long as it lasts, and is not begun twice', async () => {
    const { seen, handler, finish } = createWork();
    await write(opened.ledger, 'r1', { effects: [IMPLEMENT] });
    const dispatch = dispatching(['implement'], handler);
    dispatch.wake();
    await turns();
    for (let i = 0; i < 5; i += 1) {
      await passes(LEASE_MS / 2);
      dispatch.wake();
      await turns();
    }
    expect(seen).toEqual({ begun: 1, stopped: 0, ended: 0 });
    finish();
    await turns();
    expect(await states()).toEqual(['done']);
    await dispatch.stop();
  });

  it('L4: stops when it hears that its lease is not its own any more; an opening goes on and is told', async () => {
    for (const [effect, stopped] of [
      [IMPLEMENT, 1],
      [OPEN, 0],
    ] as const) {
      const { seen, handler, finish } = createWork();
      const run = `r-${effect.do.kind}`;
      await write(opened.ledger, run, { effects: [effect] });
      const dispatch = dispatching([effect.do.kind], handler);
      dispatch.wake();
      await turns();
      // Somebody else, who does not tell us.
      await enter(opened.ledger, run, 'PAUSED');
      await passes(LEASE_MS / 2);
      expect(seen.stopped, effect.do.kind).toBe(stopped);
      finish();
      await dispatch.stop();
    }
  });

  it('S2: is stopped at once when its run moves on; an opening is not', async () => {
    for (const [effect, stopped] of [
      [IMPLEMENT, 1],
      [OPEN, 0],
    ] as const) {
      const { seen, handler, finish } = createWork();
      const id = `r-${effect.do.kind}`;
      await write(opened.ledger, id, { effects: [effect] });
      const dispatch = dispatching([effect.do.kind], handler);
      dispatch.wake();
      await turns();
      const said = await enter(opened.ledger, id, 'PAUSED');
      if (said.kind !== 'written') throw new Error(said.kind);
      dispatch.onWritten({ ...said.run, id: 'another' }, null);
      expect(seen.stopped).toBe(0);
      dispatch.onWritten(said.run, said.before);
      expect(seen.stopped, effect.do.kind).toBe(stopped);
      finish();
      await dispatch.stop();
    }
  });

  it('E6: is never more at once than there is room for', async () => {
    const { seen, handler, finish } = createWork();
    for (const run of ['r1', 'r2', 'r3']) await write(opened.ledger, run, { effects: [IMPLEMENT] });
    const dispatch = dispatching(['implement'], handler, 2);
    for (let i = 0; i < 3; i += 1) {
      dispatch.wake();
      await turns();
    }
    expect(seen.begun).toBe(2);
    finish();
    await turns();
    expect(seen.begun).toBe(3);
    finish();
    await dispatch.stop();
  });
});

describe('what stopped the process', () => {
  const watch = (times: number): HandlingWatch => ({ ...NO_HANDLING_WATCH, stopsAt: () => times });

  it('L9: twice is not begun again', async () => {
    const { seen, handler } = createWork();
    await write(opened.ledger, 'r1', { effects: [tell('hello')] });
    dispatching(['chat_message'], handler, 3, {}, watch(2)).wake();
    await turns();
    expect(seen.begun).toBe(0);
    expect(await states()).toEqual(['dead']);
  });

  it('L9: once is begun again', async () => {
    const { seen, handler, finish } = createWork();
    await write(opened.ledger, 'r1', { effects: [IMPLEMENT] });
    dispatching(['implement'], handler, 3, {}, watch(1)).wake();
    await turns();
    expect(seen.begun).toBe(1);
    finish();
  });

  it('L9: once is begun after everything else, and that uses up no try', async () => {
    const { seen, handler } = createWork();
    await write(opened.ledger, 'r1', { effects: [IMPLEMENT] });
    dispatching(['implement'], handler, 3, {}, { ...watch(1), pauseBefore: () => 5_000 }).wake();
    await turns();
    expect(seen.begun).toBe(0);
    expect(await opened.ledger.nextDue()).toBe(at + 5_000);
    expect(await opened.ledger.query.effects({ kind: 'implement' })).toMatchObject([{ tries: 0 }]);
  });

  it('L9: and only watches looks again an hour later, since nobody else would', async () => {
    const { seen, handler } = createWork();
    await write(opened.ledger, 'r1', { effects: [{ do: { kind: 'poll', intervalMs: 50 }, dueAt: 0 }] });
    dispatching(['poll'], handler, 3, {}, watch(2)).wake();
    await turns();
    expect(seen.begun).toBe(0);
    expect(await opened.ledger.nextDue()).toBe(at + 3_600_000);
  });
});

describe('what hangs', () => {
  const LOOK: Effect = { do: { kind: 'poll', intervalMs: 50 }, dueAt: 0 };
  const PUSH: Effect = {
    do: { kind: 'push', commitSha: 'a', expectedHead: null, approvalId: null },
    dueAt: 0,
  };

  it.each<[string, Effect, Effect[]]>([
    ['a code host that is looked at', LOOK, [PUSH, OPEN, IMPLEMENT, tell('hello'), wake(0)]],
    ['a code host that is pushed to', PUSH, [LOOK, IMPLEMENT, tell('hello'), wake(0)]],
    ['agents', IMPLEMENT, [LOOK, PUSH, tell('hello'), wake(0)]],
  ])('L8: %s keeps nothing else waiting', async (_, hanging, others) => {
    const { seen, handler, finish } = createWork();
    for (let i = 0; i < 100; i += 1) await write(opened.ledger, `r${i}`, { effects: [hanging] });
    const done: EffectKind[] = [];
    const quick: EffectHandler = async ({ do: { kind } }) => {
      done.push(kind);
      return { kind: 'done', result: null };
    };
    const kinds = others.map((effect) => effect.do.kind);
    const dispatch = dispatching(kinds, quick, 3, { [hanging.do.kind]: handler });
    dispatch.wake();
    await turns();
    expect(seen.begun).toBeGreaterThan(2);
    for (const [i, effect] of others.entries()) await write(opened.ledger, `o${i}`, { effects: [effect] });
    dispatch.wake();
    await turns();
    expect(done.sort()).toEqual([...kinds].sort());
    const stopped = dispatch.stop();
    finish();
    await stopped;
  });
});

describe('what fails', () => {
  /** Performs the effect whenever it is due. */
  const tries = async (
    effect: Effect,
    error: Error,
    most: number,
  ): Promise<{ at: number[]; ended: string[] }> => {
    const { ledger } = opened;
    await write(ledger, 'r1', { effects: [effect] });
    const ended: string[] = [];
    const submit = createSubmitInput({ ledger, clock, ids });
    const perform = createEffectRunner({
      ledger,
      clock,
      log: silent,
      report: async () => undefined,
      submit: (offer) => {
        if (offer.input.type === 'worker.step.failed') ended.push(offer.input.class);
        return submit(offer);
      },
      handlers: { [effect.do.kind]: () => Promise.reject(error) } as unknown as EffectHandlers,
    });
    const times: number[] = [];
    for (let i = 0; i < 1_000 && times.length < most && ended.length === 0; i += 1) {
      const [claim] = await ledger.claim({ now: at, leaseMs: 1, limit: 1, kinds: [effect.do.kind] });
      if (claim) {
        times.push(at);
        await perform(claim, new AbortController().signal);
      }
      at = Math.max(at + 1, (await ledger.nextDue()) ?? at);
    }
    return { at: times, ended };
  };
  const push: Effect = {
    do: { kind: 'push', commitSha: 'a', expectedHead: null, approvalId: null },
    dueAt: 0,
  };

  it('S6: for outside reasons is tried four times, and then the machine hears of it', async () => {
    const { at: times, ended } = await tries(push, new OutsideFailure('forge_unavailable', 'down'), 9);
    expect(times).toHaveLength(4);
    expect(ended).toEqual(['forge_unavailable']);
  });

  it('F5: is tried again when the host said, and that counts for nothing', async () => {
    const patient = new OutsideFailure('rate_limited', 'wait', { retryAt: 500_000 });
    const { at: times, ended } = await tries(push, patient, 1);
    expect(times).toEqual([1_000]);
    expect(at).toBe(500_000);
    expect(ended).toEqual([]);
    expect((await opened.ledger.query.effects({ kind: 'push' }))[0]?.tries).toBe(0);
  });

  it.each([
    ['at once', 0],
    ['a moment ago', -5_000],
    ['in half a second', 500],
  ])('S6: a host that says “come back %s” again and again is no wait', async (_, ms) => {
    const { ledger } = opened;
    await write(ledger, 'r1', { effects: [push] });
    const submitted: string[] = [];
    const submit = createSubmitInput({ ledger, clock, ids });
    const perform = createEffectRunner({
      ledger,
      clock,
      log: silent,
      report: async () => undefined,
      submit: (offer) => {
        submitted.push(offer.input.type);
        return submit(offer);
      },
      handlers: {
        push: () =>
          Promise.reject(new OutsideFailure('rate_limited', 'wait', { retryAt: at + ms, status: 429 })),
      } as unknown as EffectHandlers,
    });
    let asked = 0;
    for (let i = 0; i < 100 && submitted.length === 0; i += 1) {
      const [claim] = await ledger.claim({ now: at, leaseMs: 1_000, limit: 1, kinds: ['push'] });
      if (claim) {
        asked += 1;
        await perform(claim, new AbortController().signal);
      }
      at += 500;
    }
    expect(asked).toBe(4);
    expect(submitted).toEqual(['worker.step.failed']);
  });

  it('S6, F8: a limit that never says until when is waited for a few minutes, and then it is told', async () => {
    const { ledger } = opened;
    await write(ledger, 'r1', { effects: [push] });
    const submitted: object[] = [];
    const submit = createSubmitInput({ ledger, clock, ids });
    const guess = (): OutsideFailure =>
      new OutsideFailure('rate_limited', 'wait', {
        retryAt: at + 60_000,
        status: 403,
        detail: { kind: 'secondary_limit' },
        isGuess: true,
      });
    const perform = createEffectRunner({
      ledger,
      clock,
      log: silent,
      report: async () => undefined,
      submit: (offer) => {
        submitted.push(offer.input);
        return submit(offer);
      },
      handlers: { push: () => Promise.reject(guess()) } as unknown as EffectHandlers,
    });
    const [begun, waits] = [at, [] as number[]];
    for (let i = 0; i < 30 && submitted.length === 0; i += 1) {
      const [claim] = await ledger.claim({ now: at, leaseMs: 1_000, limit: 1, kinds: ['push'] });
      if (claim) {
        waits.push(at - begun);
        await perform(claim, new AbortController().signal);
      }
      at += 60_000;
    }
    expect(waits).toEqual([0, 60_000, 120_000, 180_000]);
    expect(submitted).toMatchObject([
      { type: 'worker.step.failed', class: 'rate_limited', detail: { kind: 'secondary_limit' } },
    ]);
  });

  it('F8: whoever waits for the code host for long is told once, and is asked again within the hour', async () => {
    const { ledger } = opened;
    await write(ledger, 'r1', { effects: [push] });
    const far = (): OutsideFailure =>
      new OutsideFailure('rate_limited', 'wait', { retryAt: at + 86_400_000, status: 403 });
    const perform = createEffectRunner({
      ledger,
      clock,
      log: silent,
      submit: createSubmitInput({ ledger, clock, ids }),
      report: (note) => ledger.receive([note], at),
      handlers: { push: () => Promise.reject(far()) } as unknown as EffectHandlers,
    });
    const begun = at;
    for (let i = 0; i < 3; i += 1) {
      const [claim] = await ledger.claim({ now: at, leaseMs: 1_000, limit: 1, kinds: ['push'] });
      if (!claim) throw new Error('nothing is due');
      await perform(claim, new AbortController().signal);
      for (const row of await ledger.inbox(9)) await noticeHandler(row.body)?.(ledger, row, clock);
      at += 3_600_000;
    }
    const told = (await ledger.query.effects({ kind: 'chat_message' })).map((row) => row.do);
    expect(told).toMatchObject([
      {
        content: { view: 'provider_wait', for: 'host', since: begun, until: begun + 3_600_000 },
        sound: true,
      },
    ]);
  });

  describe('many that wait for the code host', () => {
    const waiting = () => {
      const { ledger } = opened;
      const wait = { until: 0 };
      const perform = createEffectRunner({
        ledger,
        clock,
        log: silent,
        submit: createSubmitInput({ ledger, clock, ids }),
        report: (note) => ledger.receive([note], at),
        handlers: {
          push: () =>
            Promise.reject(new OutsideFailure('rate_limited', 'wait', { retryAt: wait.until, status: 403 })),
        } as unknown as EffectHandlers,
      });
      /** What people hear when a run waits from now on, for so many minutes. */
      return async (run: string, minutes: number) => {
        await write(ledger, run, { effects: [push] });
        wait.until = at + minutes * 60_000;
        const [claim] = await ledger.claim({ now: at, leaseMs: 1_000, limit: 1, kinds: ['push'] });
        if (!claim) throw new Error('nothing is due');
        await perform(claim, new AbortController().signal);
        for (const row of await ledger.inbox(9)) await noticeHandler(row.body)?.(ledger, row, clock);
        const [tell] = await ledger.claim({ now: at, leaseMs: 1_000, limit: 1, kinds: ['chat_message'] });
        if (tell?.do.kind !== 'chat_message') throw new Error('nobody is told');
        await ledger.finish(tell, { kind: 'done', result: { messageId: 7 } }, at);
        return { runId: tell.runId, ...tell.do };
      };
    };

    it('F8: the first one rings, and its message counts the others, also past a full hour', async () => {
      const waits = waiting();
      at = 55 * 60_000;
      const first = await waits('r1', 35);
      const until = at + 35 * 60_000;
      expect(first).toMatchObject({ runId: 'r1', sound: true, content: { since: at, until } });
      at += 6 * 60_000;
      const second = await waits('r2', 29);
      at += 60_000;
      const third = await waits('r3', 30);
      expect([second, third]).toMatchObject([
        { runId: 'r1', sound: false, content: { others: ['r2'] } },
        { runId: 'r1', sound: false, content: { until: until + 2 * 60_000, others: ['r2', 'r3'] } },
      ]);
      expect([second.slot, third.slot]).toEqual([first.slot, first.slot]);
    });

    it('F8: another wait rings, however soon it comes after the last one', async () => {
      const waits = waiting();
      const first = await waits('r1', 8);
      at += 19 * 60_000;
      const second = await waits('r2', 37);
      expect(second).toMatchObject({ runId: 'r2', sound: true, content: { since: at } });
      expect(second.slot).not.toBe(first.slot);
    });

    it('F8: a run is no other than itself, whichever step of it waits', async () => {
      const waits = waiting();
      await waits('r1', 48);
      at += 3 * 60_000;
      const again = await waits('r1', 45);
      expect([again.sound, again.content]).toEqual([false, expect.not.objectContaining({ others: ['r1'] })]);
    });
  });

  it('S6: a look goes on for ever, a timer or a push that is our fault does not', async () => {
    const look: Effect = { do: { kind: 'poll', intervalMs: 50 }, dueAt: 0 };
    expect((await tries(look, new OutsideFailure('forge_unavailable', 'down'), 12)).at).toHaveLength(12);
  });

  it('S6: is given up only when a person was told', async () => {
    const { ledger } = opened;
    await write(ledger, 'r1', { effects: [wake(0)] });
    const perform = createEffectRunner({
      ledger,
      clock,
      log: silent,
      submit: createSubmitInput({ ledger, clock, ids }),
      report: () => Promise.reject(new Error('the disk is full')),
      handlers: {
        wake: () => Promise.reject(new TypeError('x is not a function')),
      } as unknown as EffectHandlers,
    });
    for (let i = 0; i < 3; i += 1) {
      const [claim] = await ledger.claim({ now: at, leaseMs: 1_000_000, limit: 1, kinds: ['offer_input'] });
      if (!claim) throw new Error('nothing is due');
      await perform(claim, new AbortController().signal).catch(() => undefined);
      at += 60_000;
    }
    expect(await states()).toEqual(['claimed']);
  });
});
