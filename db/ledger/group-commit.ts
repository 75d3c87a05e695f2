/**
 * L3: group commit: what comes in, and what of it needs no more, in one turn of the event loop is
 * written by one transaction.
 */
import type { IncomingItem, ReceivedItem } from '../../orchestrator/ports.ts';
import type { StoredCause } from './cause-store.ts';
import { sideBySide, type SqlScript } from '../sql/statements.ts';

type Waiting = { script: SqlScript<unknown>; resolve(done: unknown): void; reject(error: unknown): void };
/** Stores what several callers brought, with one answer for each item, in their order. */
type Receive = (items: readonly StoredCause[]) => SqlScript<ReceivedItem[]>;
type Brought = {
  receive: Receive;
  items: readonly StoredCause[];
  resolve: (received: ReceivedItem[]) => void;
  reject: (error: unknown) => void;
};
export type RunTransaction = <T>(script: SqlScript<T>) => Promise<T>;

/** L8: larger ones are refused before they are stored (in UTF-16 units, of the body as JSON). */
export const MAX_BODY = 1_048_576;

export type GroupCommit = {
  /**
   * Runs the script in the next group; for what cannot fail by itself, since a group stands or
   * falls as a whole, and numbers no rows itself, since the scripts of a group go side by side.
   */
  together: RunTransaction;
  /** The same for what comes in: all items of a group are stored by one script. */
  receive(receive: Receive, items: readonly StoredCause[]): Promise<ReceivedItem[]>;
  /** Commits what waits, now. */
  drain(): Promise<void>;
};

export const createIntake = (transact: RunTransaction): GroupCommit => {
  let waiting: Waiting[] = [];
  let brought: Brought[] = [];
  /** The group that is being written: what comes meanwhile waits for the next. */
  let writing: Promise<void> | null = null;

  const isEmpty = (): boolean => waiting.length === 0 && brought.length === 0;

  function* group(of: readonly Brought[], scripts: readonly SqlScript<unknown>[]) {
    const [first] = of;
    const received = first ? yield* first.receive(of.flatMap(({ items }) => items)) : [];
    return { received, done: yield* sideBySide(scripts) };
  }

  const commit = async (batch: readonly Waiting[], of: readonly Brought[]): Promise<void> => {
    try {
      const scripts = batch.map(({ script }) => script);
      const { received, done } = await transact(group(of, scripts));
      for (const [i, w] of batch.entries()) w.resolve(done[i]);
      let from = 0;
      for (const { items, resolve } of of) resolve(received.slice(from, (from += items.length)));
    } catch (error) {
      for (const w of [...batch, ...of]) w.reject(error);
    }
  };

  const go = (): Promise<void> => {
    if (writing || isEmpty()) return writing ?? Promise.resolve();
    const [batch, of] = [waiting, brought];
    [waiting, brought] = [[], []];
    writing = commit(batch, of).finally(() => {
      writing = null;
      if (!isEmpty()) setImmediate(() => void go());
    });
    return writing;
  };

  const add = (put: () => void): void => {
    const first = isEmpty();
    put();
    if (first && !writing) setImmediate(() => void go());
  };

  return {
    together: <T>(script: SqlScript<T>) =>
      new Promise<T>((resolve, reject) => {
        add(() => waiting.push({ script, resolve, reject }));
      }),
    receive: (receive, items) =>
      new Promise((resolve, reject) => {
        add(() => brought.push({ receive, items, resolve, reject }));
      }),
    drain: async () => {
      while (writing || !isEmpty()) await go();
    },
  };
};

/** `at` is when it came (epoch ms). */
export const toStored = (item: IncomingItem, at: number): StoredCause => ({
  at,
  source: item.source,
  key: item.key,
  body: item.done === undefined ? textOf(item) : '',
  done: item.done ?? null,
  lane: item.lane ?? null,
  prio: item.urgent === true ? 0 : 1,
});

/** What is stored as the body. Throws when it is too long. */
const textOf = ({ source, key, body }: IncomingItem): string => {
  const text = JSON.stringify(body ?? null);
  if (text.length > MAX_BODY) {
    throw new Error(
      `The message ${key.slice(0, 100)} from ${source} is ${text.length} characters long; ` +
        `at most ${MAX_BODY} are taken in. Nothing was stored.`,
    );
  }
  return text;
};
