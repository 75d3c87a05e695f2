/** L3: group commit: whatever arrives in one turn of the event loop is made durable by one transaction. */
import type { Incoming, Ledger, Received } from '../orchestrator/ports.ts';
import type { Causes, Stored } from './causes.ts';
import type { Script } from './statements.ts';

type Waiting = {
  items: readonly Stored[];
  now: number;
  resolve(received: Received[]): void;
  reject(error: unknown): void;
};
export type Transact = <T>(script: Script<T>) => Promise<T>;

/** L8: larger ones are refused before they are stored (in UTF-16 units, of the body as JSON). */
export const MAX_BODY = 1_048_576;

export const createIntake = (
  transact: Transact,
  causes: Causes,
): { receive: Ledger['receive']; drain(): Promise<void> } => {
  let waiting: Waiting[] = [];
  let settled: Promise<void> = Promise.resolve();

  function* storeAll(batch: readonly Waiting[]): Script<Received[][]> {
    const received: Received[][] = [];
    for (const { items, now } of batch) received.push(yield* causes.receive(items, now));
    return received;
  }

  const commit = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      const received = await transact(storeAll(batch));
      for (const [i, w] of batch.entries()) w.resolve(received[i] ?? []);
    } catch (error) {
      for (const w of batch) w.reject(error);
    }
  };

  return {
    receive: async (items, now) => {
      const stored = items.map(store);
      return new Promise<Received[]>((resolve, reject) => {
        waiting.push({ items: stored, now, resolve, reject });
        if (waiting.length === 1) setImmediate(() => void (settled = commit()));
      });
    },
    drain: async () => {
      settled = commit();
      await settled;
    },
  };
};

const store = ({ source, key, body }: Incoming): Stored => {
  const text = JSON.stringify(body ?? null);
  if (text.length > MAX_BODY) {
    throw new Error(
      `The message ${key.slice(0, 100)} from ${source} is ${text.length} characters long; ` +
        `at most ${MAX_BODY} are taken in. Nothing was stored.`,
    );
  }
  return { source, key, body: text };
};
