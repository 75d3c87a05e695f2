/** Group commit: the inputs of one turn of the event loop share a transaction (L3). */
import type { IncomingItem, ReceivedItem } from '#ports/steps';
import type { StoredCause } from './cause-store.ts';
import { runScriptsInParallel, type SqlScript } from '../sql/statements.ts';

type Waiting = { script: SqlScript<unknown>; resolve(done: unknown): void; reject(error: unknown): void };
type Receive = (items: readonly StoredCause[]) => SqlScript<ReceivedItem[]>;
type Brought = {
  receive: Receive;
  items: readonly StoredCause[];
  resolve: (received: ReceivedItem[]) => void;
  reject: (error: unknown) => void;
};
export type RunTransaction = <T>(script: SqlScript<T>) => Promise<T>;

/** L8: maximum size of an input as JSON (UTF-16 units). */
const MAX_BODY = 1_048_576;

type GroupCommit = {
  /** Only for scripts that cannot fail alone and allocate no numbers; the group is atomic. */
  together: RunTransaction;
  receive(receive: Receive, items: readonly StoredCause[]): Promise<ReceivedItem[]>;
  drain(): Promise<void>;
};

export const createGroupCommit = (transact: RunTransaction): GroupCommit => {
  let waiting: Waiting[] = [];
  let brought: Brought[] = [];
  let writing: Promise<void> | null = null;

  const isEmpty = (): boolean => waiting.length === 0 && brought.length === 0;

  function* groupScripts(of: readonly Brought[], scripts: readonly SqlScript<unknown>[]) {
    const [first] = of;
    const received = first ? yield* first.receive(of.flatMap(({ items }) => items)) : [];
    return { received, done: yield* runScriptsInParallel(scripts) };
  }

  const commitBatch = async (batch: readonly Waiting[], of: readonly Brought[]): Promise<void> => {
    try {
      const scripts = batch.map(({ script }) => script);
      const { received, done } = await transact(groupScripts(of, scripts));
      for (const [i, w] of batch.entries()) w.resolve(done[i]);
      let from = 0;
      for (const { items, resolve } of of) resolve(received.slice(from, (from += items.length)));
    } catch (error) {
      for (const w of [...batch, ...of]) w.reject(error);
    }
  };

  const commitWaiting = (): Promise<void> => {
    if (writing || isEmpty()) return writing ?? Promise.resolve();
    const [batch, of] = [waiting, brought];
    [waiting, brought] = [[], []];
    writing = commitBatch(batch, of).finally(() => {
      writing = null;
      if (!isEmpty()) setImmediate(() => void commitWaiting());
    });
    return writing;
  };

  const addWaiting = (put: () => void): void => {
    const first = isEmpty();
    put();
    if (first && !writing) setImmediate(() => void commitWaiting());
  };

  return {
    together: <T>(script: SqlScript<T>) =>
      new Promise<T>((resolve, reject) => {
        addWaiting(() => waiting.push({ script, resolve, reject }));
      }),
    receive: (receive, items) =>
      new Promise((resolve, reject) => {
        addWaiting(() => brought.push({ receive, items, resolve, reject }));
      }),
    drain: async () => {
      while (writing || !isEmpty()) await commitWaiting();
    },
  };
};

export const toStoredCause = (item: IncomingItem, at: number): StoredCause => ({
  at,
  source: item.source,
  key: item.key,
  body: item.done === undefined ? textOf(item) : '',
  done: item.done ?? null,
  lane: item.lane ?? null,
  priority: item.urgent === true ? 0 : 1,
});

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
