/**
 * Searches what a change adds, and the patch that people read: small ones here, large ones in a
 * thread of its own, since a hostile megabyte takes seconds.
 */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Finding } from '../../orchestrator/core/facts.ts';
import { contentFindings } from './content.ts';
import { patchFindings } from './patch-lines.ts';
import type { Side } from '../git/sides.ts';
import { KB } from '../../orchestrator/core/units.ts';

/** Null stands for a side that does not exist. */
export type Sides = { before: Side | null; after: Side | null };
/** What the thread is asked. */
export type Sought = { sides: Sides } | { patch: string };
export type Scan = {
  /** Throws when the thread ends: what was not searched is not published. */
  findings(sides: Sides): Promise<Finding[]>;
  /** Of the patch in this file of ours. */
  patch(file: string): Promise<Finding[]>;
  end(): Promise<void>;
};

/** Up to this many bytes a search is over before anybody has waited for it. */
const SMALL = 32 * KB;

export const createScan = (): Scan => {
  let worker: Worker | null = null;
  const started = (): Worker => {
    if (worker) return worker;
    const made = new Worker(new URL(import.meta.resolve('#programs/content-thread')));
    // Whoever waits for an answer hears of it; of an idle thread nobody needs to.
    made.on('error', () => undefined);
    made.once('exit', () => (worker = worker === made ? null : worker));
    return (worker = made);
  };
  const inThread = async (sought: Sought): Promise<Finding[]> => {
    const thread = started();
    const ended = new AbortController();
    const gone = once(thread, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('the thread that searches content has ended');
    });
    const answer = once(thread, 'message', { signal: ended.signal });
    thread.postMessage(sought);
    try {
      const [found] = (await Promise.race([answer, gone])) as [Finding[]];
      return found;
    } finally {
      ended.abort();
      await Promise.allSettled([answer, gone]);
    }
  };
  return {
    findings: async (sides) => {
      const { before, after } = sides;
      const small = (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0) <= SMALL;
      return small ? contentFindings(before, after) : inThread({ sides });
    },
    patch: async (file) =>
      (await stat(file)).size <= SMALL ? patchFindings(file) : inThread({ patch: file }),
    end: async () => void (await worker?.terminate()),
  };
};
