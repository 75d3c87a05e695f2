/** The ledger port over any store: every method is one script in one transaction. */
import type { KeyObject } from 'node:crypto';
import { CALM_LIMITS, type ChatLimits } from '#ports/chat';
import type { Person } from '#model/order';
import type { Ledger, LedgerRollback } from '#ports/ledger';
import { createForgeResponseCache } from './forge-response-cache.ts';
import { createCampaignStore } from './campaign-store.ts';
import { createFigureScripts } from './figure-store.ts';
import { createCauseStore } from './cause-store.ts';
import type { LedgerAnchor } from '../integrity/anchor.ts';
import { GENESIS_HASH } from '../integrity/hash-chain.ts';
import { createCheckpoints } from './checkpoints.ts';
import { NOT_OURS, createEffectLeases } from './effect-leases.ts';
import { diskFullFailure } from '../sql/database-failures.ts';
import { createInstallationLog } from './installation-log.ts';
import { findStoredSetting, findUser } from './installation-fold.ts';
import { createGroupCommit, toStoredCause } from './group-commit.ts';
import {
  bootIdPattern,
  createEffectNotices,
  findOrphanedAttempts,
  type PeerProcesses,
} from './peer-processes.ts';
import { createOutbox } from './outbox.ts';
import { createQueries } from './ledger-queries.ts';
import { readUnhandledInbox, createUnhandledInboxStatement } from './unhandled-inbox.ts';
import { createAttemptStore } from './attempt-store.ts';
import type { DiskReserve } from '../sql/disk-reserve.ts';
import { createRowMac } from '../integrity/row-mac.ts';
import { runStatements } from './step-statements.ts';
import { createSpendingStore } from './spending-store.ts';
import { createStepScript } from './write-step.ts';
import { createTableWriters } from './row-tables.ts';
import { createTurnScripts } from './turn-store.ts';
import { createRetention } from './retention.ts';
import type { SqlStore } from '../sql/sql-store.ts';
import {
  selectAll,
  callStatement,
  createStatementDefiner,
  type SqlScript,
  selectOne,
  type DefineStatement,
} from '../sql/statements.ts';
import { MINUTE } from '#model/values';
import { EMPTY_WRITE_BUDGET, WriteBudget } from '#model/limits';

const defineStatements = (define: DefineStatement) => ({
  find: define((db, a: { identity: string }) =>
    db.selectFrom('write_budgets').select('budget_json').where('identity', '=', a.identity),
  ),
  put: define((db, a: { identity: string; budget_json: string }) =>
    db
      .insertInto('write_budgets')
      .values({ identity: a.identity, budget_json: a.budget_json })
      .onConflict((c) => c.column('identity').doUpdateSet({ budget_json: a.budget_json })),
  ),
});

const createWriteBudgetStore = (define: DefineStatement) => {
  const sql = defineStatements(define);
  function* of(identity: string): SqlScript<WriteBudget> {
    const row = yield* selectOne(sql.find, { identity });
    return row ? WriteBudget.parse(JSON.parse(row.budget_json)) : EMPTY_WRITE_BUDGET;
  }
  return {
    of,
    *change<T>(identity: string, by: (book: WriteBudget) => { book: WriteBudget; answer: T }): SqlScript<T> {
      const before = yield* of(identity);
      const { book, answer } = by(before);
      if (book !== before) yield callStatement(sql.put, { identity, budget_json: JSON.stringify(book) });
      return answer;
    },
  };
};

/** Larger corrections mean that the clock was set back (ms). */
export const MIN_CLOCK_SETBACK_MS = MINUTE;

export type LedgerSurroundings = {
  anchor: LedgerAnchor;
  reserve: DiskReserve;
  size: () => Promise<number>;
};

type LedgerParts = {
  store: SqlStore;
  beside?: LedgerSurroundings;
  key: KeyObject;
  /** Id of this process start; leases of other boots are not ours. */
  boot: string;
  now: () => number;
  limits?: ChatLimits;
  others?: PeerProcesses | undefined;
};

/** Interval of life signs of a boot (ms). */
const SEEN_EVERY = 1_000;

export const createLedger = ({
  store,
  beside,
  key,
  boot,
  now: clock,
  limits = CALM_LIMITS,
  others,
}: LedgerParts): Ledger => {
  const { builder, read } = store;
  const define = createStatementDefiner(builder);
  const seal = createRowMac(key);
  const tables = createTableWriters(define, seal);
  const beginTransaction = (): void => {
    for (const table of [tables.effects, tables.attempts, tables.artifacts]) table.begin();
    if (others) Object.assign(others.outgoing, { errands: [], news: null });
  };
  const transact = <T>(script: SqlScript<T>): Promise<T> => store.transact(script, beginTransaction);
  const transactRebuildable = <T>(script: SqlScript<T>): Promise<T> =>
    (store.transactRebuildable ?? store.transact)(script, beginTransaction);
  function* withNews<T>(script: SqlScript<T>, news = ''): SqlScript<T> {
    if (others) others.outgoing.news = news;
    return yield* script;
  }
  const mine = { boot, boots: others ? bootIdPattern(others.place) : '%' };
  const errands = others && createEffectNotices(define, others);
  const outbox = createOutbox(define, tables, errands);
  const spending = createSpendingStore(define, transact, mine);
  const claims = createEffectLeases(define, tables, boot, limits, { ...mine, errands });
  const causes = createCauseStore(define, tables, outbox, claims);
  const records = createAttemptStore(define, tables, boot, { beside: others !== undefined });
  const answers = createForgeResponseCache(define);
  const figures = createFigureScripts(define);
  const turns = createTurnScripts(define, seal);
  const books = createWriteBudgetStore(define);
  const tidying = createRetention(define, tables);
  const step = createStepScript({ define, tables, outbox, causes, records });
  const installation = createInstallationLog(define, read, seal);
  const checkpoints = createCheckpoints(define, read, seal, installation);
  const intake = createGroupCommit((script) => transact(withNews(script)));
  const { saw } = runStatements(define);
  const waiting = createUnhandledInboxStatement(define);
  let seenAt = -Infinity;

  const withPresence = <T>(now: number, script: SqlScript<T>): SqlScript<T> =>
    now >= seenAt && now - seenAt < SEEN_EVERY ? script : andSeen(now, script);

  function* andSeen<T>(now: number, script: SqlScript<T>): SqlScript<T> {
    yield* followClock(seenAt, now);
    yield callStatement(saw, { boot, now });
    seenAt = now;
    return yield* script;
  }

  /** A clock that was set back would delay everything until it caught up. */
  function* followClock(before: number, now: number): SqlScript<void> {
    // guard: S6-clock-put-back
    if (before - now > MIN_CLOCK_SETBACK_MS) yield* claims.clockWentBack(before - now, now);
  }

  function* recoverLeases(now: number): SqlScript<{ freed: number; lastSeenAt: number | null }> {
    const lastSeenAt = yield* records.recordBoot(now);
    const freed = yield* claims.freeOthers(now);
    // guard: P7-dead-attempts-count
    yield* spending.countLost(now);
    // guard: S6-clock-put-back-away
    yield* followClock(lastSeenAt ?? now, now);
    return { lastSeenAt, freed };
  }

  const rollback = async (): Promise<LedgerRollback | null> =>
    beside ? checkpoints.findRollback(beside.anchor.reached()) : null;

  const anchorHead = async (): Promise<void> => {
    const head = await installation.readChainHead();
    if (head) beside?.anchor.set(head);
  };

  /** True when more is left. Losses of a rolled-back ledger stay reported. */
  const takeCheckpoint = async (now: number): Promise<boolean> => {
    // The anchor lies in the control's directory: a checkpoint of a worker would seem to have lost it.
    // guard: L5-control-anchors
    if (others?.place.role === 'worker') return false;
    const lost = await rollback();
    // A crash between the first checkpoint and its anchor must not look like a lost anchor.
    if (lost === null && beside?.anchor.reached() === null) beside.anchor.set({ seq: 0, hash: GENESIS_HASH });
    const more = await transact(checkpoints.takeCheckpoint(now));
    // guard: L5-older-copy
    if (lost === null) await anchorHead();
    return more;
  };

  const changeInstallation = (decide: Parameters<typeof installation.append>[1]): Promise<void> =>
    transact(installation.append(clock(), decide));

  const changeSetting: Ledger['changeSetting'] = async <T>(
    key: string,
    change: (before: string | null) => { to: string | null; answer: T },
    by: Person | null = null,
  ): Promise<T> => {
    const answers: T[] = [];
    await changeInstallation((all) => {
      const before = findStoredSetting(all, key);
      const { to, answer } = change(before);
      answers.splice(0, Infinity, answer);
      return to === null || to === before ? null : { type: 'setting.set', key, value: to, by };
    });
    return answers[0] as T;
  };

  return {
    receive: async (items, now) => {
      // The code host's inputs are refused on a full disk; polling finds the facts.
      if (beside?.reserve.low() && items.some((i) => i.source === 'forge')) throw diskFullFailure();
      return intake.receive(
        (all) => causes.receive(all),
        items.map((item) => toStoredCause(item, now)),
      );
    },
    inbox: async (limit) => {
      const { rows, strange } = await readUnhandledInbox({ read, seal, waiting }, limit);
      // Foreign rows are dropped, so that they block nothing.
      for (const id of strange)
        await transact(causes.settleCause(id, { kind: 'dead', note: NOT_OURS, replies: [] }, clock()));
      return rows;
    },
    // Shares a commit when it has no replies, as it cannot fail alone then.
    settleInbox: (id, outcome, now) => {
      const script = causes.settleCause(id, outcome, now);
      return outcome.replies.length === 0 ? intake.together(script) : transact(withNews(script));
    },
    reopenInbox: (id) => transact(withNews(causes.reopenDead(id))),
    dropInbox: (id) => transact(causes.dropDead(id)),
    step: async (request) => {
      if (request.artifacts?.length && beside?.reserve.low()) throw diskFullFailure();
      const script = withPresence(request.now, withNews(step(request), request.runId));
      return request.shared && store.transactShared
        ? store.transactShared(script, beginTransaction)
        : transact(script);
    },
    claim: (request) => transact(withPresence(request.now, claims.claim(request))),
    // Leases are released after a power cut anyway.
    renew: (claim, until) => transactRebuildable(claims.renew(claim, until)),
    finish: (claim, outcome, now) => transact(withNews(claims.finishEffect(claim, outcome, now))),
    hurry: (runId, now, what) => transact(withNews(claims.expediteEffects(runId, now, what))),
    nextDue: (kinds) => transact(claims.nextDue(kinds)),
    recover: async (now) => {
      const found = await transact(recoverLeases(now));
      await takeCheckpoint(now);
      return found;
    },
    attempt: {
      // Processes do not survive a power cut.
      start: (row) => transactRebuildable(records.start(row)),
      recordProcess: (id, pid, pidStart) => transactRebuildable(records.recordProcess(id, pid, pidStart)),
      recordActivity: (id, activity) => transactRebuildable(records.recordActivity(id, activity)),
      recordBill: (id, most) => transact(records.recordBill(id, most)),
      end: (id, row) => transactRebuildable(records.end(id, row)),
      orphans: () => findOrphanedAttempts(builder, read, mine),
    },
    turn: async (row) => {
      if (beside?.reserve.low()) throw diskFullFailure();
      return transact(turns.write(row));
    },
    artifact: async (row) => {
      if (beside?.reserve.low()) throw diskFullFailure();
      return transact(records.storeArtifact(row));
    },
    forget: (what) => transact(records.forgetArtifacts(what)),
    tidy: async (now) => {
      if (await transact(tidying.removeSome(now, (await beside?.size()) ?? 0))) return true;
      if (await transact(answers.dropExpired(now))) return true;
      beside?.reserve.refill();
      return takeCheckpoint(now);
    },
    setUser: ({ id, name, role }, by) =>
      changeInstallation((installation) => {
        const known = findUser(installation, id);
        const same = known?.name === name && known.role === role;
        return same ? null : { type: 'user.set', user: { id, name, role }, by };
      }),
    removeUser: (id, by) =>
      changeInstallation((installation) => {
        const user = findUser(installation, id);
        return user && { type: 'user.removed', user, by };
      }),
    setSetting: (key, value, by) => changeSetting(key, () => ({ to: value, answer: undefined }), by),
    changeSetting,
    rollback,
    hasRoom: () => !(beside?.reserve.low() ?? false),
    takesWrites: () => store.takesWrites?.() ?? true,
    acceptRollback: async (by) => {
      const found = await rollback();
      if (found === null) return;
      await changeInstallation(() => ({ type: 'checkpoint.accepted', rollback: found, by }));
      await anchorHead();
    },
    answers: {
      recall: (key) => transact(answers.readResponse(key)),
      // A full disk stores no cache.
      keep: async (key, answer) =>
        beside?.reserve.low() ? undefined : transactRebuildable(answers.storeResponse(key, answer)),
    },
    campaigns: createCampaignStore(define, installation, transact),
    figures: {
      keep: async (rows, upto, version) =>
        beside?.reserve.low() ? undefined : transactRebuildable(figures.storeFigures(rows, upto, version)),
    },
    writers: {
      change: (identity, by) => transact(books.change(identity, by)),
      of: (identity) => transact(books.of(identity)),
    },
    spending,
    query: createQueries(builder, read, seal, beside && (() => beside.anchor.reached()), installation),
    close: async () => {
      try {
        await intake.drain();
        if (others) await transact(claims.release(clock()));
        await transact(selectAll(saw, { boot, now: clock() }));
        while (await takeCheckpoint(clock()));
      } finally {
        await store.close();
      }
    },
  };
};
