/** What leases look for (L4). States are literals, so that the indexes over one state serve them. */
import { sql as raw } from 'kysely';
import type { EffectKind } from '../orchestrator/core/effects.ts';
import type { EffectRow } from '../orchestrator/ports.ts';
import type { Builder, Define } from './statements.ts';

/** A lease as it was given, and the boot it was given to. */
export type Held = { n: number; lease_epoch: number; boot: string };

const pending = raw.lit<EffectRow['state']>('pending');
const claimed = raw.lit<EffectRow['state']>('claimed');

/** Pending effects whose lane is free, in their order; `prio` and `limit` keep it to the first few of one index. */
const free = (db: Builder, prio: number) =>
  db
    .selectFrom('effects')
    .where('effects.state', '=', pending)
    .where('effects.prio', '=', prio)
    .where((eb) =>
      eb.or([
        eb('effects.lane', 'is', raw.lit(null)),
        eb.not(
          eb.exists(
            eb
              .selectFrom('effects as busy')
              .select('busy.n')
              .whereRef('busy.lane', '=', 'effects.lane')
              .where('busy.state', '=', claimed),
          ),
        ),
      ]),
    )
    .orderBy('effects.due_at')
    .orderBy('effects.n');

export const dueStatement = (define: Define, kinds: readonly EffectKind[] | undefined) =>
  define((db, a: { prio: number; now: number; limit: number }) =>
    free(db, a.prio)
      .leftJoin('run_states', 'run_states.run_id', 'effects.run_id')
      .selectAll('effects')
      .select('run_states.epoch as run_epoch')
      .where('due_at', '<=', a.now)
      .$if(kinds !== undefined, (q) => q.where('kind', 'in', [...(kinds ?? [])]))
      .limit(a.limit),
  );

export const claimStatements = (define: Define) => ({
  /** The row while the lease is still the one that was given: whoever finishes looks for it in the same transaction. */
  held: define((db, a: Held) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('n', '=', a.n)
      .where('lease_epoch', '=', a.lease_epoch)
      .where('lease_owner', '=', a.boot)
      .where('state', '=', claimed),
  ),
  expired: define((db, a: { now: number }) =>
    db.selectFrom('effects').selectAll().where('state', '=', claimed).where('lease_until', '<', a.now),
  ),
  ofOthers: define((db, a: { boot: string }) =>
    db.selectFrom('effects').selectAll().where('state', '=', claimed).where('lease_owner', '!=', a.boot),
  ),
  /** The newest message of the same slot, unless nothing came of it. */
  newer: define((db, a: { n: number; slot: string; chat: number }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('slot', '=', a.slot)
      .where('state', 'in', [pending, claimed, raw.lit<'done'>('done')])
      .where('n', '>', a.n)
      .where('chat', '=', a.chat)
      .orderBy('n', 'desc')
      .limit(raw.lit(1)),
  ),
  // Unordered: there is hardly ever more than one, and an order costs more than all the rest.
  waiting: define((db, a: { slot: string; chat: number }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('slot', '=', a.slot)
      .where('state', '=', pending)
      .where('chat', '=', a.chat),
  ),
  epochOf: define((db, a: { run_id: string }) =>
    db.selectFrom('run_states').select('epoch').where('run_id', '=', a.run_id),
  ),
  looks: define((db, a: { run_id: string; now: number }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('run_id', '=', a.run_id)
      .where('state', '=', pending)
      .where('kind', '=', raw.lit<EffectKind>('observe'))
      .where('due_at', '>', a.now),
  ),
  later: define((db, a: { now: number }) =>
    db.selectFrom('effects').selectAll().where('state', '=', pending).where('due_at', '>', a.now),
  ),
  next: define((db, a: { prio: number }) => free(db, a.prio).select('due_at').limit(raw.lit(1))),
});
