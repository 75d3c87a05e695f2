/** The statements of leases (L4). States are literals, so that the indexes over one state serve them. */
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

const held = (db: Builder, a: Held) =>
  db
    .updateTable('effects')
    .where('n', '=', a.n)
    .where('lease_epoch', '=', a.lease_epoch)
    .where('lease_owner', '=', a.boot)
    .where('state', '=', claimed)
    .returning('n');

export const dueStatement = (define: Define, kinds: readonly EffectKind[] | undefined) =>
  define((db, a: { prio: number; now: number; limit: number }) =>
    free(db, a.prio)
      .leftJoin('run_states', 'run_states.run_id', 'effects.run_id')
      .select(['n', 'id', 'effects.run_id', 'lane', 'slot', 'chat', 'do_json', 'due_at'])
      .select(['effects.epoch', 'run_states.epoch as run_epoch', 'kind', 'tries'])
      .where('due_at', '<=', a.now)
      .$if(kinds !== undefined, (q) => q.where('kind', 'in', [...(kinds ?? [])]))
      .limit(a.limit),
  );

export const claimStatements = (define: Define) => ({
  expire: define((db, a: { now: number }) =>
    db
      .updateTable('effects')
      .set({ state: pending, updated_at: a.now })
      .where('state', '=', claimed)
      .where('lease_until', '<', a.now),
  ),
  free: define((db, a: { boot: string; now: number }) =>
    db
      .updateTable('effects')
      .set({ state: pending, updated_at: a.now })
      .where('state', '=', claimed)
      .where('lease_owner', '!=', a.boot)
      .returning('n'),
  ),
  take: define((db, a: { n: number; until: number; boot: string; now: number }) =>
    db
      .updateTable('effects')
      .set((eb) => ({
        state: claimed,
        tries: eb('tries', '+', eb.lit(1)),
        lease_epoch: eb('lease_epoch', '+', eb.lit(1)),
        lease_until: a.until,
        lease_owner: a.boot,
        updated_at: a.now,
      }))
      .where('n', '=', a.n)
      .returning(['tries', 'lease_epoch']),
  ),
  void: define((db, a: { n: number; reason: string; now: number }) =>
    db
      .updateTable('effects')
      .set({ state: raw.lit('void'), reason: a.reason, updated_at: a.now })
      .where('n', '=', a.n),
  ),
  /** The newest message of the same slot, unless nothing came of it. */
  newer: define((db, a: { n: number; slot: string; chat: number }) =>
    db
      .selectFrom('effects')
      .select(['n', 'state', 'do_json'])
      .where('slot', '=', a.slot)
      .where('state', 'in', [pending, claimed, raw.lit<'done'>('done')])
      .where('n', '>', a.n)
      .where('chat', '=', a.chat)
      .orderBy('n', 'desc')
      .limit(raw.lit(1)),
  ),
  waiting: define((db, a: { slot: string; chat: number }) =>
    db
      .selectFrom('effects')
      .select(['n', 'do_json', 'due_at'])
      .where('slot', '=', a.slot)
      .where('state', '=', pending)
      .where('chat', '=', a.chat),
  ),
  inherit: define((db, a: { n: number; do_json: string; due_at: number; prio: number }) =>
    db
      .updateTable('effects')
      .set({ do_json: a.do_json, due_at: a.due_at, prio: a.prio })
      .where('n', '=', a.n),
  ),
  renew: define((db, a: Held & { until: number }) =>
    held(db, a)
      .set({ lease_until: a.until })
      .where((eb) =>
        eb.or([
          eb('epoch', 'is', raw.lit(null)),
          eb(
            'epoch',
            '=',
            eb
              .selectFrom('run_states')
              .select('run_states.epoch')
              .whereRef('run_states.run_id', '=', 'effects.run_id'),
          ),
        ]),
      ),
  ),
  done: define((db, a: Held & { result: string | null; now: number }) =>
    held(db, a).set({
      state: raw.lit<'done'>('done'),
      result_json: a.result,
      reason: raw.lit(null),
      updated_at: a.now,
    }),
  ),
  dead: define((db, a: Held & { reason: string; now: number }) =>
    held(db, a).set({ state: raw.lit<'dead'>('dead'), reason: a.reason, updated_at: a.now }),
  ),
  later: define((db, a: Held & { at: number; reason: string; uncounted: number; now: number }) =>
    held(db, a).set((eb) => ({
      state: pending,
      due_at: a.at,
      reason: a.reason,
      tries: eb('tries', '-', a.uncounted),
      updated_at: a.now,
    })),
  ),
  hurry: define((db, a: { run_id: string; now: number }) =>
    db
      .updateTable('effects')
      .set({ due_at: a.now, updated_at: a.now })
      .where('run_id', '=', a.run_id)
      .where('state', '=', pending)
      .where('kind', '=', raw.lit<EffectKind>('observe'))
      .where('due_at', '>', a.now),
  ),
  next: define((db, a: { prio: number }) => free(db, a.prio).select('due_at').limit(raw.lit(1))),
});
