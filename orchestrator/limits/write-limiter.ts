/** Serialises an identity's writes to the code host; stored limits survive a restart (F5). */
import { AsyncLocalStorage } from 'node:async_hooks';
import { traitsOf } from '../kernel/effects/effect-traits.ts';
import {
  recordAccepted,
  admitWriter,
  requestsBlockedUntil,
  queueWriter,
  applyHostBlock,
  applySuspension,
  WriteSlotWait,
  type WriterRank,
} from '#model/limits';
import { DAY, MINUTE, SECOND } from '#model/values';
import { TurnAwaited, type WriteLimit, type WriterLease, type WriteScheduler } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import type { SystemClock, TimerPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';

type Writer = WriterLease & {
  key: string;
  rank: WriterRank;
  /** Leaves the last requests of an hour to others. */
  yields: boolean;
};

const MAX_WAIT_IN_MEMORY_MS = 5 * SECOND;
const RESERVED_REQUEST_SHARE = 0.1;
/** The queue may have moved by then, so check again (ms). */
const MAX_RECHECK_MS = 5 * MINUTE;

export const createWriteScheduler = (parts: {
  books: Ledger['writers'];
  clock: SystemClock;
  timers: TimerPort;
  identity: (claim: ClaimedEffect) => Promise<string>;
  /** In this order; the first that holds is told. */
  limits?: readonly WriteLimit[];
}): WriteScheduler => {
  const { books, clock, timers, limits = [] } = parts;
  const context = new AsyncLocalStorage<Writer>();
  const lanes = new Map<string, Promise<unknown>>();
  const rest = new Map<string, { requests: number; of: number; until: number }>();

  const sleepFor = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = timers.after(ms, () => {
        signal?.removeEventListener('abort', stopWaiting);
        resolve();
      });
      const stopWaiting = (): void => {
        timer.cancel();
        reject(new TurnAwaited(clock.now()));
      };
      if (signal?.aborted) stopWaiting();
      else signal?.addEventListener('abort', stopWaiting, { once: true });
    });

  const inLane = <T>(of: string, go: () => Promise<T>): Promise<T> => {
    const mine = (lanes.get(of) ?? Promise.resolve()).then(go, go);
    lanes.set(of, mine);
    return mine;
  };

  const currentAsk = () => {
    const { key, rank } = context.getStore() ?? { key: null, rank: 'other' };
    return { key, rank, now: clock.now() };
  };

  type Try<T> = { turn: ReturnType<typeof admitWriter>['answer'] & { kind: 'wait' } } | { sent: T };
  const sendOnce = <T>(
    of: string,
    send: () => Promise<T>,
    { waited }: { waited: boolean },
  ): Promise<Try<T>> =>
    inLane(of, async () => {
      // guard: G1-live-after-wait
      if (waited && !((await context.getStore()?.live()) ?? true)) throw new TurnAwaited(clock.now());
      const turn = await books.change(of, (book) => admitWriter(book, currentAsk()));
      if (turn.kind === 'wait') return { turn };
      const sent = await send();
      await books.change(of, (book) => ({ book: recordAccepted(book), answer: null }));
      return { sent };
    });

  return {
    limiter: {
      async write(of, send) {
        for (let waited = false; ; waited = true) {
          const tried = await sendOnce(of, send, { waited });
          if ('sent' in tried) return tried.sent;
          const { at } = tried.turn;
          const ms = at - clock.now();
          // guard: F5-not-soon
          if (ms > MAX_WAIT_IN_MEMORY_MS) throw new TurnAwaited(at);
          await sleepFor(Math.max(1, ms), context.getStore()?.signal);
        }
      },
      refused: (of, told) =>
        books.change(of, (given) => {
          const book = applyHostBlock(given, told, clock.now());
          return { book, answer: book.blockedUntil };
        }),
      suspended: (of) =>
        books.change(of, (given) => {
          const book = applySuspension(given, clock.now());
          return { book, answer: book.blockedUntil };
        }),
      left: (of, now) => void rest.set(of, now),
      async holdUntil(of) {
        const now = clock.now();
        const until = requestsBlockedUntil(await books.of(of), now);
        const asks = context.getStore();
        const few = rest.get(of);
        const isLeft = few && few.until > now && few.until - now <= DAY;
        // guard: F5-begins-nothing-on-the-last
        if (isLeft && asks?.yields && few.requests < few.of * RESERVED_REQUEST_SHARE)
          return Math.max(until, few.until);
        // A writer that sent one request may finish.
        // guard: F5-begun-is-finished
        if (asks && until <= now) asks.yields = false;
        return until;
      },
    },
    async comesBack(claim) {
      const { writes } = traitsOf(claim.do.kind);
      const what = WriteSlotWait.shape.action.safeParse(claim.do.kind).data;
      if (what === undefined) return null;
      for (const limit of limits) {
        const hold = await limit.holds(claim);
        if (hold) return hold;
      }
      if (writes === null) return null;
      const identity = await parts.identity(claim).catch(() => null);
      if (identity === null) return null;
      const now = clock.now();
      const { turn, until, suspended } = await books.change(identity, (before) => {
        const { book, answer } = queueWriter(before, { key: claim.id, rank: writes, now });
        return { book, answer: { turn: answer, until: book.blockedUntil, suspended: book.suspended } };
      });
      if (turn.kind === 'go' || turn.at - now <= MAX_WAIT_IN_MEMORY_MS) return null;
      const why = until <= now ? 'pace' : suspended ? 'suspended' : 'retry_after';
      return {
        at: Math.min(turn.at - MAX_WAIT_IN_MEMORY_MS, now + MAX_RECHECK_MS),
        turn: { action: what, why, readyAt: why === 'suspended' ? 0 : turn.at, position: turn.before + 1 },
      };
    },
    within: ({ claim, live, signal }, go) => {
      const { writes, yields } = traitsOf(claim.do.kind);
      return context.run({ key: claim.id, rank: writes ?? 'other', yields, live, signal }, go);
    },
  };
};
