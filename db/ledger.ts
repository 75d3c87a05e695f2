/** The ledger port over any store: every method is one script, run as one transaction. */
import type { KeyObject } from 'node:crypto';
import type { Ledger } from '../orchestrator/ports.ts';
import { createCauses } from './causes.ts';
import { createClaims } from './claims.ts';
import { createIntake, toStored } from './intake.ts';
import { createOutbox } from './outbox.ts';
import { createQueries, orphans, unhandled, type Read } from './queries.ts';
import { createRecords } from './records.ts';
import { runStatements } from './step-statements.ts';
import { createStepScript } from './steps.ts';
import { all, call, createDefine, type Builder, type Script } from './statements.ts';

/** A database engine: it builds its dialect's SQL, runs scripts as transactions and reads. */
export type Store = {
  builder: Builder;
  transact: <T>(script: Script<T>) => Promise<T>;
  read: Read;
  close: () => Promise<void>;
};

export type LedgerParts = {
  store: Store;
  /** For the MACs of chain heads; lives outside the database. */
  key: KeyObject;
  /** Names this start of the process: leases of other boots are not ours. */
  boot: string;
  now: () => number;
};

/** How often a boot says that it is alive (ms). */
const SEEN_EVERY = 1_000;

export const createLedger = ({ store, key, boot, now: clock }: LedgerParts): Ledger => {
  const { builder, transact, read } = store;
  const define = createDefine(builder);
  const outbox = createOutbox(define);
  const causes = createCauses(define, outbox, boot);
  const claims = createClaims(define, boot);
  const records = createRecords(define, boot);
  const step = createStepScript({ define, outbox, causes, key });
  const intake = createIntake(transact);
  const { saw } = runStatements(define);
  let seenAt = -Infinity;

  const seen = <T>(now: number, script: Script<T>): Script<T> =>
    now - seenAt < SEEN_EVERY ? script : andSeen(now, script);

  function* andSeen<T>(now: number, script: Script<T>): Script<T> {
    yield call(saw, { boot, now });
    seenAt = now;
    return yield* script;
  }

  function* recover(now: number): Script<{ freed: number; lastSeenAt: number | null }> {
    return { lastSeenAt: yield* records.boot(now), freed: yield* claims.free(now) };
  }

  return {
    receive: async (items, now) => intake.together(causes.receive(items.map(toStored), now)),
    inbox: (limit) => unhandled(builder, read, limit),
    // Without answers it cannot fail by itself, and so it shares a commit with what comes in and is settled at the same time.
    settleInbox: (id, outcome, now) => {
      const script = causes.settle(id, outcome, now);
      return outcome.replies.length === 0 ? intake.together(script) : transact(script);
    },
    step: (request) => transact(seen(request.now, step(request))),
    claim: (request) => transact(seen(request.now, claims.claim(request))),
    renew: (claim, until) => transact(claims.renew(claim, until)),
    finish: (claim, outcome, now) => transact(claims.finish(claim, outcome, now)),
    hurry: (runId, now) => transact(claims.hurry(runId, now)),
    nextDue: () => transact(claims.nextDue()),
    recover: (now) => transact(recover(now)),
    attempt: {
      start: (row) => transact(records.start(row)),
      running: (id, pid, pidStart) => transact(records.running(id, pid, pidStart)),
      end: (id, row) => transact(records.end(id, row)),
      orphans: () => orphans(builder, read, boot),
    },
    artifact: (row) => transact(records.artifact(row)),
    setUser: (user) => transact(records.user(user)),
    removeUser: (id) => transact(records.removeUser(id)),
    setSetting: (name, value) => transact(records.setting(name, value)),
    query: createQueries(builder, read, key),
    close: async () => {
      try {
        await intake.drain();
        await transact(all(saw, { boot, now: clock() }));
      } finally {
        await store.close();
      }
    },
  };
};
