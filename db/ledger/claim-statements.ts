/** Statements for leases (L4). States are literals, so that partial indexes apply. */
import { sql as raw, type RawBuilder } from 'kysely';
import type { EffectKind } from '#effects';
import type { EffectRow } from '#ports/ledger';
import { MESSAGE_CLASSES, type MessageClass } from '#ports/chat';
import { ALL_CHATS, MESSAGE_RANK, type ChatPace } from '../sql/chat-pace.ts';
import type { SqlBuilder, DefineStatement } from '../sql/statements.ts';

export type GrantedLease = { n: number; lease_epoch: number; boot: string };

const pending = raw.lit<EffectRow['state']>('pending');
const claimed = raw.lit<EffectRow['state']>('claimed');

/** The caller's limit and `priority` keep the query within one index. */
const selectFree = (db: SqlBuilder, priority: number) =>
  db
    .selectFrom('effects')
    .where('effects.state', '=', pending)
    .where('effects.priority', '=', raw.lit(priority))
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

export const dueStatement = (
  define: DefineStatement,
  kinds: readonly EffectKind[] | undefined,
  only: boolean,
) =>
  define((db, a: { now: number; limit: number; n: number }) =>
    selectFree(db, MESSAGE_RANK.work)
      .leftJoin('run_states', 'run_states.run_id', 'effects.run_id')
      .selectAll('effects')
      .select('run_states.epoch as run_epoch')
      .where('due_at', '<=', a.now)
      .$if(kinds !== undefined, (q) => q.where('kind', 'in', [...(kinds ?? [])]))
      .$if(only, (q) => q.where('n', '=', a.n))
      .limit(a.limit),
  );

export const nextDueStatement = (define: DefineStatement, kinds: readonly EffectKind[] | undefined) =>
  define((db) =>
    selectFree(db, MESSAGE_RANK.work)
      .select('due_at')
      .$if(kinds !== undefined, (q) => q.where('kind', 'in', [...(kinds ?? [])]))
      .limit(raw.lit(1)),
  );

const selectSendable = (db: SqlBuilder, what: MessageClass, by: () => RawBuilder<number>) =>
  selectFree(db, MESSAGE_RANK[what]).where((eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom('chat_paces')
          .select('chat_paces.chat')
          .whereRef('chat_paces.chat', '=', 'effects.chat')
          .where(`chat_paces.${what}_at`, '>', by()),
      ),
    ),
  );

const forEach = <T>(make: (what: MessageClass) => T): Record<MessageClass, T> => {
  const [card, answer, message, progress] = MESSAGE_CLASSES.map(make) as [T, T, T, T];
  return { card, answer, message, progress };
};

const paceStatements = (define: DefineStatement) => ({
  pace: define((db, a: { chat: string }) =>
    db.selectFrom('chat_paces').selectAll().where('chat', '=', a.chat),
  ),
  setPace: define((db, a: ChatPace) => {
    const row = {
      owed_at: a.owed_at,
      strict_until: a.strict_until,
      card_at: a.card_at,
      answer_at: a.answer_at,
      message_at: a.message_at,
      progress_at: a.progress_at,
    };
    return db
      .insertInto('chat_paces')
      .values({ chat: a.chat, ...row })
      .onConflict((c) => c.column('chat').doUpdateSet(row));
  }),
  forgetPaces: define((db) => db.deleteFrom('chat_paces')),
  dueOf: forEach((what) =>
    define((db, a: { now: number; limit: number }) =>
      selectSendable(db, what, () => raw<number>`${a.now}`)
        .selectAll('effects')
        .select(raw.lit<number | null>(null).as('run_epoch'))
        .where('due_at', '<=', a.now)
        .limit(a.limit),
    ),
  ),
  nextOf: forEach((what) =>
    define((db) =>
      selectSendable(db, what, () => raw.ref<number>('effects.due_at'))
        .select('due_at')
        .limit(raw.lit(1)),
    ),
  ),
  pausedOf: forEach((what) =>
    define((db) =>
      db
        .selectFrom('chat_paces')
        .select((eb) => eb.fn.min<number | null>(`chat_paces.${what}_at`).as('due_at'))
        .where('chat_paces.chat', '!=', raw.lit(ALL_CHATS))
        .where((eb) =>
          eb.exists(
            selectFree(db, MESSAGE_RANK[what])
              .clearOrderBy()
              .select('effects.n')
              .where(() => raw<boolean>`${raw.ref('effects.chat')} = ${raw.ref('chat_paces.chat')}`)
              .where(() => raw<boolean>`${raw.ref('effects.due_at')} < ${raw.ref(`chat_paces.${what}_at`)}`),
          ),
        ),
    ),
  ),
});

export const claimStatements = (define: DefineStatement) => ({
  ...paceStatements(define),
  /** Returns the row only while this lease holds. */
  held: define((db, a: GrantedLease) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('n', '=', a.n)
      // guard: L4-lease-epoch
      .where('lease_epoch', '=', a.lease_epoch)
      // guard: L4-lease-boot
      .where('lease_owner', '=', a.boot)
      .where('state', '=', claimed),
  ),
  expired: define((db, a: { now: number }) =>
    db.selectFrom('effects').selectAll().where('state', '=', claimed).where('lease_until', '<', a.now),
  ),
  ofOthers: define((db, a: { boot: string; boots: string }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('state', '=', claimed)
      .where('lease_owner', '!=', a.boot)
      .where('lease_owner', 'like', a.boots),
  ),
  ofBoot: define((db, a: { boot: string }) =>
    db.selectFrom('effects').selectAll().where('state', '=', claimed).where('lease_owner', '=', a.boot),
  ),
  newer: define((db, a: { n: number; slot: string; chat: string }) =>
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
  // No order: rarely more than one row, and sorting is expensive.
  waiting: define((db, a: { slot: string; chat: string }) =>
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
  expediting: define((db, a: { run_id: string; now: number }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('run_id', '=', a.run_id)
      .where('state', '=', pending)
      .where('kind', '=', raw.lit<EffectKind>('poll'))
      .where('due_at', '>', a.now),
  ),
  heldBack: define((db, a: { run_id: string; now: number }) =>
    db
      .selectFrom('effects')
      .selectAll()
      .where('run_id', '=', a.run_id)
      .where('state', '=', pending)
      .where((eb) =>
        eb.or([
          eb('kind', '=', raw.lit<EffectKind>('open_pr')),
          eb('kind', '=', raw.lit<EffectKind>('push')),
        ]),
      )
      .where('due_at', '>', a.now),
  ),
  later: define((db, a: { now: number }) =>
    db.selectFrom('effects').selectAll().where('state', '=', pending).where('due_at', '>', a.now),
  ),
});
