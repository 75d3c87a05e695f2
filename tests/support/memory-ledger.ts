/** The ledger port in memory, for provers that fork it; it passes the disk ledger's contract. */
import type { KeyObject } from 'node:crypto';
import { DROPPED } from '../../db/ledger/cause-store.ts';
import { MIN_CLOCK_SETBACK_MS } from '../../db/ledger/ledger.ts';
import { EMPTY_WRITE_BUDGET } from '#model/limits';
import type { Ledger } from '#ports/ledger';
import { changeDead, receive, settleInbox, unhandled } from './memory-ledger/causes.ts';
import { createMemoryCampaigns } from './memory-ledger/campaigns.ts';
import { claim, clockWentBack, finish, freeOthers, hurry, nextDue, renew } from './memory-ledger/claims.ts';
import { createMemoryQueries } from './memory-ledger/queries.ts';
import {
  addArtifact,
  addTurn,
  forgetArtifacts,
  addBoot,
  billAttempt,
  noteActivity,
  endAttempt,
  orphans,
  runningAttempt,
  seeBoot,
  startAttempt,
} from './memory-ledger/records.ts';
import { countDeadSpending, createMemorySpending } from './memory-ledger/spending.ts';
import { step } from './memory-ledger/steps.ts';
import { transact, type MemoryStore, type Tx } from './memory-ledger/store.ts';

export { createMemoryStore, forkStore, type MemoryStore } from './memory-ledger/store.ts';

export type MemoryLedgerParts = {
  store: MemoryStore;
  /** Key of the chain heads' MACs. */
  key: KeyObject;
  /** Another boot over the same store is a restart. */
  boot: string;
  now: () => number;
};

/** Interval of signs of life (ms). */
const SEEN_EVERY = 1_000;

/** Results are frozen, because they are shared with the store. */
export const createMemoryLedger = ({ store, key, boot, now: clock }: MemoryLedgerParts): Ledger => {
  let seenAt = -Infinity;
  const follow = (tx: Tx, before: number, now: number): void => {
    if (before - now > MIN_CLOCK_SETBACK_MS) clockWentBack(tx, before - now, now);
  };
  const alive = (tx: Tx, now: number): void => {
    if (now >= seenAt && now - seenAt < SEEN_EVERY) return;
    follow(tx, seenAt, now);
    seeBoot(tx, boot, now);
    seenAt = now;
  };

  return {
    campaigns: createMemoryCampaigns(store),
    answers: {
      recall: async (key) => store.answers.get(key) ?? null,
      keep: async (key, answer) => transact(store, (tx) => tx.put(store.answers, key, answer)),
    },
    figures: {
      keep: async (rows, upto, version) =>
        transact(store, (tx) => {
          for (const row of rows) tx.put(store.figures, row.runId, { ...row, upto, version });
        }),
    },
    writers: {
      of: async (identity) => store.writers.get(identity) ?? EMPTY_WRITE_BUDGET,
      change: async (identity, by) =>
        transact(store, (tx) => {
          const { book, answer } = by(store.writers.get(identity) ?? EMPTY_WRITE_BUDGET);
          tx.put(store.writers, identity, book);
          return answer;
        }),
    },
    spending: createMemorySpending(store, boot),
    receive: async (items, now) => transact(store, (tx) => receive(tx, items, now)),
    inbox: async (limit) => unhandled(store, limit),
    settleInbox: async (id, outcome, now) => transact(store, (tx) => settleInbox(tx, id, outcome, now)),
    reopenInbox: async (id) => transact(store, (tx) => changeDead(tx, id, { state: 'new', tries: 0 })),
    dropInbox: async (id) => transact(store, (tx) => changeDead(tx, id, { state: 'done', note: DROPPED })),
    step: async (request) =>
      transact(store, (tx) => {
        alive(tx, request.now);
        return step(tx, boot, key, request);
      }),
    claim: async (request) =>
      transact(store, (tx) => {
        alive(tx, request.now);
        return claim(tx, boot, request);
      }),
    renew: async (given, until) => transact(store, (tx) => renew(tx, boot, given, until)),
    finish: async (given, outcome, now) => transact(store, (tx) => finish(tx, boot, given, outcome, now)),
    hurry: async (runId, now, what) => transact(store, (tx) => hurry(tx, runId, now, what)),
    nextDue: async () => nextDue(store),
    recover: async (now) =>
      transact(store, (tx) => {
        const lastSeenAt = addBoot(tx, boot, now);
        const freed = freeOthers(tx, boot, now);
        countDeadSpending(tx, store, boot);
        follow(tx, lastSeenAt ?? now, now);
        return { lastSeenAt, freed };
      }),
    attempt: {
      start: async (row) => transact(store, (tx) => startAttempt(tx, boot, row)),
      recordProcess: async (id, pid, start) => transact(store, (tx) => runningAttempt(tx, id, pid, start)),
      recordActivity: async (id, activity) => transact(store, (tx) => noteActivity(tx, id, activity)),
      recordBill: async (id, most) => transact(store, (tx) => billAttempt(tx, id, most)),
      end: async (id, row) => transact(store, (tx) => endAttempt(tx, id, row)),
      orphans: async () => orphans(store, boot),
    },
    turn: async (row) => transact(store, (tx) => addTurn(tx, row)),
    artifact: async (row) => transact(store, (tx) => addArtifact(tx, row)),
    forget: async (what) => transact(store, (tx) => forgetArtifacts(tx, what)),
    tidy: async () => false,
    setUser: async ({ id, name, role }) =>
      transact(store, (tx) => tx.put(store.users, id, { id, name, role })),
    removeUser: async (id) => transact(store, (tx) => tx.put(store.users, id, undefined)),
    setSetting: async (name, value) => transact(store, (tx) => tx.put(store.settings, name, value)),
    changeSetting: async (name, change) =>
      transact(store, (tx) => {
        const { to, answer } = change(store.settings.get(name) ?? null);
        if (to !== null) tx.put(store.settings, name, to);
        return answer;
      }),
    rollback: async () => null,
    hasRoom: () => true,
    takesWrites: () => true,
    acceptRollback: async () => {},
    query: createMemoryQueries(store, key),
    close: async () => transact(store, (tx) => seeBoot(tx, boot, clock())),
  };
};
