/** Support for several programs on one ledger: notifications, jobs and ownership (L7). */
import { sql as raw } from 'kysely';
import { traitsOf, selectEffectKinds } from '#effects';
import type { AttemptRow } from '#ports/ledger';
import { JOB_POOLS, type JobPool } from '#ports/steps';
import { SECOND } from '#model/values';
import type { EffectNotice } from '../queue/pg-boss-queue.ts';
import { attemptOf } from '../sql/stored-rows.ts';
import {
  selectAll,
  selectOne,
  type SqlBuilder,
  type DefineStatement,
  type RunQuery,
  type SqlScript,
} from '../sql/statements.ts';
import { RUNNING_OUTCOME } from './attempt-store.ts';
import type { StoredEffect } from './row-tables.ts';

export type CommitNotices = {
  errands: EffectNotice[];
  /** Id of the written run, empty for other changes, null for none. */
  news: string | null;
};
export type PeerProcesses = { place: WorkPlace; outgoing: CommitNotices };

/** Leftovers of an earlier start at the same place belong to this program. */
export type WorkPlace = { role: 'control' | 'worker'; id: string };
export const formatBootId = ({ role, id }: WorkPlace, start: string): string => `${role}:${id}:${start}`;
export const bootIdPattern = ({ role, id }: WorkPlace): string => `${role}:${id}:%`;
const WORKERS = 'worker:%';
const placeOf = (boot: string | null): string | null => boot?.split(':')[1] ?? null;

/** Workers perform the kinds that need a workspace. */
const WORK = selectEffectKinds(({ workspace }) => workspace);
const poolOf = (kind: StoredEffect['kind']): JobPool | null => {
  const { workspace, pool } = traitsOf(kind);
  return workspace ? (JOB_POOLS.find((one) => one === pool) ?? null) : null;
};

/** Unclaimed for this long (ms): the previous worker may be dead. */
const ALONE_MS = 30 * SECOND;
const ORPHAN_SCAN_INTERVAL_MS = 5 * SECOND;

export const createEffectNotices = (define: DefineStatement, { outgoing }: PeerProcesses) => {
  const sql = {
    home: define((db, a: { run_id: string }) =>
      db
        .selectFrom('effects')
        .select('lease_owner')
        .where('run_id', '=', a.run_id)
        .where('lease_owner', 'like', raw.lit(WORKERS))
        .orderBy('n', 'desc')
        .limit(raw.lit(1)),
    ),
    left: define((db, a: { before: number }) =>
      db
        .selectFrom('effects')
        .selectAll()
        .where('state', '=', raw.lit<'pending'>('pending'))
        .where('kind', 'in', [...WORK])
        .where('due_at', '<', a.before)
        .orderBy('due_at')
        .limit(raw.lit(100)),
    ),
  };
  let scannedAt = -Infinity;

  const addNotice = ({ n, kind, lease_epoch, due_at }: StoredEffect, home: string | null): void => {
    const pool = poolOf(kind);
    if (pool) outgoing.errands.push({ n, pool, home, leaseEpoch: lease_epoch, dueAt: due_at });
  };

  return {
    *announceEffect(row: StoredEffect): SqlScript<void> {
      if (poolOf(row.kind) === null || row.run_id === null) return;
      const last = yield* selectOne(sql.home, { run_id: row.run_id });
      addNotice(row, placeOf(last?.lease_owner ?? null));
    },
    left: (row: StoredEffect): void => addNotice(row, null),
    /** Periodically offers unclaimed effects to any worker. */
    *scanOrphans(now: number): SqlScript<void> {
      if (now - scannedAt < ORPHAN_SCAN_INTERVAL_MS && now >= scannedAt) return;
      scannedAt = now;
      for (const row of yield* selectAll(sql.left, { before: now - ALONE_MS })) addNotice(row, null);
    },
  };
};
export type EffectNoticeOutbox = ReturnType<typeof createEffectNotices>;

export const findOrphanedAttempts = async (
  db: SqlBuilder,
  read: RunQuery,
  { boot, boots }: { boot: string; boots: string },
): Promise<AttemptRow[]> => {
  const rows = await read(
    db
      .selectFrom('step_attempts')
      .selectAll()
      .where('outcome', '=', raw.lit(RUNNING_OUTCOME))
      .where('boot_id', '!=', boot)
      .where('boot_id', 'like', boots)
      .orderBy('id'),
  );
  return rows.map(attemptOf);
};
