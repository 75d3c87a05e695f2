/** The chat's last metre: what becomes of one stored message on its way out, whatever Telegram answers. */
import { describe, expect, it } from 'vitest';
import { createTokens } from '../../bot/commands/tokens.ts';
import { LANGUAGES } from '../../bot/language/language.ts';
import { createPlaces } from '../../bot/places.ts';
import { createTellHandler, type TellParts } from '../../bot/tell.ts';
import type { View } from '../../orchestrator/core/machine/effects.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import {
  ChatMoved,
  MaybeSent,
  OutsideFailure,
  type Claim,
  type EffectRow,
  type SentMessage,
} from '../../orchestrator/ports.ts';
import { at } from '../support/core.ts';
import { noteOf } from '../support/english.ts';

const SECRET = `ghp${'_'}${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const ADMIN = 900;
const HERE = 5;

type Call = { how: 'send' | 'edit' | 'document'; chat: number; html: string; messageId?: number };
type Sent = Call & {
  silent?: boolean;
  buttons?: { token: string }[][];
  content?: string;
  caption?: string;
};
type World = {
  run?: Run | null;
  /** The chat of the effect. */
  chat?: number | null;
  /** What each slot was sent as. */
  sent?: Record<string, SentMessage>;
  /** Other messages of the run. */
  rows?: Partial<EffectRow>[];
  artifact?: { content: string } | null;
  patch?: { text: string; omitted: number } | null;
  /** What Telegram does instead of taking the call; null is a message that is gone. */
  answers?: (call: Call, no: number) => null | undefined;
};

const created = (w: World = {}) => {
  const calls: Sent[] = [];
  const settings = new Map<string, string>();
  const asked: string[] = [];
  let now = 1_000_000;
  const take = async (call: Sent): Promise<SentMessage | null> => {
    calls.push(call);
    const answer = w.answers?.(call, calls.length);
    return answer === null ? null : { chat: call.chat, messageId: call.messageId ?? 100 + calls.length };
  };
  const query = {
    run: async () => (w.run === undefined ? at('PUSHED').run : w.run),
    effect: async () => ({ chat: w.chat === undefined ? HERE : w.chat }),
    sent: async (slot: string) => w.sent?.[slot] ?? null,
    approval: async () => null,
    attempts: async () => [],
    runs: async () => [],
    effects: async (which: object) => (asked.push(JSON.stringify(which)), w.rows ?? []),
    artifact: async () => w.artifact ?? null,
    setting: async (key: string) => settings.get(key) ?? null,
  };
  const ledger = {
    query,
    setSetting: async (key: string, value: string) => void settings.set(key, value),
  };
  const tokens = createTokens([Buffer.alloc(32, 7)]);
  const parts = {
    chat: {
      send: (m: Sent) => take({ ...m, how: 'send' }),
      edit: (m: Sent) => take({ ...m, how: 'edit' }),
      document: (m: Sent) => take({ ...m, how: 'document' }),
    },
    clock: { now: () => now },
    places: createPlaces(ledger, [ADMIN, 901]),
    wordsFor: async () => LANGUAGES.en,
    patch: async () => w.patch ?? null,
    ...{ ledger, tokens },
  } as unknown as TellParts;
  const handler = createTellHandler(parts);
  const tell = (show: View, more: Partial<Claim & Claim['do']> = {}) => {
    const { n = 1, tries = 1, runId = 'r1', ...rest } = more;
    const what = { kind: 'tell', show, slot: null, urgent: false, sound: false, ...rest };
    return handler({ n, tries, runId, id: 'e', epoch: 1, leaseEpoch: 1, do: what } as Claim);
  };
  return {
    tell,
    handler,
    calls,
    settings,
    tokens,
    asked,
    wait: (ms: number) => void (now += ms),
    now: () => now,
  };
};
const says = (html: string): View => ({ view: 'reply', html, buttons: [] });
const fails =
  (...failure: ConstructorParameters<typeof OutsideFailure>) =>
  (): never => {
    throw new OutsideFailure(...failure);
  };

describe('what leaves for a chat', () => {
  it('C5: hides what looks like a secret in words, in files and below them', async () => {
    const { tell, calls } = created({ artifact: { content: `key ${SECRET}\n` } });
    await tell(says(`Here: ${SECRET}`));
    await tell({ view: 'document', name: 'log.txt', caption: `of ${SECRET}`, artifact: 'a' });
    await tell({ view: 'document', name: 'log.txt', caption: `of ${SECRET}`, artifact: 'a' }, { tries: 2 });
    expect(JSON.stringify(calls)).not.toContain(SECRET);
    expect(calls[0]?.html).toBe('Here: [secret]');
    expect(calls[1]).toMatchObject({ how: 'document', content: 'key [secret]\n', caption: 'of [secret]' });
    expect(calls[2]?.caption).toMatch(/^<i>.+<\/i> of \[secret\]$/);
  });

  it('C5: hides them in the patch of a run and in what is said below it', async () => {
    const text = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+${SECRET}\n`;
    const { tell, calls } = created({ patch: { text, omitted: 3 } });
    await tell({ view: 'patch', since: 'base' });
    expect(calls).toMatchObject([{ how: 'document', name: 'run-r1.patch', silent: true }]);
    expect(calls[0]?.content).toContain('+[secret]');
    expect(JSON.stringify(calls)).not.toContain(SECRET);
    await tell({ view: 'patch', since: 'pushed' }, { sound: true });
    expect(calls[1]).toMatchObject({ name: 'run-r1-fix.patch', silent: false });
    await tell({ view: 'patch', since: 'theirs' });
    expect(calls[2]).toMatchObject({ name: 'run-r1-theirs.patch' });
  });

  it('C2: says so where there is no patch, and gives up on a file that is gone', async () => {
    const { tell, calls } = created({ patch: { text: '', omitted: 0 } });
    expect(await tell({ view: 'patch', since: 'base' })).toMatchObject({
      kind: 'done',
      result: { epoch: null },
    });
    expect(calls).toMatchObject([{ how: 'send', chat: HERE, buttons: [], silent: true }]);
    expect(await tell({ view: 'document', name: 'a', caption: 'b', artifact: 'c' })).toMatchObject({
      kind: 'dead',
      reason: expect.stringContaining('no longer there') as string,
    });
    expect(calls).toHaveLength(1);
    const gone = created({ run: null });
    expect(await gone.tell({ view: 'patch', since: 'base' })).toMatchObject({ kind: 'dead' });
  });

  it('G4: carries buttons that are good for its chat and its number; those of an answer are told apart', async () => {
    const { tell, calls, tokens } = created();
    const button = (text: string) => ({ verb: 'detail', text, runId: 'r1' });
    const buttons = [[button('a'), button('b')], [button('c')], [button('d')]];
    await tell({ view: 'reply', html: 'x', buttons }, { n: 36 });
    const read = (token: string) => {
      const made = tokens.read(token);
      return made && [made.verb, made.index, made.n, tokens.ours(made, HERE), tokens.ours(made, HERE + 1)];
    };
    expect(calls[0]?.buttons?.map((line) => line.map(({ token }) => read(token)))).toEqual([
      [
        ['detail', 0, 36, true, false],
        ['detail', 1, 36, true, false],
      ],
      [['detail', 2, 36, true, false]],
      [['detail', 3, 36, true, false]],
    ]);
    await tell({ view: 'progress' }, { n: 37 });
    const shown = calls[1]?.buttons?.flat() ?? [];
    expect(shown.length).toBeGreaterThan(0);
    for (const { token } of shown) expect(tokens.read(token)).toMatchObject({ index: null, n: 37 });
  });

  it('C2: rings only where it is to ring, and is remembered as it was shown', async () => {
    const { tell, calls } = created();
    await tell(says('x'));
    await tell(says('x'), { sound: true });
    expect(calls.map((c) => c.silent)).toEqual([true, false]);
    const { run } = at('PUSHED');
    const done = await tell({ view: 'progress' });
    expect(done).toMatchObject({ kind: 'done', result: { chat: HERE, messageId: 103, epoch: run.epoch } });
    expect(done).toMatchObject({ result: { hash: expect.stringMatching(/^[0-9a-f]{16}$/) as string } });
  });

  it('C2: without a run is words only; anything else about a run that is not known is given up', async () => {
    const { tell, calls } = created({ run: null });
    await tell(noteOf('All is < well.'));
    expect(calls[0]?.html).toContain('All is &lt; well.');
    expect(calls[0]?.buttons).toEqual([]);
    expect(await tell({ view: 'progress' })).toMatchObject({
      kind: 'dead',
      reason: expect.stringContaining('not known') as string,
    });
    const of = await created().tell(says('x'), { runId: null as never });
    expect(of).toMatchObject({ result: { epoch: null } });
  });

  it('C2: that is for nobody is given up; so is what is no message', async () => {
    const { tell, handler, calls } = created({ chat: null, run: null });
    expect(await tell(says('x'))).toMatchObject({
      kind: 'dead',
      reason: expect.stringContaining('paired') as string,
    });
    const wake = { n: 1, runId: null, do: { kind: 'look' } } as Claim;
    expect(await handler(wake)).toEqual({ kind: 'dead', reason: 'not a message: look' });
    expect(calls).toEqual([]);
    const { order } = at('PUSHED').run;
    const ofRun = created({ chat: null });
    await ofRun.tell(says('x'));
    expect(ofRun.calls[0]?.chat).toBe(order.chat);
  });
});

describe('a message that may be there', () => {
  const there = { chat: HERE, messageId: 42 };

  it('C2: is edited in its slot, and sent anew when it is gone, is fresh, or went elsewhere', async () => {
    const { tell, calls } = created({ sent: { a: there, b: { chat: 6, messageId: 43 } } });
    expect(await tell(says('x'), { slot: 'a' })).toMatchObject({ result: { messageId: 42 } });
    await tell(says('x'), { slot: 'a', fresh: true });
    await tell(says('x'), { slot: 'b' });
    await tell(says('x'), { slot: 'c' });
    expect(calls.map((c) => [c.how, c.messageId])).toEqual([
      ['edit', 42],
      ['send', undefined],
      ['send', undefined],
      ['send', undefined],
    ]);
    const gone = created({ sent: { a: there }, answers: ({ how }) => (how === 'edit' ? null : undefined) });
    await gone.tell(says('x'), { slot: 'a' });
    await gone.tell(says('y'), { slot: 'a' });
    // It is asked for once only: a message that is gone does not come back.
    expect(gone.calls.map((c) => c.how)).toEqual(['edit', 'send', 'send']);
  });

  it('L4: is marked as a repeat when it is sent again, and never when it is edited', async () => {
    const { tell, calls } = created({ sent: { a: there } });
    await tell(says('x'));
    await tell(says('x'), { tries: 2 });
    await tell(says('x'), { tries: 2, slot: 'a' });
    expect(calls.map((c) => c.html)).toEqual(['x', expect.stringMatching(/^<i>.+<\/i> x$/), 'x']);
  });
});

describe('a message that Telegram does not take', () => {
  it('C5: goes out as plain text when its markup cannot be read', async () => {
    const markup = 'Bad Request: can’t PARSE ENTITIES in message text';
    for (const sent of [{}, { a: { chat: HERE, messageId: 42 } }]) {
      const { tell, calls } = created({
        sent,
        answers: (_, no) => (no === 1 ? fails('forge_refused', markup)() : undefined),
      });
      expect(await tell(says('<b>a</b> &lt; b'), { slot: 'a' })).toMatchObject({ kind: 'done' });
      expect(calls.map((c) => c.html)).toEqual(['<b>a</b> &lt; b', 'a &lt; b']);
    }
    const twice = created({ answers: fails('forge_refused', markup) });
    expect(await twice.tell(says('x'))).toEqual({ kind: 'dead', reason: markup });
    const away = created({ answers: fails('forge_unavailable', markup) });
    expect(await away.tell(says('x'))).toMatchObject({ kind: 'later' });
    expect([twice.calls.length, away.calls.length]).toEqual([2, 1]);
  });

  it('S6: is given up, with the reason, when it can never be sent', async () => {
    const { tell, calls } = created({ answers: fails('forge_refused', 'message is too long') });
    expect(await tell(says('x'))).toEqual({ kind: 'dead', reason: 'message is too long' });
    expect(calls).toHaveLength(1);
  });

  it('S6: reaches an admin when somebody must hear of it, and says where it was meant to go', async () => {
    const answers = ({ chat }: Call) =>
      chat === HERE ? fails('forge_refused', 'bot was blocked')() : undefined;
    const { tell, calls } = created({ answers });
    expect(await tell(says('x'), { sound: true })).toMatchObject({ result: { chat: ADMIN } });
    expect(calls[1]).toMatchObject({
      chat: ADMIN,
      html: expect.stringMatching(/^<i>.*5.*<\/i>\nx$/) as string,
    });
    // What became of it goes where it went.
    const known = created({ answers, sent: { a: { chat: ADMIN, messageId: 44 } } });
    await known.tell(says('y'), { slot: 'a' });
    expect(known.calls.at(-1)).toMatchObject({ how: 'edit', chat: ADMIN, messageId: 44 });
    const quiet = created({ answers });
    expect(await quiet.tell(says('y'), { slot: 'a' })).toMatchObject({ kind: 'dead' });
    expect(quiet.calls).toHaveLength(1);
    const away = created({ answers: fails('forge_unavailable', 'away') });
    expect(await away.tell(says('x'), { sound: true })).toMatchObject({ kind: 'later' });
    expect(away.calls).toHaveLength(1);
    const admin = created({
      chat: ADMIN,
      answers: ({ chat }) => (chat === ADMIN ? fails('forge_refused', 'no')() : undefined),
    });
    expect(await admin.tell(says('x'), { sound: true })).toMatchObject({ result: { chat: 901 } });
  });

  it('L8: is tried again later and later, its chat silent until then, and at once after a success', async () => {
    let away = true;
    const { tell, now } = created({
      answers: () => (away ? fails('forge_unavailable', 'away')() : undefined),
    });
    const pauses: unknown[] = [];
    for (let i = 0; i < 8; i += 1) {
      const finish = await tell(says('x'));
      if (finish.kind !== 'later') throw new Error('it went through');
      expect(finish).toMatchObject({ counts: false, silence: { chat: finish.at, everybody: null } });
      pauses.push(finish.at - now());
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    away = false;
    await tell(says('x'));
    away = true;
    expect(await tell(says('x'))).toMatchObject({ kind: 'later', at: now() + 2_000, reason: 'away' });
  });

  it('L8: waits as long as Telegram asks, and holds up others only when several are refused', async () => {
    const asked: { until: number } = { until: 0 };
    let chat = HERE;
    const world: World = {
      answers: () => (asked.until > 0 ? fails('rate_limited', 'slow down', asked.until)() : undefined),
    };
    Object.defineProperty(world, 'chat', { get: () => chat, enumerable: true });
    const { tell, now, wait } = created(world);
    const refusedUntil = async (until: number, where: number) => {
      asked.until = until;
      chat = where;
      return tell(says('x'));
    };
    const soon = now() + 3_000;
    expect(await refusedUntil(soon, 5)).toEqual({
      ...{ kind: 'later', at: soon, reason: 'slow down', counts: false },
      silence: { chat: soon, everybody: null },
    });
    const long = now() + 40_000;
    expect(await refusedUntil(long, 5)).toMatchObject({ at: long, silence: { everybody: null } });
    expect(await refusedUntil(long, 5)).toMatchObject({ silence: { everybody: null } });
    expect(await refusedUntil(long, 6)).toMatchObject({ silence: { everybody: now() + 1_000 } });
    // One of several that were under way at the same time is no news.
    expect(await refusedUntil(long, 7)).toMatchObject({ silence: { everybody: null } });
    wait(1_000);
    expect(await refusedUntil(long, 7)).toMatchObject({ silence: { everybody: now() + 2_000 } });
    asked.until = 0;
    await tell(says('x'));
    expect(await refusedUntil(now() + 40_000, 5)).toMatchObject({ silence: { everybody: null } });
    wait(2_000);
    expect(await refusedUntil(now() + 40_000, 6)).toMatchObject({ silence: { everybody: now() + 1_000 } });
  });

  it('L4: counts as a try only when it may have arrived', async () => {
    const maybe = created({
      answers: () => {
        throw new MaybeSent('forge_unavailable', 'no answer');
      },
    });
    expect(await maybe.tell(says('x'))).toMatchObject({ kind: 'later', counts: true });
  });

  it('C2: goes to where its group has moved, then and later', async () => {
    const { tell, calls, settings, now } = created({
      chat: -5,
      answers: ({ chat }) => {
        if (chat === -5) throw new ChatMoved(-1_005);
        return undefined;
      },
    });
    expect(await tell(says('x'))).toEqual({
      ...{ kind: 'later', at: now() + 1_000, counts: false },
      reason: 'The group became a supergroup.',
    });
    expect(settings.get('moved:-5')).toBe('-1005');
    await tell(says('x'));
    expect(calls.map((c) => c.chat)).toEqual([-5, -1_005]);
  });

  it('L6: a bug is nobody’s refusal', async () => {
    const { tell } = created({
      answers: () => {
        throw new TypeError('ours');
      },
    });
    await expect(tell(says('x'))).rejects.toThrow('ours');
  });
});

describe('a decision', () => {
  const card = (more: Partial<EffectRow>, approvalId = 'a'): Partial<EffectRow> => ({
    ...{ state: 'done', kind: 'tell', result: { chat: 6, messageId: 70 } },
    do: {
      kind: 'tell',
      ...{ slot: null, urgent: true, sound: true },
      show: { view: 'gate', approvalId, armedBy: null, armedUntil: null },
    },
    ...more,
  });
  const rows = [
    card({}),
    card({ result: { chat: 6, messageId: 70 } }),
    card({ result: { chat: HERE, messageId: 42 } }),
    card({ result: { chat: 8, messageId: 71 } }),
    card({ result: { chat: 9, messageId: 72 } }, 'other'),
    card({ result: 'nothing' }),
    {
      ...card({ result: { chat: 9, messageId: 73 } }),
      do: { ...card({}).do, show: { view: 'progress' } },
    } as EffectRow,
  ];
  const sent = { 'gate:a': { chat: HERE, messageId: 42 } };
  const gate: View = { view: 'gate', approvalId: 'a', armedBy: null, armedUntil: null };
  const closed = { ...at('PUSHED').run, approval: null };
  const edited = (calls: readonly Sent[]) => calls.map((c) => [c.how, c.chat, c.messageId]);

  it('C2: closes every copy of its card once, wherever it was shown, and no other message', async () => {
    const { tell, calls, asked } = created({ run: closed, sent, rows });
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'done', result: { messageId: 42 } });
    expect(edited(calls)).toEqual([
      ['edit', HERE, 42],
      ['edit', 6, 70],
      ['edit', 8, 71],
    ]);
    expect(new Set(calls.map((c) => c.html)).size).toBe(1);
    expect(asked).toEqual([JSON.stringify({ runId: closed.id, kind: 'tell', state: 'done' })]);
    // A copy of its own in another slot closes nothing.
    const copy = created({ run: closed, sent, rows });
    await copy.tell(gate, { slot: 'copy' });
    expect(copy.calls).toHaveLength(1);
  });

  it('C2: goes on where it was stopped for being too fast, and repeats nothing of it', async () => {
    let slow = true;
    const { tell, calls, now } = created({
      ...{ run: closed, sent, rows },
      answers: ({ chat }) => {
        if (chat === 8 && slow) throw new OutsideFailure('rate_limited', 'slow', now() + 1_000);
        return undefined;
      },
    });
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'later' });
    slow = false;
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'done', result: { messageId: 42 } });
    expect(edited(calls)).toEqual([
      ['edit', HERE, 42],
      ['edit', 6, 70],
      ['edit', 8, 71],
      ['edit', 8, 71],
    ]);
    await tell(gate, { slot: 'gate:a' });
    expect(calls).toHaveLength(7);
  });

  it('C2: is recorded although a chat with a copy takes nothing any more', async () => {
    const { tell } = created({
      ...{ run: closed, sent, rows },
      answers: ({ chat }) => (chat === 6 ? fails('forge_refused', 'kicked')() : undefined),
    });
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'done' });
  });
});
