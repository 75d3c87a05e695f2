/** Who hears of a start, and of a ledger that was put back. */
import { expect, it } from 'vitest';
import { bootNote, notifyOfRestart } from '../../orchestrator/notices/work-notices.ts';
import { openInMemory, write } from '../support/ledger.ts';

const ADMIN = '9';
const told = async (rollback: 'older' | null): Promise<(string | null)[]> => {
  const { ledger, close } = await openInMemory();
  try {
    await write(ledger, 'r1');
    const found = { freed: 0, killed: 0, swept: 0, lastSeenAt: 500, rollback };
    await ledger.receive([bootNote(found, 1_000, [ADMIN])], 1_000);
    const [row] = await ledger.inbox(1);
    if (row) await notifyOfRestart(ledger, row, { now: () => 1_000 });
    return (await ledger.query.effects({ kind: 'chat_message' })).map(({ chat }) => chat).sort();
  } finally {
    await close();
  }
};

it('L5: an older copy is told to the admins, whether they have a run or not', async () => {
  expect(await told(null)).toEqual(['7']);
  expect(await told('older')).toEqual(['7', ADMIN]);
});
