/**
 * L3: group commit: what comes in, and what of it needs no more, in one turn of the event loop is
 * written by one transaction.
 */
import type { Incoming } from '../../orchestrator/ports.ts';
import type { StoredCause } from './causes.ts';
import { sideBySide, type Script } from '../sql/statements.ts';

type Waiting = { script: Script<unknown>; resolve(done: unknown): void; reject(error: unknown): void };
export type Transact = <T>(script: Script<T>) => Promise<T>;

/** L8: larger ones are refused before they are stored (in UTF-16 units, of the body as JSON). */
export const MAX_BODY = 1_048_576;

export type Intake = {
  /**
   * Runs the script in the next group; for what cannot fail by itself, since a group stands or
   * falls as a whole, and numbers no rows itself, since the scripts of a group go side by side.
   */
  together: Transact;
  /** Commits what waits, now. */
  drain(): Promise<void>;
};

export const createIntake = (transact: Transact): Intake => {
  let waiting: Waiting[] = [];
  /** The group that is being written: what comes meanwhile waits for the next. */
  let writing: Promise<void> | null = null;

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const done = await transact(sideBySide(batch.map(({ script }) => script)));
      for (const [i, w] of batch.entries()) w.resolve(done[i]);
    } catch (error) {
      for (const w of batch) w.reject(error);
    }
  };

  const go = (): Promise<void> => {
    if (writing || waiting.length === 0) return writing ?? Promise.resolve();
    const batch = waiting;
    waiting = [];
    writing = commit(batch).finally(() => {
      writing = null;
      if (waiting.length > 0) setImmediate(() => void go());
    });
    return writing;
  };

  return {
    together: <T>(script: Script<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ script, resolve, reject });
        if (waiting.length === 1 && !writing) setImmediate(() => void go());
      }),
    drain: async () => {
      while (writing || waiting.length > 0) await go();
    },
  };
};

export const toStored = (item: Incoming): StoredCause => ({
  source: item.source,
  key: item.key,
  body: item.done === undefined ? textOf(item) : '',
  done: item.done ?? null,
  lane: item.lane ?? null,
  prio: item.urgent === true ? 0 : 1,
});

/** What is stored as the body. Throws when it is too long. */
const textOf = ({ source, key, body }: Incoming): string => {
  const text = JSON.stringify(body ?? null);
  if (text.length > MAX_BODY) {
    throw new Error(
      `The message ${key.slice(0, 100)} from ${source} is ${text.length} characters long; ` +
        `at most ${MAX_BODY} are taken in. Nothing was stored.`,
    );
  }
  return text;
};
