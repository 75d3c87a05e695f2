/** Stores inputs durably, then handles them lane by lane until each is done or a dead letter. */
import {
  SET_ASIDE,
  keyOfRow as keyOf,
  maxStopsOf,
  NO_HANDLING_WATCH,
  type HandlingWatch,
  type InboxRow,
  type IncomingItem,
  type ReceivedItem,
  type ChatReply,
} from '#ports/steps';
import type { SystemClock, TimerPort, LogPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';

/** Must close the row through a step or `settleInbox`. */
export type InboxHandler = (row: InboxRow) => Promise<void>;
export type InboxHandlers = Record<IncomingItem['source'], InboxHandler> & {
  /** S6: message to the sender of an abandoned row. */
  sorry?: (row: InboxRow, reason: string) => Promise<ChatReply[]>;
};

export type Inbox = {
  receive(items: readonly IncomingItem[]): Promise<ReceivedItem[]>;
  drain(): Promise<void>;
};

const MAX_INBOX_TRIES = 3;
const INBOX_BATCH_ROWS = 50;
/** S2: code host inputs have no order and share a commit; the limit keeps delays short. */
const MAX_FORGE_ROWS = 16;
/** Delay before the second try (ms), four times that before the third. */
const PAUSE_MS = 200;

export const createInbox = (parts: {
  ledger: Ledger;
  clock: SystemClock;
  handlers: InboxHandlers;
  log: LogPort;
  handled?: () => void;
  /** Retries are delayed with timers, and immediate without. */
  timers?: TimerPort;
  watch?: HandlingWatch;
}): Inbox => {
  const { ledger, clock, handlers, log, timers, handled, watch = NO_HANDLING_WATCH } = parts;
  let draining: Promise<void> | null = null;
  let more = false;
  const failures: unknown[] = [];

  const reportGivenUp = async (row: InboxRow, reason: string): Promise<ChatReply[]> => {
    try {
      return (await handlers.sorry?.(row, reason)) ?? [];
    } catch (error) {
      log.error({ err: error, inbox: row.id }, 'nobody could be told of an inbox row that was given up');
      return [];
    }
  };

  /** L9: its sender is told, unless even that stopped the process. */
  const setAside = async (row: InboxRow): Promise<void> => {
    const key = keyOf(row);
    log.error({ inbox: row.id, source: row.source }, 'an inbox row stopped the process, and is set aside');
    const isTellable = watch.stopsAt(key) === maxStopsOf(row);
    const replies = isTellable ? await watch.within(key, () => reportGivenUp(row, SET_ASIDE)) : [];
    await ledger.settleInbox(row.id, { kind: 'dead', note: SET_ASIDE, replies }, clock.now());
    watch.forget(key);
  };

  /** Milliseconds before a retry; 0 when done or given up. */
  const handleRow = async (row: InboxRow): Promise<number> => {
    try {
      const pause = watch.pauseBefore(keyOf(row));
      // guard: L9-suspect-last
      if (pause > 0) return pause;
      // guard: L9-row-set-aside
      if (watch.stopsAt(keyOf(row)) >= maxStopsOf(row)) await setAside(row);
      else await watch.within(keyOf(row), () => handlers[row.source](row));
      return 0;
    } catch (error) {
      log.error({ err: error, inbox: row.id, source: row.source }, 'an inbox row could not be handled');
      // guard: S6-message-tries
      const dead = row.tries + 1 >= MAX_INBOX_TRIES;
      const note = error instanceof Error ? error.message : String(error);
      // guard: S6-sender-told
      const replies = dead ? await reportGivenUp(row, note) : [];
      await ledger.settleInbox(row.id, { kind: dead ? 'dead' : 'retry', note, replies }, clock.now());
      return dead ? 0 : PAUSE_MS * 4 ** row.tries;
    }
  };

  const logUnreadable = (error: unknown): void => log.error({ err: error }, 'the inbox could not be read');

  const inHand = new Map<string, InboxRow>();
  const paused = new Set<string>();
  let bell = Promise.withResolvers<void>();

  // guard: S4-in-order
  const isFree = (row: InboxRow): boolean => !inHand.has(laneOf(row)) && !paused.has(laneOf(row));
  const countForgeRows = (): number => [...inHand.values()].filter(isFromForge).length;

  const beginRow = (row: InboxRow): void => {
    const lane = laneOf(row);
    inHand.set(lane, row);
    const releaseLane = (pause: number): void => {
      inHand.delete(lane);
      if (pause > 0) pauseLane(lane, pause);
      handled?.();
      bell.resolve();
    };
    handleRow(row).then(releaseLane, (error: unknown) => {
      failures.push(error);
      releaseLane(0);
    });
  };

  const pauseLane = (lane: string, ms: number): void => {
    more = true;
    if (!timers) return;
    paused.add(lane);
    timers.after(ms, () => {
      // guard: S6-failed-again
      paused.delete(lane);
      void drain().catch(logUnreadable);
    });
  };

  /** One row per lane at a time; lanes are independent. */
  const handleRows = async (): Promise<void> => {
    failures.length = 0;
    let left: InboxRow[] = [];
    try {
      for (;;) {
        bell = Promise.withResolvers();
        if (failures.length > 0) break;
        if (more || left.length === 0) left = await fetchRows();
        const next = inTurn(left.filter(isFree), MAX_FORGE_ROWS - countForgeRows());
        left = left.filter((row) => !next.includes(row) && !paused.has(laneOf(row)));
        next.forEach(beginRow);
        if (inHand.size === 0 && !more) return;
        if (inHand.size > 0) await bell.promise;
      }
      // The ledger cannot close a row, so the next drain tries again.
      for (; inHand.size > 0; bell = Promise.withResolvers()) await bell.promise;
      throw failures[0];
    } finally {
      // guard: S6-drained-again
      draining = null;
    }
  };

  const fetchRows = async (): Promise<InboxRow[]> => {
    more = false;
    const known = new Set([...inHand.values()].map(({ id }) => id));
    return (await ledger.inbox(INBOX_BATCH_ROWS)).filter(({ id }) => !known.has(id));
  };

  const drain = (): Promise<void> => {
    more = true;
    bell.resolve();
    draining ??= handleRows();
    return draining;
  };

  return {
    async receive(items) {
      const received = await ledger.receive(items, clock.now());
      drain().catch(logUnreadable);
      return received;
    },
    drain,
  };
};

const isFromForge = ({ source }: InboxRow): boolean => source === 'forge';
/** A person's inputs stay in order; code host inputs have no order. */
const laneOf = (row: InboxRow): string => (isFromForge(row) ? `forge:${row.id}` : (row.lane ?? row.source));

const inTurn = (rows: readonly InboxRow[], maxForgeRows: number): InboxRow[] => {
  const first = new Map<string, InboxRow>();
  let told = 0;
  for (const row of rows) {
    if (isFromForge(row) && (told += 1) > maxForgeRows) continue;
    const lane = laneOf(row);
    const other = first.get(lane);
    if (!other || (row.urgent && !other.urgent)) first.set(lane, row);
  }
  return [...first.values()];
};
