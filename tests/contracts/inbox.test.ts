/** The inbox: in order, again after a pause, and never in the way for ever. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createInbox } from '../../orchestrator/kernel/runtime/inbox.ts';
import { type InboxHandlers, pruneHandlingStops } from '#runtime';
import { NO_HANDLING_WATCH, SET_ASIDE, type HandlingWatch, type ChatReply } from '#ports/steps';
import { openInMemory, type Opened } from '../support/ledger.ts';
import { noteOf } from '../support/english.ts';

let opened: Opened;
let waits: { ms: number; go: () => void }[] = [];
beforeEach(async () => {
  opened = await openInMemory();
  waits = [];
});
afterEach(() => opened.close());
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
};
const sorry: ChatReply = {
  chat: '7',
  slot: null,
  urgent: true,
  sound: false,
  runId: null,
  show: noteOf('Sorry.'),
};
const message = (key: string, source: 'chat' | 'forge' = 'chat') => ({ source, key, body: {} });
const said = (key: string, chat: number, urgent = false) => ({
  ...message(key),
  lane: `chat:${chat}`,
  urgent,
});

/** Rows whose key is among `broken` fail; those that are `held` take until they are let go. */
const open = (
  broken: Set<string>,
  held = new Map<string, Promise<void>>(),
  watch = NO_HANDLING_WATCH,
  ledger = opened.ledger,
) => {
  const seen: string[] = [];
  const handle = async (row: { id: number; key: string }): Promise<void> => {
    seen.push(row.key);
    await held.get(row.key);
    if (broken.has(row.key)) throw new Error(`${row.key} is broken`);
    await ledger.settleInbox(row.id, { kind: 'done', note: '', replies: [] }, 1);
  };
  const handlers: InboxHandlers = {
    chat: handle,
    forge: handle,
    cli: handle,
    note: handle,
    sorry: async () => [sorry],
  };
  const timers = { after: (ms: number, go: () => void) => (waits.push({ ms, go }), { cancel: () => {} }) };
  return {
    seen,
    inbox: createInbox({ ledger, clock: { now: () => 1 }, handlers, log: silent, timers, watch }),
  };
};

it('S6: a message that fails is tried again after a pause, given up at the third time, and its sender hears so', async () => {
  const { seen, inbox } = open(new Set(['1']));
  await inbox.receive([message('1')]);
  for (let i = 0; i < 4; i += 1) {
    await turns();
    waits.splice(0).forEach(({ go }) => go());
  }
  await turns();
  expect(seen).toEqual(['1', '1', '1']);
  expect(await opened.ledger.query.inboxCounts()).toEqual({ dead: 1 });
  expect((await opened.ledger.query.effects({ kind: 'chat_message' })).map((e) => e.do)).toMatchObject([
    { content: sorry.show },
  ]);
});

it('S4: what somebody said after it waits with it; what the code host says does not', async () => {
  const broken = new Set(['1']);
  const { seen, inbox } = open(broken);
  await inbox.receive([message('1'), message('2'), message('g', 'forge')]);
  await turns();
  expect(seen.sort()).toEqual(['1', 'g']);
  expect(waits.map(({ ms }) => ms)).toEqual([200]);
  broken.clear();
  waits.splice(0).forEach(({ go }) => go());
  await turns();
  expect(seen.slice(2)).toEqual(['1', '2']);
  expect(await opened.ledger.query.inboxCounts()).toEqual({ done: 3 });
});

it('S6: a message that is stored just as all others are done is handled without another one', async () => {
  for (let ticks = 0; ticks < 8; ticks += 1) {
    const key = `${ticks}`;
    await opened.ledger.receive([message(key)], 1);
    let isEarly = true;
    const ledger: typeof opened.ledger = {
      ...opened.ledger,
      inbox: async (limit) => {
        const rows = await opened.ledger.inbox(limit);
        if (!isEarly) return rows;
        isEarly = false;
        void afterTicks(ticks).then(() => inbox.drain());
        return [];
      },
    };
    const { seen, inbox } = open(new Set(), new Map(), NO_HANDLING_WATCH, ledger);
    await inbox.drain();
    await turns();
    expect(seen, `after ${ticks} ticks`).toEqual([key]);
  }
});
const afterTicks = async (ticks: number): Promise<void> => {
  for (let i = 0; i < ticks; i += 1) await Promise.resolve();
};

it('L8: a message that fails, or takes long, keeps nobody waiting but its own chat', async () => {
  const broken = new Set(['a1']);
  const slow = Promise.withResolvers<void>();
  const { seen, inbox } = open(broken, new Map([['b1', slow.promise]]));
  await inbox.receive([
    said('a1', 1),
    said('a2', 1),
    said('b1', 2),
    said('b2', 2),
    said('c1', 3),
    said('c2', 3),
  ]);
  await turns();
  expect(seen.toSorted()).toEqual(['a1', 'b1', 'c1', 'c2']);
  broken.clear();
  waits.splice(0).forEach(({ go }) => go());
  slow.resolve();
  await turns();
  expect(seen.slice(4).toSorted()).toEqual(['a1', 'a2', 'b2']);
  expect(await opened.ledger.query.inboxCounts()).toEqual({ done: 6 });
});

it('L8: a tap goes before all that its chat and others have sent, and waits for nothing that is slow elsewhere', async () => {
  const slow = Promise.withResolvers<void>();
  const { seen, inbox } = open(new Set(), new Map([['a0', slow.promise]]));
  const flood = Array.from({ length: 300 }, (_, i) => said(`a${i}`, 1));
  await inbox.receive(flood);
  await turns();
  expect(seen).toEqual(['a0']);
  await inbox.receive([said('tap', 2, true), said('stop', 1, true)]);
  await turns();
  expect(seen).toEqual(['a0', 'tap']);
  slow.resolve();
  await inbox.drain();
  expect(seen.slice(0, 4)).toEqual(['a0', 'tap', 'stop', 'a1']);
  expect(seen.slice(3)).toEqual(flood.slice(1).map(({ key }) => key));
});

it('L8: deliveries of the code host come a few at a time, and what people say comes between them', async () => {
  const held = new Map(Array.from({ length: 100 }, (_, i) => [`g${i}`, Promise.withResolvers<void>()]));
  const { seen, inbox } = open(new Set(), new Map([...held].map(([key, { promise }]) => [key, promise])));
  await inbox.receive([...held.keys()].map((key) => ({ ...message(key, 'forge'), lane: 'repo:a' })));
  await turns();
  expect(seen.length).toBeLessThan(20);
  await inbox.receive([said('tap', 2, true), said('word', 3)]);
  await turns();
  expect(seen.slice(-2).toSorted()).toEqual(['tap', 'word']);
  for (const { resolve } of held.values()) resolve();
  await inbox.drain();
  expect(await opened.ledger.query.inboxCounts()).toEqual({ done: 102 });
});

it('S6: a ledger that takes no end of a message is tried again when somebody looks, and not over and over', async () => {
  const seen: string[] = [];
  const { ledger } = opened;
  let full = true;
  const settleInbox: typeof ledger.settleInbox = (...given) =>
    full ? Promise.reject(new Error('the disk is full')) : ledger.settleInbox(...given);
  const handle = async (row: { id: number; key: string }): Promise<void> => {
    seen.push(row.key);
    await settleInbox(row.id, { kind: 'done', note: '', replies: [] }, 1);
  };
  const inbox = createInbox({
    ledger: { ...ledger, settleInbox },
    clock: { now: () => 1 },
    log: silent,
    handlers: { chat: handle, forge: handle, cli: handle, note: handle },
  });
  await ledger.receive([said('a1', 1)], 1);
  await expect(inbox.drain()).rejects.toThrow('the disk is full');
  expect(seen).toEqual(['a1']);
  full = false;
  await inbox.drain();
  expect(await ledger.query.inboxCounts()).toEqual({ done: 1 });
});

/** Every row stopped the process that often. */
const stopped = (times: number): HandlingWatch & { within: HandlingWatch['within']; forgotten: string[] } => {
  const forgotten: string[] = [];
  return {
    ...NO_HANDLING_WATCH,
    stopsAt: (key) => (key.endsWith(' poison') ? times : 0),
    forget: (key) => void forgotten.push(key),
    forgotten,
  };
};
const ends = async () => ({
  inbox: await opened.ledger.query.inboxCounts(),
  told: (await opened.ledger.query.effects({ kind: 'chat_message' })).length,
});

it('L9: a row that stopped the process twice is set aside, its sender hears so, and what came after it is handled', async () => {
  const watch = stopped(2);
  const { seen, inbox } = open(new Set(), new Map(), watch);
  await inbox.receive([said('poison', 1), said('after', 1), said('other', 2)]);
  await inbox.drain();
  expect(seen.toSorted()).toEqual(['after', 'other']);
  expect(await ends()).toEqual({ inbox: { dead: 1, done: 2 }, told: 1 });
  expect(watch.forgotten).toEqual(['inbox 1 chat poison']);
});

it('L9: a row that stopped the process once is handled again', async () => {
  const { seen, inbox } = open(new Set(), new Map(), stopped(1));
  await inbox.receive([said('poison', 1)]);
  await inbox.drain();
  expect(seen).toEqual(['poison']);
});

it('L9: what stopped the process before is handled after everything else', async () => {
  let pause = 5_000;
  const { seen, inbox } = open(new Set(), new Map(), {
    ...stopped(1),
    pauseBefore: (key) => (key.endsWith(' poison') ? pause : 0),
  });
  await inbox.receive([said('poison', 1), said('after', 1), said('other', 2)]);
  await inbox.drain();
  expect(seen).toEqual(['other']);
  expect(waits.map(({ ms }) => ms)).toEqual([5_000]);
  pause = 0;
  waits.splice(0).forEach(({ go }) => go());
  await turns();
  expect(seen).toEqual(['other', 'poison', 'after']);
});

it('L9: a row that was set aside and retried is set aside again at its next stop', async () => {
  const { ledger } = opened;
  const { seen, inbox } = open(new Set(), new Map(), stopped(1));
  const [row] = await ledger.receive([said('poison', 1)], 1);
  await ledger.settleInbox(row?.id ?? 0, { kind: 'dead', note: SET_ASIDE, replies: [] }, 1);
  await ledger.reopenInbox(row?.id ?? 0);
  await inbox.drain();
  expect(seen).toEqual([]);
  expect(await ends()).toEqual({ inbox: { dead: 1 }, told: 1 });
});

it('L9: counts of rows and effects that are handled or gone are forgotten at a start', async () => {
  const { ledger } = opened;
  const rows = await ledger.receive([said('open', 1), said('done', 1), said('retried', 1)], 1);
  const [, done = 0, retried = 0] = rows.map(({ id }) => id);
  await ledger.settleInbox(done, { kind: 'done', note: '', replies: [] }, 1);
  await ledger.settleInbox(retried, { kind: 'dead', note: SET_ASIDE, replies: [sorry] }, 1);
  await ledger.reopenInbox(retried);
  const [effect] = await ledger.query.effects({ kind: 'chat_message' });
  const keys = [
    'inbox 1 chat open',
    'inbox 1 chat of-another-ledger',
    'inbox 2 chat done',
    'inbox 3 chat retried',
    'inbox 9 chat gone',
    `effect ${effect?.n} ${effect?.id}`,
    'effect 99 r1:1:0',
    'effect r1:1:0',
  ];
  const watch = { ...stopped(0), stopped: () => keys, stopsAt: () => 1 };
  expect(await pruneHandlingStops(watch, ledger.query)).toBe(1);
  expect(watch.forgotten).toEqual(keys.filter((_, i) => ![0, 3, 5].includes(i)));
  expect(await pruneHandlingStops({ ...watch, stopsAt: () => 2 }, ledger.query)).toBe(3);
});

it('L9: a row of which nobody could even be told without a stop is set aside in silence', async () => {
  const { seen, inbox } = open(new Set(), new Map(), stopped(3));
  await inbox.receive([said('poison', 1)]);
  await inbox.drain();
  expect(seen).toEqual([]);
  expect(await ends()).toEqual({ inbox: { dead: 1 }, told: 0 });
});
