/** The inbox: in order, again after a pause, and never in the way for ever. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createInbox, type InboxHandlers } from '../../orchestrator/inbox.ts';
import type { Reply } from '../../orchestrator/ports.ts';
import { openInMemory, type Opened } from '../support/ledger.ts';

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
const sorry: Reply = {
  ...{ chat: 7, slot: null, urgent: true, sound: false, runId: null },
  show: { view: 'note', text: 'Sorry.' },
};
const message = (key: string, source: 'telegram' | 'github' = 'telegram') => ({ source, key, body: {} });

/** Rows whose key is among `broken` fail. */
const open = (broken: Set<string>) => {
  const { ledger } = opened;
  const seen: string[] = [];
  const handle = async (row: { id: number; key: string }): Promise<void> => {
    seen.push(row.key);
    if (broken.has(row.key)) throw new Error(`${row.key} is broken`);
    await ledger.settleInbox(row.id, { kind: 'done', note: '', replies: [] }, 1);
  };
  const handlers: InboxHandlers = {
    telegram: handle,
    github: handle,
    cli: handle,
    sorry: async () => [sorry],
  };
  const timers = { after: (ms: number, go: () => void) => (waits.push({ ms, go }), { cancel: () => {} }) };
  return { seen, inbox: createInbox({ ledger, clock: { now: () => 1 }, handlers, log: silent, timers }) };
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
  expect((await opened.ledger.query.effects({ kind: 'tell' })).map((e) => e.do)).toMatchObject([
    { show: sorry.show },
  ]);
});

it('S4: what somebody said after it waits with it; what the code host says does not', async () => {
  const broken = new Set(['1']);
  const { seen, inbox } = open(broken);
  await inbox.receive([message('1'), message('2'), message('g', 'github')]);
  await turns();
  expect(seen.sort()).toEqual(['1', 'g']);
  expect(waits.map(({ ms }) => ms)).toEqual([200]);
  broken.clear();
  waits.splice(0).forEach(({ go }) => go());
  await turns();
  expect(seen.slice(2)).toEqual(['1', '2']);
  expect(await opened.ledger.query.inboxCounts()).toEqual({ done: 3 });
});
