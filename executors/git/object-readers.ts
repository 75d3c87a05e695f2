/** Keeps an object reader per git directory for some seconds, because runs ask in bursts. */
import { createObjectReader, ReaderEnded, type ObjectQuestion, type ObjectReader } from './object-reader.ts';
import type { PlainProcess } from '../process/start-plain-process.ts';
import { OutsideFailure } from '#ports/forge';
import { OBJECT_ID } from './object-ids.ts';

const KEPT_MS = 15_000;
const MAX_IDLE_READERS = 16;
/** Objects never change, so an unanswered request may be sent once more. */
const MAX_TRIES = 2;

export type ReadObjects = (
  gitDir: string,
  question: ObjectQuestion & { signal?: AbortSignal | undefined },
) => Promise<void>;

type Kept = { reader: ObjectReader; users: number; timer: NodeJS.Timeout | undefined };

const isStopped = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;
const createCancelFailure = (): OutsideFailure =>
  new OutsideFailure('cancelled', 'git cat-file was stopped on request.');

export const createObjectReaders = (deps: {
  start(gitDir: string): PlainProcess;
  failureOf(end: ReaderEnded): Error;
}) => {
  const kept = new Map<string, Kept>();

  const closeReader = (gitDir: string): void => {
    const one = kept.get(gitDir);
    kept.delete(gitDir);
    clearTimeout(one?.timer);
    one?.reader.close();
  };
  const acquireReader = (gitDir: string): Kept => {
    const known = kept.get(gitDir);
    if (known && !known.reader.isOver()) {
      clearTimeout(known.timer);
      return known;
    }
    const fresh = { reader: createObjectReader(deps.start(gitDir)), users: 0, timer: undefined };
    kept.set(gitDir, fresh);
    return fresh;
  };
  const trimIdle = (): void => {
    const idle = [...kept].filter(([, { users }]) => users === 0);
    for (const [gitDir] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE_READERS))) closeReader(gitDir);
  };
  const releaseReader = (gitDir: string, one: Kept): void => {
    one.users -= 1;
    if (one.users > 0 || kept.get(gitDir) !== one) return;
    kept.delete(gitDir);
    if (one.reader.isOver()) return;
    kept.set(gitDir, one);
    one.timer = setTimeout(() => closeReader(gitDir), KEPT_MS).unref();
    trimIdle();
  };

  const askOnce = async (gitDir: string, question: ObjectQuestion, signal?: AbortSignal): Promise<void> => {
    const one = acquireReader(gitDir);
    one.users += 1;
    // The reader may be in a long answer, so other callers get a new one.
    const stopReader = (): void => one.reader.close();
    signal?.addEventListener('abort', stopReader, { once: true });
    try {
      await one.reader.ask(question);
    } finally {
      signal?.removeEventListener('abort', stopReader);
      releaseReader(gitDir, one);
    }
  };

  const read: ReadObjects = async (gitDir, { oids, maxBytes, take, signal }) => {
    const wrong = oids.find((oid) => !OBJECT_ID.test(oid));
    if (wrong !== undefined) throw new Error(`"${wrong}" is not the id of an object.`);
    let answered = 0;
    for (let tries = 1; ; tries += 1) {
      if (isStopped(signal)) throw createCancelFailure();
      const before = answered;
      const countAndTake = (object: Parameters<typeof take>[0]): void => {
        answered = oids.indexOf(object.oid, answered) + 1;
        take(object);
      };
      try {
        return await askOnce(gitDir, { oids: oids.slice(before), maxBytes, take: countAndTake }, signal);
      } catch (error) {
        if (!(error instanceof ReaderEnded)) throw error;
        if (isStopped(signal)) throw createCancelFailure();
        if (tries >= MAX_TRIES) throw deps.failureOf(error);
      }
    }
  };

  return {
    read,
    close: (gitDir?: string): void => {
      for (const dir of gitDir === undefined ? [...kept.keys()] : [gitDir]) closeReader(dir);
    },
  };
};
