/**
 * L5: checkpoints: what every run had come to, in the house's log; and whether this ledger is the
 * one that was anchored last.
 */
import type { LedgerRollback } from '../../orchestrator/ports.ts';
import type { AnchoredEvent } from '../integrity/anchor.ts';
import { isState } from '../integrity/state-macs.ts';
import type { RowMac } from '../integrity/row-mac.ts';
import {
  selectAll,
  compiledQuery,
  selectOne,
  type DefineStatement,
  type RunQuery,
  type SqlScript,
} from '../sql/statements.ts';
import type { InstallationLog } from './installation-log.ts';

/** Events of runs that one checkpoint looks back at, at most: nobody waits for more. */
const MAX_CHECKPOINT_EVENTS = 2_000;

const statements = (define: DefineStatement) => ({
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
    db.selectFrom('house_events').select('hash').where('seq', '=', a.seq),
  ),
});

export const createCheckpoints = (
  define: DefineStatement,
  read: RunQuery,
  seal: RowMac,
  house: InstallationLog,
) => {
  const sql = statements(define);
  return {
    /** Lists the heads of the runs that moved since the last one. True when there are more. */
    *take(now: number): SqlScript<boolean> {
      const last = (yield* selectOne(sql.last, {}))?.id ?? 0;
      const { seq, house: before } = yield* house.stored();
      const { seq: listed, upto: after } = before.checkpoint ?? { seq: 0, upto: 0 };
      if (seq === listed && last === after) return false;
      const upto = Math.min(last, after + MAX_CHECKPOINT_EVENTS);
      const moved = yield* selectAll(sql.moved, { after, upto });
      // Rows without our MAC are left out: a checkpoint signs only what we wrote.
      const heads = moved
        .filter((row) => isState(seal, row))
        .map((row): [string, number, string] => [row.run_id, row.seq, row.head_hash]);
      yield* house.append(now, () => ({ type: 'checkpoint', upto, heads }));
      return upto < last;
    },

    /** Whether the ledger lacks what is anchored beside its key, or the anchor is gone. */
    async rollback(anchored: AnchoredEvent | null): Promise<LedgerRollback | null> {
      if (!anchored) return (await house.now()).checkpoint ? 'missing' : null;
      if (anchored.seq === 0) return null;
      const [event] = await read(compiledQuery(sql.event, { seq: anchored.seq }));
      return event?.hash === anchored.hash ? null : 'older';
    },
  };
};
