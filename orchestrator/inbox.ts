/** The inbox: what came in is durable first and handled after, oldest first, each row to its end or to the dead letters. */
import type { Clock, InboxRow, Incoming, Ledger, Received } from './ports.ts';
import type { Log } from './dispatch.ts';

/** Handles one row; it must close the row through a step or `settleInbox`. */
export type InboxHandler = (row: InboxRow) => Promise<void>;

export type Inbox = {
  /** Durable when it resolves; handling starts by itself. */
  receive(items: readonly Incoming[]): Promise<Received[]>;
  /** Handles everything that waits. */
  drain(): Promise<void>;
};

const TRIES = 3;
const BATCH = 50;

export const createInbox = (parts: {
  ledger: Ledger;
  clock: Clock;
  handlers: Record<Incoming['source'], InboxHandler>;
  log: Log;
}): Inbox => {
  const { ledger, clock, handlers, log } = parts;
  let draining: Promise<void> | null = null;
  let more = false;

  const handle = async (row: InboxRow): Promise<void> => {
    try {
      await handlers[row.source](row);
    } catch (error) {
      log.error({ err: error, inbox: row.id, source: row.source }, 'an inbox row could not be handled');
      const dead = row.tries + 1 >= TRIES;
      const note = error instanceof Error ? error.message : String(error);
      await ledger.settleInbox(row.id, { kind: dead ? 'dead' : 'retry', note, replies: [] }, clock.now());
    }
  };

  const inTurn = async (rows: readonly InboxRow[]): Promise<void> => {
    for (const row of rows) await handle(row);
  };

  const loop = async (): Promise<void> => {
    do {
      more = false;
      for (let rows = await ledger.inbox(BATCH); rows.length > 0; rows = await ledger.inbox(BATCH)) {
        // A person's messages are handled in their order. What the code host says has none (S2), and together costs one commit.
        const [told, said] = [
          rows.filter((row) => row.source === 'github'),
          rows.filter((row) => row.source !== 'github'),
        ];
        await Promise.all([inTurn(said), ...told.map(handle)]);
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
      drain().catch((error: unknown) => log.error({ err: error }, 'the inbox could not be read'));
      return received;
    },
    drain,
  };
};
