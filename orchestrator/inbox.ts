/** The inbox: what came in is durable first and handled after, oldest first, each row to its end or to the dead letters. */
import type { Clock, InboxRow, Incoming, Ledger, Received, Reply, Timers } from './ports.ts';
import type { Log } from './dispatch.ts';

/** Handles one row; it must close the row through a step or `settleInbox`. */
export type InboxHandler = (row: InboxRow) => Promise<void>;
export type InboxHandlers = Record<Incoming['source'], InboxHandler> & {
  /** S6: what the person hears whose row is given up. */
  sorry?: (row: InboxRow, reason: string) => Promise<Reply[]>;
};

export type Inbox = {
  /** Durable when it resolves; handling starts by itself. */
  receive(items: readonly Incoming[]): Promise<Received[]>;
  /** Handles everything that waits. */
  drain(): Promise<void>;
};

const TRIES = 3;
const BATCH = 50;
/** Before the second try of a row; four times that before the third (ms). */
const PAUSE_MS = 200;

export const createInbox = (parts: {
  ledger: Ledger;
  clock: Clock;
  handlers: InboxHandlers;
  log: Log;
  /** Called after some rows were handled, once for all of them. */
  handled?: () => void;
  /** With them, what failed is tried again after a pause; without, at once. */
  timers?: Timers;
}): Inbox => {
  const { ledger, clock, handlers, log, timers, handled } = parts;
  let draining: Promise<void> | null = null;
  let more = false;

  const sorry = async (row: InboxRow, reason: string): Promise<Reply[]> => {
    try {
      return (await handlers.sorry?.(row, reason)) ?? [];
    } catch (error) {
      log.error({ err: error, inbox: row.id }, 'nobody could be told of an inbox row that was given up');
      return [];
    }
  };

  /** How long to wait before what failed is tried again, in ms; 0 when all went well or was given up. */
  const handle = async (row: InboxRow): Promise<number> => {
    try {
      await handlers[row.source](row);
      return 0;
    } catch (error) {
      log.error({ err: error, inbox: row.id, source: row.source }, 'an inbox row could not be handled');
      const dead = row.tries + 1 >= TRIES;
      const note = error instanceof Error ? error.message : String(error);
      const replies = dead ? await sorry(row, note) : [];
      await ledger.settleInbox(row.id, { kind: dead ? 'dead' : 'retry', note, replies }, clock.now());
      return dead ? 0 : PAUSE_MS * 4 ** row.tries;
    }
  };

  /** What comes after a message that failed waits with it. */
  const inTurn = async (rows: readonly InboxRow[]): Promise<number> => {
    for (const row of rows) {
      const pause = await handle(row);
      if (pause > 0) return pause;
    }
    return 0;
  };

  const unreadable = (error: unknown): void => log.error({ err: error }, 'the inbox could not be read');

  const loop = async (): Promise<void> => {
    do {
      more = false;
      for (let rows = await ledger.inbox(BATCH); rows.length > 0; rows = await ledger.inbox(BATCH)) {
        // A person's messages are handled in their order. What the code host says has none (S2), and together costs one commit.
        const [told, said] = [
          rows.filter((row) => row.source === 'github'),
          rows.filter((row) => row.source !== 'github'),
        ];
        const pause = Math.max(...(await Promise.all([inTurn(said), ...told.map(handle)])));
        handled?.();
        if (pause > 0 && timers) {
          timers.after(pause, () => void drain().catch(unreadable));
          return;
        }
      }
    } while (more);
  };

  const drain = (): Promise<void> => {
    more = true;
    draining ??= loop().finally(() => {
      draining = null;
    });
    return draining;
  };

  return {
    async receive(items) {
      const received = await ledger.receive(items, clock.now());
      drain().catch(unreadable);
      return received;
    },
    drain,
  };
};
