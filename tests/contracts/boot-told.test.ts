/** Who hears of a start, and of a ledger that was put back. */
import { expect, it } from 'vitest';
import {
  bootInboxItem,
  ledgerChangeInboxItem,
  notifyOfChangedRuns,
  notifyOfRestart,
} from '../../orchestrator/notices/work-notices.ts';
import { ANA, createChatWorld } from '../support/chat-world.ts';
import { openInMemory, write } from '../support/ledger.ts';

const ADMIN = '9';
const told = async (rollback: 'older' | null, setAside = 0): Promise<(string | null)[]> => {
  const { ledger, close } = await openInMemory();
  try {
    await write(ledger, 'r1');
    const found = { freed: 0, killed: 0, swept: 0, lastSeenAt: 500, rollback, setAside };
    await ledger.receive([bootInboxItem(found, 1_000, [ADMIN])], 1_000);
    const [row] = await ledger.inbox(1);
    if (row) await notifyOfRestart(ledger, row, { now: () => 1_000 });
    return (await ledger.query.effects({ kind: 'chat_message' })).map(({ chat }) => chat).sort();
  } finally {
    await close();
  }
};

it('L9: admins are told that something was set aside, and nobody else when nothing was', async () => {
  expect(await told(null, 1)).toContain(ADMIN);
  expect(await told(null)).not.toContain(ADMIN);
  const w = await createChatWorld();
  const found = { freed: 0, killed: 0, swept: 0, lastSeenAt: 500, rollback: null, setAside: 2 };
  await w.ledger.receive([bootInboxItem(found, 1, [ANA])], w.clock.now());
  for (const row of await w.ledger.inbox(10)) await notifyOfRestart(w.ledger, row, w.clock);
  await w.deliver();
  expect(w.messages.at(-1)?.text).toContain('2 things stopped me twice, so I set them aside');
});

it('L5: after an older copy, cards that wait come anew once: the phone may have closed the ones of then', async () => {
  const w = await createChatWorld();
  const { id } = await w.readyRun({ order: { chat: ANA } });
  const [card] = w.messages.filter(({ text }) => text.startsWith('Open this'));
  if (card) Object.assign(card, { buttons: [], text: 'PR OPENED' });
  const starts = async (at: number): Promise<string[]> => {
    const before = w.messages.length;
    const found = { freed: 0, killed: 0, swept: 0, lastSeenAt: 500, rollback: 'older' as const };
    await w.ledger.receive([bootInboxItem(found, at, [ANA])], w.clock.now());
    for (const row of await w.ledger.inbox(10)) await notifyOfRestart(w.ledger, row, w.clock);
    await w.deliver();
    return w.messages.slice(before).map(({ text }) => text.split(' ').slice(0, 2).join(' '));
  };
  expect(await starts(1_000)).toContain('Open this');
  expect(await starts(2_000)).not.toContain('Open this');
  await w.taps('Open PR');
  await w.taps('Confirm');
  expect((await w.run(id)).gate.consumedApproval).not.toBeNull();
});

it('L5: admins are told which runs of the ledger somebody changed', async () => {
  const w = await createChatWorld();
  const runs = Array.from({ length: 12 }, (_, i) => ({ id: `r${i}`, repo: 'acme/api' }));
  await w.ledger.receive([ledgerChangeInboxItem({ runs, at: 1, admins: [ANA] })], w.clock.now());
  for (const row of await w.ledger.inbox(10)) await notifyOfChangedRuns(w.ledger, row, w.clock);
  const told = await w.deliver();
  expect(told?.text).toMatch(/Something other than AgentPR changed the ledger.*r0 \(acme\/api\).*and 2 more/);
  expect(told?.silent).toBe(false);
});

it('L5: an older copy is told to the admins, whether they have a run or not', async () => {
  expect(await told(null)).toEqual(['7']);
  expect(await told('older')).toEqual(['7', ADMIN]);
});
