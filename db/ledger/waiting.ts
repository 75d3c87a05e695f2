/** What was received and is not handled yet. */
import { sql as raw } from 'kysely';
import type { InboxRow } from '../../orchestrator/ports.ts';
import { isWord } from '../integrity/macs.ts';
import type { Seal } from '../integrity/seal.ts';
import { inboxOf, isJson } from '../sql/rows.ts';
import { asked, type Define, type RunQuery } from '../sql/statements.ts';

export const waitingStatement = (define: Define) =>
  define((db, a: { limit: number }) =>
    db
      .selectFrom('inbox')
      .selectAll()
      .where('state', '=', raw.lit<'new'>('new'))
      .orderBy('turn')
      .orderBy('prio')
      .orderBy('id')
      .limit(a.limit),
  );

/**
 * Inbox rows that are not handled yet, lanes in turn; apart from them those that claim to be a
 * person's word and are not.
 */
export const unhandled = async (
  { read, seal, waiting }: { read: RunQuery; seal: Seal; waiting: ReturnType<typeof waitingStatement> },
  limit: number,
): Promise<{ rows: InboxRow[]; strange: number[] }> => {
  const found = await read(asked(waiting, { limit }));
  const ours = (row: (typeof found)[number]): boolean =>
    row.source === 'forge' ? isJson(row.body) : isWord(seal, row);
  return {
    rows: found.filter(ours).map(inboxOf),
    strange: found.filter((row) => !ours(row)).map((row) => row.id),
  };
};
