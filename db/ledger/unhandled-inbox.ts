/** Reads inputs that are not handled yet. */
import { sql as raw } from 'kysely';
import type { InboxRow } from '#ports/steps';
import { hasValidInboxMac } from '../integrity/table-macs.ts';
import type { RowMac } from '../integrity/row-mac.ts';
import { inboxOf, isJson } from '../sql/stored-rows.ts';
import { toCompiledQuery, type DefineStatement, type RunQuery } from '../sql/statements.ts';

export const createUnhandledInboxStatement = (define: DefineStatement) =>
  define((db, a: { limit: number }) =>
    db
      .selectFrom('inbox')
      .selectAll()
      .where('state', '=', raw.lit<'new'>('new'))
      .orderBy('turn')
      .orderBy('priority')
      .orderBy('id')
      .limit(a.limit),
  );

/** Round robin over lanes; inputs with a wrong MAC are returned separately. */
export const readUnhandledInbox = async (
  {
    read,
    seal,
    waiting,
  }: { read: RunQuery; seal: RowMac; waiting: ReturnType<typeof createUnhandledInboxStatement> },
  limit: number,
): Promise<{ rows: InboxRow[]; strange: number[] }> => {
  const found = await read(toCompiledQuery(waiting, { limit }));
  const isOurs = (row: (typeof found)[number]): boolean =>
    row.source === 'forge' ? isJson(row.body) : hasValidInboxMac(seal, row);
  return {
    rows: found.filter(isOurs).map(inboxOf),
    strange: found.filter((row) => !isOurs(row)).map((row) => row.id),
  };
};
