/** Stores the heads of all runs in the installation's log, and detects a rollback by the anchor (L5). */
import type { LedgerRollback } from '#ports/ledger';
import type { AnchoredEvent } from '../integrity/anchor.ts';
import { hasValidStateMac } from '../integrity/table-macs.ts';
import type { RowMac } from '../integrity/row-mac.ts';
import {
  selectAll,
  toCompiledQuery,
  selectOne,
  type DefineStatement,
  type RunQuery,
  type SqlScript,
} from '../sql/statements.ts';
import type { InstallationLog } from './installation-log.ts';

const MAX_CHECKPOINT_EVENTS = 2_000;

const defineStatements = (define: DefineStatement) => ({
  last: define((db, _: object) =>
    db.selectFrom('events').select((eb) => eb.fn.max<number | null>('event_id').as('id')),
  ),
  moved: define((db, a: { after: number; upto: number }) =>
    db
      .selectFrom('run_states')
      .selectAll()
      .where((eb) =>
        eb(
          'run_id',
          'in',
          eb
            .selectFrom('events')
            .select('run_id')
            .distinct()
            .where('event_id', '>', a.after)
            .where('event_id', '<=', a.upto),
        ),
      )
      .orderBy('run_id'),
  ),
  event: define((db, a: { seq: number }) =>
    db.selectFrom('installation_events').select('hash').where('seq', '=', a.seq),
  ),
});

export const createCheckpoints = (
  define: DefineStatement,
  read: RunQuery,
  seal: RowMac,
  installation: InstallationLog,
) => {
  const sql = defineStatements(define);
  return {
    *takeCheckpoint(now: number): SqlScript<boolean> {
      const last = (yield* selectOne(sql.last, {}))?.id ?? 0;
      const { seq, installation: before } = yield* installation.readStored();
      const { seq: listed, upto: after } = before.checkpoint ?? { seq: 0, upto: 0 };
      if (seq === listed && last === after) return false;
      const upto = Math.min(last, after + MAX_CHECKPOINT_EVENTS);
      const moved = yield* selectAll(sql.moved, { after, upto });
      // A checkpoint must not sign rows without our MAC.
      const heads = moved
        .filter((row) => hasValidStateMac(seal, row))
        .map((row): [string, number, string] => [row.run_id, row.seq, row.head_hash]);
      yield* installation.append(now, () => ({ type: 'checkpoint', upto, heads }));
      return upto < last;
    },

    async findRollback(anchored: AnchoredEvent | null): Promise<LedgerRollback | null> {
      if (!anchored) return (await installation.readCurrent()).checkpoint ? 'missing' : null;
      if (anchored.seq === 0) return null;
      const [event] = await read(toCompiledQuery(sql.event, { seq: anchored.seq }));
      return event?.hash === anchored.hash ? null : 'older';
    },
  };
};
